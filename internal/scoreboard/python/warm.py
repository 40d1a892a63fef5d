"""Runs driver.py again and again without importing the SDK anew, which takes longer than most
scenarios: python warm.py SOCKET

A client connects, sends its streams and {"cwd": …, "env": …}, and is sent the exit code. The driver
is a fork of this program in the client's process group."""

import gc
import json
import os
import signal
import socket
import sys

import driver

clients = {}


def reap(*_):
    while clients:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with clients.pop(pid) as client:
            try:
                client.send(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))
            except OSError:
                pass  # it was killed


def become(streams, cwd, env, group):
    """Is the driver, in a process that was forked for it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for fd, stream in enumerate(streams):
        os.dup2(stream, fd)
        os.close(stream)
    os.setpgid(0, group)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    driver.start()


listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(16)
gc.freeze()
signal.signal(signal.SIGCHLD, reap)
print("ready", flush=True)
while True:
    client, _ = listener.accept()
    text, streams, _, _ = socket.recv_fds(client, 1 << 20, 3)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    pid = os.fork()
    if pid == 0:
        listener.close()
        client.close()
        become(streams, **json.loads(text))
    clients[pid] = client
    for stream in streams:
        os.close(stream)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
