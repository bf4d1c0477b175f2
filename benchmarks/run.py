#!/usr/bin/env python3
"""Measures Fluorite beside the live peer and prints a table; `./dev bench` calls it.

Every case in cases/ and every bench*.cpp of apps/ is one source that is compiled twice: against libfluorite.so in the
--build folder, and against the peer in build/peer. Applications can also be measured against their plain C++ reference
(--against reference) and, where they have an opencv.cpp, openblas.cpp or fftw.cpp, against that library. All processes
of a case stay alive and take turns repetition by repetition, so that whatever else the machine does meets all. The table
shows the best and the median times, two ratios of the best ones (above 1 we are faster): with one schedule on both sides,
and with each side's best; and how the outputs of both sides and of the reference compare, element by element. It ends with
1 if outputs differ, cannot be compared, or a program fails. build/bench keeps results.json, results.md and index.html.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import page
import table
import verdicts
from case import Case, run_to_end
from toolchain import (HERE, LIBRARIES, OURS, OUT, PEER, ROOT, Failure, add_view_option, compile_case, find_comparing_program,
                       is_app, measure_copy, measure_peak, source_of, take_view, toolchain)

# How often an application is compiled in a process of its own, beside the one that runs it.
COMPILATIONS = 3
# Repetitions that are timed after the one for warming up.
REPETITIONS = {"blur3x3": 15, "chain30": 10, "chain200": 1, "first_pixel": 5, "sobel_default": 10}
# The schedules of an application: the one for us, and the one for the peer where that is another.
HAND, HAND_PEER = "hand", "hand for the peer"
ARGUMENTS = {HAND: [], HAND_PEER: ["--peer-schedule"]}


class Player:
    """A program with a schedule: what runs by turns."""

    def __init__(self, side, schedule, program):
        self.side, self.schedule, self.program = side, schedule, program
        self.case, self.compilations = None, []

    @property
    def arguments(self):
        return ["--reference"] if self.side == "reference" else ARGUMENTS[self.schedule]


def players_of(source, programs):
    """One for each side, or for each side and schedule where the application has one for the peer."""
    schedules = [HAND, HAND_PEER] if set(programs) == {OURS, PEER} and has_peer_schedule(source) else [HAND]
    return [Player(side, schedule, program) for schedule in schedules for side, program in programs.items()]


def has_peer_schedule(source):
    return is_app(source) and any("Schedule::HandPeer" in header.read_text(encoding="utf-8")
                                  for header in source.parent.glob("*.h"))


def take_turns(name, players, options, dumps):
    """Compiles and runs the players by turns; whoever fails says so in its case's `failure`."""
    for number in range(COMPILATIONS if options.is_app else 0):
        for player in players[:: 1 if number % 2 else -1]:
            if player.side in (OURS, PEER):
                values, failure = run_to_end(player.program, options.threads, options.patience,
                                             player.arguments + ["--compile"])
                player.compilations += values.get(f"{name}.compile", [])
                if failure:
                    print(f"    compiling {name} for {player.side} failed: {failure}", file=sys.stderr)
    for number, player in enumerate(players):
        player.case = Case(player.program, options.threads, options.patience, player.arguments, dumps / str(number))
    for repetition in range(options.repetitions + 1):
        # Who goes first changes each time.
        for player in players[:: 1 if repetition % 2 else -1]:
            player.case.repeat(keep=repetition > 0)
    for player in players:
        player.case.close()
        if options.is_app and player.side in (OURS, PEER) and not player.case.failure:
            if len(player.compilations) < COMPILATIONS:
                player.case.failure = "a compilation in a process of its own failed"
            player.case.values[f"{name}.compile"] = player.compilations


def run_reference(players, options, dumps):
    """The outputs of an application's plain reference, by the program of ours: one repetition, after all that is timed."""
    ours = next(player for player in players if player.side == OURS)
    case = Case(ours.program, options.threads, options.patience, ["--reference"], dumps / "reference")
    case.repeat(keep=True)
    case.close()
    return case


