#!/usr/bin/env python3
"""Measures the applications of another revision beside those of this tree; `./dev bench --before REVISION` calls it.

The revision is checked out and built below build/before. Every application that both trees have is compiled twice, each
time from its own tree's source against its own tree's library; its processes stay alive and take turns repetition by
repetition. The table shows the best times to run and to compile and what this tree gains: above 1 it is faster. It ends
with 1 if an application runs slower than --least of the speed before, or if a program fails.
"""

import argparse
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

from case import Case, run_to_end
from toolchain import ROOT, Failure, compile_program, library_flags, run_or_fail

BEFORE, NOW = "before", "now"
FOLDER = ROOT / "build" / "before"
COMPILATIONS = 5


class Tree:
    """Sources, the library that was built from them, and a folder for programs."""

    def __init__(self, root, build, programs):
        self.root, self.build, self.programs = root, build, programs
        programs.mkdir(parents=True, exist_ok=True)

    def apps(self):
        return {source.parent.name + re.sub("^bench", "", source.stem): source
                for source in sorted((self.root / "apps").glob("*/bench*.cpp"))}

    def compile(self, name, source):
        flags = [f"-I{self.root / 'include/fluorite/compat'}", f"-I{self.root / 'include'}"]
        return compile_program(self.programs / name, source, (flags, library_flags(self.build, "fluorite")), self.root)


def git(*words):
    return run_or_fail(["git", "-C", str(ROOT), *words], f"git {words[0]}").strip()


def check_out(revision):
    """The tree of a revision, with its library built."""
    commit = git("rev-parse", "--verify", f"{revision}^{{commit}}")
    root = FOLDER / commit[:12]
    if not (root / "dev").is_file():
        root.parent.mkdir(parents=True, exist_ok=True)
        git("worktree", "prune")
        git("worktree", "add", "--force", "--detach", str(root), commit)
    print(f"building {commit[:12]} in {root.relative_to(ROOT)}", file=sys.stderr)
    if subprocess.run([str(root / "dev"), "build", "fluorite"], check=False).returncode != 0:
        raise Failure(f"{revision} could not be built; the messages are above")
    return Tree(root, root / "build/release", FOLDER / "programs" / commit[:12])


def measure(name, programs, options):
    """The best seconds by side and value, of running and of compiling; or what went wrong."""
    best = {BEFORE: {}, NOW: {}}

    def note(side, values):
        for value, times in values.items():
            best[side][value] = min(times + [best[side].get(value, math.inf)])

    sides = [BEFORE, NOW]
    for number in range(COMPILATIONS):
        for side in sides[:: 1 if number % 2 else -1]:
            values, failure = run_to_end(programs[side], options.threads, options.patience, ["--compile"])
            if failure:
                raise Failure(f"compiling {name}, {side}: {failure}")
            note(side, values)
    cases = {side: Case(programs[side], options.threads, options.patience) for side in sides}
    for repetition in range(options.repetitions + 1):
        for side in sides[:: 1 if repetition % 2 else -1]:
            cases[side].repeat(keep=repetition > 0)
    for side, case in cases.items():
        case.close()
        if case.failure:
            raise Failure(f"{name}, {side}: {case.failure}")
        note(side, {value: times for value, times in case.values.items() if not value.endswith(".compile")})
    return best


def mean_of(ratios):
    return statistics.geometric_mean(ratios) if ratios else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="a commit, branch or tag")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="the folder of libfluorite.so")
    parser.add_argument("--app", action="append", metavar="NAME", help="measure only this application (repeatable)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--repetitions", type=int, default=10, metavar="K", help="timed repetitions of each application")
    parser.add_argument("--patience", type=int, default=300, metavar="S", help="seconds that a repetition may take")
    parser.add_argument("--least", type=float, default=0.95, metavar="R", help="the least speed, as a part of that before")
    options = parser.parse_args()
    trees = {BEFORE: check_out(options.revision), NOW: Tree(ROOT, options.build.resolve(), FOLDER / "programs/now")}
    sources = {side: tree.apps() for side, tree in trees.items()}
    names = [name for name in sources[NOW] if name in sources[BEFORE]]
    if unknown := [name for name in options.app or [] if name not in names]:
        parser.error(f"not in both trees: {', '.join(unknown)}; there are {', '.join(names)}")
    names = options.app or names
    print(f"{options.threads} threads, load {os.getloadavg()[0]:.1f}, {options.repetitions} repetitions by turns", flush=True)
    print("| what | before | now | gain |\n| --- | --- | --- | --- |", flush=True)
    runs, compilations, failures, slow = [], [], [], []
    for name in names:
        try:
            programs = {side: tree.compile(name, sources[side][name]) for side, tree in trees.items()}
            best = measure(name, programs, options)
        except Failure as failure:
            failures.append(str(failure))
            continue
        for value in [value for value in best[NOW] if value in best[BEFORE]]:
            gain = best[BEFORE][value] / best[NOW][value]
            is_compilation = value.endswith(".compile")
            (compilations if is_compilation else runs).append(gain)
            if not is_compilation and gain < options.least:
                slow.append(value)
            print(f"| {value} | {best[BEFORE][value] * 1e3:.2f} ms | {best[NOW][value] * 1e3:.2f} ms | {gain:.2f} |", flush=True)
    print(f"\ngeometric means: running {mean_of(runs):.3f}, compiling {mean_of(compilations):.3f}")
    if slow:
        print(f"below {options.least}: {', '.join(slow)}")
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if slow or failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
