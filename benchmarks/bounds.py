#!/usr/bin/env python3
"""Compares the regions of inputs that random small pipelines require with the peer's; `./dev bench --bounds` calls it.

One source, bounds/regions.cpp, is compiled for both sides. A row is printed for each input whose region exceeds the
peer's on any side, and for each pipeline that only one side refuses. The exit status is 1 if a region of ours does, or
if ours refuses what the peer accepts.
"""

import argparse
import pathlib
import subprocess
import sys

from toolchain import HERE, OUT, OURS, PEER, ROOT, Failure, compile_program, toolchain


def regions_of(program, count):
    """By seed: the definitions, and the pairs of each input or the text of a refusal."""
    done = subprocess.run([str(program), str(count)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{program.name} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    texts, regions = {}, {}
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] != "=":
            texts[int(words[0])] = " ".join(words[1:])
        elif len(words) > 2 and words[2] == "refused":
            regions[int(words[1])] = " ".join(words[3:])
        else:
            numbers, inputs = words[2:], {}
            for at in range(0, len(numbers), 5):
                low_x, high_x, low_y, high_y = map(int, numbers[at + 1:at + 5])
                inputs[numbers[at]] = [(low_x, high_x), (low_y, high_y)]
            regions[int(words[1])] = inputs
    return texts, regions


def exceeds(one, other):
    return any(low < other_low or high > other_high for (low, high), (other_low, other_high) in zip(one, other))


def compare(ours, peers, texts):
    """The rows, and how many of each kind there are."""
    rows, counts = [], {"equal": 0, "narrower": 0, "wider": 0, "refused here": 0, "refused there": 0, "refused by both": 0}
    for seed, text in texts.items():
        mine, theirs = ours[seed], peers[seed]
        if isinstance(mine, str) or isinstance(theirs, str):
            kind = ("refused by both" if isinstance(mine, str) and isinstance(theirs, str)
                    else "refused here" if isinstance(mine, str) else "refused there")
            counts[kind] += 1
            if kind != "refused by both":
                rows.append((seed, kind, mine if isinstance(mine, str) else theirs, text))
            continue
        for name in sorted(mine.keys() | theirs.keys()):
            if name not in mine or name not in theirs:
                kind = "wider" if name in mine else "narrower"
            else:
                kind = ("wider" if exceeds(mine[name], theirs[name]) else
                        "narrower" if exceeds(theirs[name], mine[name]) else "equal")
            counts[kind] += 1
            if kind == "wider":
                rows.append((seed, kind, f"{name} {mine.get(name)} for {theirs.get(name)}", text))
    return rows, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100, help="how many pipelines")
    options = parser.parse_args()
    try:
        OUT.mkdir(parents=True, exist_ok=True)
        sides = {side: compile_program(OUT / f"bounds-{side}", HERE / "bounds/regions.cpp", toolchain(side, options.build), ROOT)
                 for side in (OURS, PEER)}
        texts, ours = regions_of(sides[OURS], options.count)
        _, peers = regions_of(sides[PEER], options.count)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 2
    rows, counts = compare(ours, peers, texts)
    for seed, kind, seen, text in rows:
        print(f"{seed}: {kind}: {seen}\n    {text}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["wider"] or counts["refused here"] else 0


if __name__ == "__main__":
    sys.exit(main())