def compare_all(value, players, reference, program):
    """Verdicts on a value: each player beside the first one of ours, and each beside the reference."""
    found = {}
    ours, *others = players
    for player in others:
        # Other libraries round otherwise and lay their pictures out otherwise; so they are only timed.
        if player.side not in LIBRARIES:
            pair = ours.case.outputs.get(value), player.case.outputs.get(value)
            found[f"{player.side}, {player.schedule}"] = verdicts.compare_repetitions(program, *pair)
    if reference is not None:
        for player in players:
            if player.side in (OURS, PEER):
                pair = player.case.outputs.get(value), reference.outputs.get(value)
                found[f"reference, {player.side}, {player.schedule}"] = verdicts.compare_repetitions(program, *pair)
    return found


def summary(times):
    return {"min": min(times), "median": statistics.median(times), "all": times} if times else None


def best_of(players, side, value):
    """The player of a side that was fastest at a value."""
    timed = [player for player in players if player.side == side and player.case.values.get(value)]
    return min(timed, key=lambda player: min(player.case.values[value]), default=None)


def time_of(players, side, schedule, value):
    times = [player.case.values.get(value) for player in players if (player.side, player.schedule) == (side, schedule)]
    return min(times[0]) if times and times[0] else None


def make_row(value, players, best, found):
    """What is known about one value; `best` has for each side the player that was fastest at running."""
    row = {"name": value, "failures": {}, "memory": {}, "schedules": {}}
    for side, player in best.items():
        row[side] = summary(player.case.values.get(value)) if player else None
        row["memory"][side] = player.case.memory if player else None
    for player in players:
        row["bytes"] = player.case.bytes.get(value, row.get("bytes"))
        row["flops"] = player.case.flops.get(value, row.get("flops"))
        row["schedules"][f"{player.side}, {player.schedule}"] = summary(player.case.values.get(value))
        if player.case.failure:
            row["failures"][f"{player.side}, {player.schedule}"] = player.case.failure
    other = next((side for side in best if side != OURS), None)
    if other and row[OURS] and row[other]:
        common = HAND_PEER if any(player.schedule == HAND_PEER for player in players) else HAND
        same = [time_of(players, side, common, value) for side in (OURS, other)]
        row["best"] = row[other]["min"] / row[OURS]["min"]
        row["same"] = same[1] / same[0] if all(same) else None
        row["best_of_medians"] = row[other]["median"] / row[OURS]["median"]
    row["verdicts"] = {who: {"ok": verdict.ok, "text": verdict.text} for who, verdict in found.items()}
    if not any(player.case.values.get(value) for player in players):
        row["failures"].setdefault("all", "no time was reported")
    return row


def measure(name, source, programs, options):
    """The rows of one case: a dictionary for each value that its programs report."""
    dumps = OUT / "dumps"
    dumps.mkdir(exist_ok=True)
    for old in dumps.iterdir():
        old.unlink()
    players = players_of(source, programs)
    take_turns(name, players, options, dumps)
    reference = run_reference(players, options, dumps) if is_app(source) else None
    values = list(dict.fromkeys(value for player in players for value in player.case.values)) or [name]
    runs = [value for value in values if not value.endswith(".compile")] or [name]
    rows = []
    # What was run comes first, the time to compile it after, with the schedules that were fastest at running.
    for value in runs + [value for value in values if value not in runs]:
        run = value if value in runs else runs[0]
        best = {player.side: best_of(players, player.side, run) for player in players}
        found = compare_all(value, players, reference, options.compare) if value in runs else {}
        rows.append(make_row(value, players, best, found))
    if reference is not None and reference.failure:
        rows[0]["failures"]["reference"] = reference.failure
    for old in dumps.iterdir():
        old.unlink()
    return rows


