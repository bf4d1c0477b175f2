#!/usr/bin/env python3
"""Automatic schedules beside those of the peer's three schedulers, live; `./dev bench --auto --peer` calls it.

auto_peer/main.cpp is compiled against the peer. One process is one application under one scheduler, and processes take
turns: ours (bench_auto_schedules, with the schedule by hand), then the peer by hand and each of its schedulers, the whole
--turns times. Each counts with its least processor time on one thread. A scheduler that fails, or takes longer than
--patience seconds to schedule, compile and run, has its reason in the table. Solvers on grids are left out: the peer's
operators refuse constants of doubles.
"""

import argparse
import math
import os
import re
import subprocess
import sys

import toolchain

APPS = ["blur", "unsharp", "harris", "local_laplacian", "interpolate", "bilateral_grid", "camera_pipe", "sobel", "stencil_chain",
        "max_filter", "nl_means", "hist_equalize", "iir_blur", "resize", "transpose", "wavelet", "level_set", "pyramid_blend",
        "matmul", "conv_layer"]
SCHEDULERS = {"Mullapudi2016": "mullapudi2016", "Adams2019": "adams2019", "Li2018": "li2018"}


class Result:
    """The least time of a variant, and what it took to schedule and to compile; or why there is none."""

    def __init__(self):
        self.run, self.scheduled, self.compiled, self.failure = math.inf, math.inf, math.inf, ""

    def take(self, scheduled, compiled, run):
        self.scheduled, self.compiled = min(self.scheduled, scheduled), min(self.compiled, compiled)
        self.run = min(self.run, run)

    def text(self):
        if self.failure:
            return self.failure
        return f"{self.run:.2f} ({self.scheduled:.2f} + {self.compiled:.2f})"


def build_program():
    before, after = toolchain.toolchain(toolchain.PEER, None)
    program = toolchain.OUT / "auto_peer"
    toolchain.OUT.mkdir(parents=True, exist_ok=True)
    source = toolchain.HERE / "auto_peer/main.cpp"
    toolchain.run_or_fail(toolchain.compiler("c++")[-1:] + ["-std=c++20", "-O1", f"-I{toolchain.ROOT}", *before, str(source), "-o",
                                                            str(program), *after], "compiling the applications for the peer")
    return program


def run_limited(command, patience):
    """The output of a program on one thread, and why it failed: empty if it did not."""
    environment = {**os.environ, "HL_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience, env=environment)
    except subprocess.TimeoutExpired:
        return "", f"over {patience} s"
    if done.returncode < 0:
        return "", f"signal {-done.returncode}"
    if done.returncode != 0:
        print(f"{command[0]}: {done.stderr.strip()[-300:]}", file=sys.stderr, flush=True)
    return done.stdout, "" if done.returncode == 0 else "fails"


def measure_peer(program, scheduler, app, options, result):
    if result.failure:
        return
    library = "hand"
    if scheduler != "hand":
        library = str(sorted(toolchain.find_peer().glob(f"lib*/libautoschedule_{SCHEDULERS[scheduler]}.so"))[0])
    text, result.failure = run_limited([str(program), library, scheduler, app, "1", str(options.rounds), str(options.shrink)],
                                       options.patience)
    found = re.search(r"scheduled ([\d.]+) compiled ([\d.]+) run ([\d.]+)", text)
    if found:
        result.take(*map(float, found.groups()))
    elif not result.failure:
        result.failure = "prints no time"


def measure_ours(build, app, options, hand, automatic):
    text, automatic.failure = run_limited([str(build / "bench_auto_schedules"), "--app", app, "--rounds", str(options.rounds),
                                           "--threads", "1", "--shrink", str(options.shrink)], options.patience)
    scheduled = re.search(r"scheduled by roofline in ([\d.]+) s", text)
    times = dict(re.findall(rf"^{app} +(hand|roofline) +([\d.]+) ms", text, re.M))
    compiled = dict(re.findall(r"(hand|roofline): compiled in ([\d.]+) s", text))
    if "DIFFERS" in text:
        automatic.failure = "differs"
    if scheduled and len(times) == 2 and len(compiled) == 2:
        hand.take(0, float(compiled["hand"]), float(times["hand"]))
        automatic.take(float(scheduled[1]), float(compiled["roofline"]), float(times["roofline"]))
    elif not automatic.failure:
        automatic.failure = "prints no time"


def measure(program, build, app, options):
    results = {name: Result() for name in ["ours by hand", "ours", "hand", *SCHEDULERS]}
    for turn in range(options.turns):
        print(f"{app}: turn {turn + 1} of {options.turns}", file=sys.stderr, flush=True)
        measure_ours(build, app, options, results["ours by hand"], results["ours"])
        for scheduler in ["hand", *SCHEDULERS]:
            measure_peer(program, scheduler, app, options, results[scheduler])
    return results


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=toolchain.pathlib.Path, required=True)
    parser.add_argument("--app", default=",".join(APPS), help="names, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="runs that are timed in each process")
    parser.add_argument("--turns", type=int, default=2, help="processes of each variant")
    parser.add_argument("--shrink", type=int, default=1, help="divides the extents of the images")
    parser.add_argument("--patience", type=int, default=120, help="seconds for one process")
    toolchain.add_view_option(parser)
    options = parser.parse_args()
    options.view = toolchain.take_view(options.view)
    options.app = options.app.split(",")
    for app in options.app:
        if app not in APPS:
            parser.error(f"{app}: there are {', '.join(APPS)}")
    return options


def main():
    options = parse()
    program = build_program()
    columns = ["ours by hand", "ours, automatic", "peer by hand", *SCHEDULERS]
    print(f"Milliseconds of a run (seconds to schedule + to compile), all {options.view}.\n")
    print(f"| application | {' | '.join(columns)} | best of the three / ours |\n| --- |{' ---: |' * (len(columns) + 1)}")
    ratios = []
    for app in options.app:
        results = measure(program, options.build, app, options)
        best = min(results[scheduler].run for scheduler in SCHEDULERS)
        ratio = best / results["ours"].run if best < math.inf and results["ours"].run < math.inf else math.nan
        ratios += [] if math.isnan(ratio) else [ratio]
        print(f"| {app} | {' | '.join(result.text() for result in results.values())} | {ratio:.2f} |", flush=True)
    print(f"\ngeometric mean of {len(ratios)}: {geometric_mean(ratios):.2f}, least {min(ratios, default=math.nan):.2f}")


if __name__ == "__main__":
    try:
        main()
    except toolchain.Failure as failure:
        sys.exit(str(failure))
