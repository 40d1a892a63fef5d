"""Reads lines in three ways, in turn, and prints how long they take beside ccwire: python.py FILE."""

import json
import statistics
import sys
import time

import ccwire
import models

ROUNDS = 7


def main():
    with open(sys.argv[1], "rb") as file:
        lines = [line for line in file.read().split(b"\n") if line]
    contenders = {
        "ccwire": ccwire.read_from_cli,
        "json-loads": json.loads,
        "pydantic": models.FromCLI.model_validate_json,
    }
    times = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, read in contenders.items():
            start = time.process_time()
            for line in lines:
                try:
                    read(line)
                except ValueError:  # generated types do not have every arm
                    if name != "pydantic":
                        raise
            times[name].append(time.process_time() - start)
    ratios = [
        {"name": name, "ratio": statistics.median(t / own for t, own in zip(times[name], times["ccwire"]))}
        for name in contenders
        if name != "ccwire"
    ]
    print(json.dumps({"lines": len(lines), "ccwire": statistics.median(times["ccwire"]), "ratios": ratios}))


main()