def parse_options(sources, apps):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="the folder of libfluorite.so")
    parser.add_argument("--app", action="append", choices=sources, metavar="NAME",
                        help=f"measure only this case (repeatable): {', '.join(sources)}")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="threads of parallel loops on both sides (default: the cores at hand)")
    parser.add_argument("--repetitions", type=int, metavar="K", help="timed repetitions of each case")
    parser.add_argument("--patience", type=int, default=300, metavar="S", help="seconds that a repetition may take")
    parser.add_argument("--against", choices=[PEER, *LIBRARIES, "reference"], default=PEER,
                        help="what to measure beside ours; other than the peer: applications only")
    parser.add_argument("--apps", action="store_true", help="measure all applications and no other case")
    parser.add_argument("--only-ours", action="store_true", help="measure without the peer")
    add_view_option(parser)
    options = parser.parse_args()
    options.view = take_view(options.view)
    if options.threads < 1 or (options.repetitions is not None and options.repetitions < 1):
        parser.error("--threads and --repetitions count from 1")
    if options.against != PEER:
        served = {name: source for name, source in apps.items()
                  if options.against not in LIBRARIES or source_of(source, options.against).is_file()}
        if missing := [name for name in options.app or [] if name not in served]:
            parser.error(f"nothing to measure {', '.join(missing)} against: {options.against} serves {', '.join(served)}")
        sources.clear()
        sources.update(served)
    options.build = options.build.resolve()
    options.sides = [OURS] if options.only_ours else [OURS, options.against]
    options.names = options.app or [name for name in sources if name in apps or not options.apps]
    return options


def compile_all(sources, options):
    """Programs by name and side; the program of ours has the reference in it."""
    built = [side for side in options.sides if side != "reference"]
    for side in built:
        toolchain(side, options.build)  # Whatever is missing is said before anything is compiled.
    options.compare = find_comparing_program(options.build)
    OUT.mkdir(parents=True, exist_ok=True)
    print(f"compiling {len(options.names)} cases for {' and '.join(options.sides)}", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = {(name, side): pool.submit(compile_case, name, source_of(sources[name], side), side, options.build,
                                         options.view)
                for name in options.names for side in built}
        programs = {key: job.result() for key, job in jobs.items()}
    return {name: {side: programs[name, side if side in built else OURS] for side in options.sides}
            for name in options.names}


def measure_all(sources, programs, options):
    copy, peak = measure_copy(options.threads, options.view), measure_peak(options.threads, options.view)
    load = os.getloadavg()[0]
    table.print_head(options.threads, options.view, load, copy, peak, options.against)
    rows, chosen = [], options.repetitions
    for name in options.names:
        options.is_app, options.repetitions = is_app(sources[name]), chosen or REPETITIONS.get(name, 10)
        # Other load only ever slows a probe down.
        copy, peak = (max(copy, measure_copy(options.threads, options.view)),
                      max(peak, measure_peak(options.threads, options.view)))
        for row in measure(name, sources[name], programs[name], options):
            table.print_row(row, options.against, copy, peak)
            rows.append(row)
    table.print_foot(rows, options.against)
    return {"threads": options.threads, "view": options.view.name, "target": options.view.target, "against": options.against, "load": load, "copy_bytes_per_second": copy,
            "peak_flops": peak, "rows": rows}


def status_of(rows):
    """What the command ends with: 0 if every program ran and every output was compared and agrees."""
    return 1 if any(table.complaints(row) for row in rows) else 0


def main():
    sources = {source.stem: source for source in sorted((HERE / "cases").glob("*.cpp"))}
    apps = {source.parent.name + re.sub("^bench", "", source.stem): source
            for source in sorted((ROOT / "apps").glob("*/bench*.cpp"))}
    sources |= apps
    options = parse_options(sources, apps)
    programs = compile_all(sources, options)
    results = measure_all(sources, programs, options)
    boundaries = options.build / ("bench_boundaries" + (f"_{options.view.name}" if options.view.target else ""))
    if not options.app and not options.apps and boundaries.is_file():
        print(flush=True)
        subprocess.run([boundaries], check=True)
    (OUT / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (OUT / "index.html").write_text(page.html(results), encoding="utf-8")
    (OUT / "results.md").write_text(table.markdown(results, options.view), encoding="utf-8")
    print("written: " + ", ".join(str((OUT / f"results.{kind}").relative_to(ROOT)) for kind in ("json", "md")) +
          f", {(OUT / 'index.html').relative_to(ROOT)}")
    return status_of(results["rows"])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
