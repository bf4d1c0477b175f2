#!/usr/bin/env python3
"""Counts the instructions of the applications' inner loops, ours beside the peer's; `./dev bench --hot-loops` calls it.

hot_loops/main.cpp is compiled against both and runs each application with its hand schedule by single steps on one
thread, so that it is known how often every instruction ran. Inner loops are jumps back with no other hot jump back
between; hot is what makes up at least 2 % of all instructions. llvm-mca tells the cycles of an iteration of each, for
the same processor on both sides and with all data in the first cache. Unlike times, these figures do not depend on other
load; they depend on the instruction sets of the processor. --update writes the table of an application into its README.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

import toolchain as run

HERE = pathlib.Path(__file__).resolve().parent
SHARE = 0.02
BEGIN, END = "<!-- hot loops: ./dev bench --hot-loops --update -->", "<!-- end of hot loops -->"


def tool(name):
    """The path of one of LLVM's programs."""
    for found in (shutil.which(f"{name}-19"), f"/usr/lib/llvm-19/bin/{name}", shutil.which(name)):
        if found and pathlib.Path(found).exists():
            return found
    raise run.Failure(f"{name} is not installed (package llvm-19)")


def filtered(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise run.Failure(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def compile_side(side, build):
    before, after = run.toolchain(side, build)
    program = run.OUT / f"hot_loops-{side}"
    run.run_or_fail(run.compiler("c++")[-1:] + ["-std=c++20", "-O1", f"-I{run.ROOT}", *before, str(HERE / "hot_loops/main.cpp"),
                                                "-o", str(program), *after], f"compiling the applications for {side}")
    return program


class Loop:
    """An inner loop: the instructions of its usual path, and how often it went round."""

    def __init__(self, start, last, rounds, code):
        self.start, self.last, self.rounds, self.code = start, last, rounds, code
        self.executed = 0

    def meets(self, other):
        return self.start <= other.last and other.start <= self.last

    def count(self, counts):
        self.executed = sum(count for at, count in counts.items() if self.start <= at <= self.last)

    def body(self, counts):
        """The text of the instructions that run in at least half of the rounds."""
        data = bytes.fromhex(self.code)
        listing = filtered([tool("llvm-mc"), "--disassemble", "--triple=x86_64", "--show-encoding"],
                           " ".join(f"0x{byte:02x}" for byte in data))
        at, lines = self.start, []
        for line in listing.splitlines():
            encoding = re.search(r"encoding: \[(.*)\]", line)
            if not encoding:
                continue
            if at <= self.last and 2 * counts.get(at, 0) >= self.rounds:
                lines.append(line.split("#")[0].strip())
            at += encoding[1].count(",") + 1
        return lines

    def cycles(self, counts, processor):
        """llvm-mca's cycles of one round."""
        rounds = 200
        report = filtered([tool("llvm-mca"), "-mtriple=x86_64", f"-mcpu={processor}", f"-iterations={rounds}",
                           "-instruction-info=0", "-resource-pressure=0"], "\n".join(self.body(counts)) + "\n")
        return int(re.search(r"Total Cycles:\s+(\d+)", report)[1]) / rounds


def hot_loops(loops, counts, total):
    """Of all jumps back the hot ones that have no shorter hot one within them; no instruction is in two."""
    for loop in loops:
        loop.count(counts)
    hot = []
    for loop in sorted(loops, key=lambda loop: loop.last - loop.start):
        # A jump from the end of a cold side path does not make a loop of its own.
        usual = 2 * loop.rounds >= counts.get(loop.start, 0)
        if usual and loop.executed >= SHARE * total and not any(inner.meets(loop) for inner in hot):
            hot.append(loop)
    return hot


def measure(program, name, processor):
    """Instructions and cycles a unit of work, for one side of one application."""
    environment = dict(os.environ, FLUORITE_NUM_THREADS="1", HL_NUM_THREADS="1")
    done = subprocess.run([str(program), name], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise run.Failure(f"{program.name} {name} ended with {done.returncode}: {done.stderr[-2000:]}")
    counts, loops, units, unit, total = {}, [], 1, "", 0
    for words in map(str.split, done.stdout.splitlines()):
        if words[0] == "at":
            counts[int(words[1], 16)] = int(words[2])
        elif words[0] == "loop":
            loops.append(Loop(int(words[1], 16), int(words[2], 16), int(words[3]), words[4]))
        elif words[0] == "units":
            units, unit = float(words[1]), words[2]
        elif words[0] == "total":
            total = int(words[1])
    hot = hot_loops(loops, counts, total)
    return {
        "unit": unit,
        "loops": len(hot),
        "instructions": sum(loop.executed for loop in hot) / units,
        "all": total / units,
        "cycles": sum(loop.cycles(counts, processor) * loop.rounds for loop in hot) / units,
        "bodies": [(loop.executed / total, loop.rounds, loop.body(counts)) for loop in hot],
    }


def digits(value):
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def table(sides, processor):
    unit = next(iter(sides.values()))["unit"]
    lines = [f"| a {unit} | instructions of inner loops | their cycles (llvm-mca, {processor}) | all instructions |", "|---|---|---|---|"]
    for side, row in sides.items():
        lines.append(f"| {side} | {digits(row['instructions'])} | {digits(row['cycles'])} | {digits(row['all'])} |")
    return "\n".join(lines)


def update_readme(name, text):
    path = run.ROOT / "apps" / name / "README.md"
    readme = path.read_text(encoding="utf-8")
    block = f"{BEGIN}\n{text}\n{END}\n"
    if BEGIN in readme:
        readme = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END) + "\n", lambda _: block, readme, flags=re.DOTALL)
    else:
        readme = readme.rstrip("\n") + f"\n\nInner loops ([how they are counted](../../benchmarks/README.md#hot-loops)):\n\n{block}"
    path.write_text(readme, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=run.ROOT / "build/release", help="the folder of libfluorite.so")
    parser.add_argument("--app", action="append", metavar="NAME", help="only this application (repeatable)")
    parser.add_argument("--mcpu", help="the processor llvm-mca models (default: icelake-server, or that of --as)")
    run.add_view_option(parser)
    parser.add_argument("--update", action="store_true", help="write the tables into the applications' READMEs")
    parser.add_argument("--show", action="store_true", help="print the instructions of the loops")
    parser.add_argument("--only-ours", action="store_true", help="count without the peer")
    options = parser.parse_args()
    view = run.take_view(options.view)
    options.mcpu = options.mcpu or (view.processor if view.target else "icelake-server")
    print(f"both sides {view}")
    run.OUT.mkdir(parents=True, exist_ok=True)
    names = [run.OURS] if options.only_ours else [run.OURS, run.PEER]
    programs = {side: compile_side(side, options.build.resolve()) for side in names}
    known = run.run_or_fail([str(programs[run.OURS])], "listing the applications").split()
    if unknown := [name for name in options.app or [] if name not in known]:
        parser.error(f"no {', '.join(unknown)}; there are {', '.join(known)}")
    for name in options.app or known:
        sides = {side: measure(program, name, options.mcpu) for side, program in programs.items()}
        text = table(sides, options.mcpu)
        print(f"\n{name}\n{text}", flush=True)
        for side, row in sides.items() if options.show else ():
            for share, rounds, body in row["bodies"]:
                print(f"\n{name}, {side}: {100 * share:.0f} % in {rounds} rounds\n  " + "\n  ".join(body))
        if options.update:
            update_readme(name, text)


if __name__ == "__main__":
    try:
        main()
    except run.Failure as failure:
        sys.exit(f"benchmarks: {failure}")
