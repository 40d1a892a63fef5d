"""Connects its standard streams to a port: what the fuzzer starts in the place of a parser."""

import os
import socket
import sys
import threading


def main() -> None:
    peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    threading.Thread(target=_send, args=(peer,), daemon=True).start()
    while data := peer.recv(1 << 16):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _send(peer: socket.socket) -> None:
    while data := os.read(sys.stdin.fileno(), 1 << 16):
        peer.sendall(data)
    peer.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main()
