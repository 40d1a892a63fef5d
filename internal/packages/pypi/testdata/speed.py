"""Reads lines with the readers and with json.loads alone, and compares: speed.py FILE."""

import json
import statistics
import sys
import time

import ccwire

MOST = 5


def took(read, lines):
    start = time.process_time()
    for line in lines:
        read(line)
    return time.process_time() - start


def main():
    with open(sys.argv[1], "rb") as file:
        lines = file.read().split(b"\n")
    took(ccwire.read_from_cli, lines)  # makes the checks
    rounds = [took(ccwire.read_from_cli, lines) / took(json.loads, lines) for _ in range(5)]
    ratio = statistics.median(rounds)
    if ratio > MOST:
        print(f"reading takes {ratio:.1f} times as long as json.loads")
    print(f"{ratio:.2f} times json.loads")


main()
