#!/usr/bin/env python3
"""Pipelines that no schedule was tuned for, under the automatic schedulers of both sides; `./dev bench --held-out` calls it.

held_out/ has the algorithms, compiled against both from one source. For each pipeline, one process of ours and one for each of
the peer's schedulers live at the same time and take turns, first in one order, then in the other (case.py). Each counts with its
least time: processor time where it has one thread, elapsed time where it has more. A scheduler that fails, or takes longer than
--patience seconds to schedule, compile and run, has its reason in the table. The output of each scheduler is compared with ours.
"""

import argparse
import math
import pathlib
import re
import shutil
import statistics
import sys
import tempfile

import toolchain
import verdicts
from case import Case

OURS = "Fluorite"
SCHEDULERS = {"Mullapudi2016": "mullapudi2016", "Adams2019": "adams2019", "Li2018": "li2018"}
SOURCES = toolchain.HERE / "held_out"


def pipelines():
    """The names of the lists in held_out/*.h, in their order."""
    texts = [(SOURCES / f"{name}.h").read_text(encoding="utf-8") for name in ("filters", "pixels", "arrays")]
    return [name for text in texts for name in re.findall(r'\{"(\w+)", \1\}', text)]


class Player:
    """A scheduler, and the program that runs its schedules."""

    def __init__(self, scheduler, program, plugin):
        self.scheduler, self.program, self.plugin = scheduler, program, plugin
        self.case = None

    def start(self, pipeline, threads, options, dumps):
        arguments = [pipeline, self.scheduler, self.plugin, str(threads), str(options.runs)]
        self.case = Case(self.program, threads, options.patience, arguments, dumps / self.scheduler)


def players(build, schedulers):
    """Ours first. Each has a program of its own, beside which it leaves its complaints."""
    toolchain.OUT.mkdir(parents=True, exist_ok=True)
    source = SOURCES / "main.cpp"
    result = [Player(OURS, toolchain.compile_case("held_out", source, toolchain.OURS, build), "-")]
    peer = toolchain.compile_case("held_out", source, toolchain.PEER, build)
    for name in schedulers:
        program = peer.with_name(f"{peer.name}-{name}")
        shutil.copy2(peer, program)
        plugin = sorted(toolchain.find_peer().glob(f"lib*/libautoschedule_{SCHEDULERS[name]}.so"))[0]
        result.append(Player(name, program, str(plugin)))
    return result


def take_turns(pipeline, threads, all_players, options, dumps):
    for player in all_players:
        player.start(pipeline, threads, options, dumps)
    for turn in range(options.rounds + 1):
        for player in all_players[:: 1 if turn % 2 else -1]:
            player.case.repeat(keep=turn > 0)
    for player in all_players:
        player.case.close()


def least_ms(player, name):
    """The least time in milliseconds; infinite for who has failed."""
    times = player.case.values.get(name, [])
    return math.inf if player.case.failure or not times else min(times) * 1e3


def reason(player):
    """Why there is no time, short enough for a table."""
    text = (player.case.failure or "no time").split(": ")[-1].replace("|", "/")
    return text if len(text) <= 40 else text[:37] + "..."


def text_of(player, name):
    time = least_ms(player, name)
    return f"{time:.3g}" if time < math.inf else reason(player)


def measure(pipeline, all_players, options):
    """A row of the table, and the ratio for each number of threads: the least time of the peer's over ours."""
    cells, ratios, judged = [], [], []
    for threads in options.threads:
        print(f"{pipeline}: {threads} threads", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=toolchain.OUT) as folder:
            take_turns(pipeline, threads, all_players, options, pathlib.Path(folder))
            ours, theirs = all_players[0], all_players[1:]
            name = pipeline if threads == 1 else f"{pipeline}.elapsed"
            best = min(least_ms(player, name) for player in theirs)
            ratio = best / least_ms(ours, name) if math.inf not in (best, least_ms(ours, name)) else math.nan
            ratios.append(ratio)
            if threads == options.threads[0]:
                values = ours.case.values
                took = [f"{values[key][0]:.2f}" if key in values else "-" for key in ("scheduled", "compiled")]
                cells += [text_of(ours, name), *took, *(text_of(player, name) for player in theirs)]
                judged = [verdicts.compare_repetitions(options.compare, *(p.case.outputs.get(pipeline) for p in (ours, player)))
                          for player in theirs if not player.case.failure]
            cells.append(f"{ratio:.2f}")
    verdict = verdicts.worst_of(judged) if judged else verdicts.Verdict(False, "NOT COMPARED: no other output")
    print(f"| {pipeline} | {' | '.join(cells)} | {verdict.text} |", flush=True)
    return ratios, verdict.ok and not all_players[0].case.failure


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default=",".join(pipelines()), help="names, separated by commas")
    parser.add_argument("--schedulers", default=",".join(SCHEDULERS), help="the peer's, separated by commas")
    parser.add_argument("--threads", default="1,2", help="numbers, separated by commas; the columns of times are of the first")
    parser.add_argument("--rounds", type=int, default=6, help="turns of each process")
    parser.add_argument("--runs", type=int, default=3, help="runs in a turn")
    parser.add_argument("--patience", type=int, default=120, help="seconds for one answer")
    toolchain.add_view_option(parser)
    options = parser.parse_args()
    options.view = toolchain.take_view(options.view)
    options.only, options.schedulers = options.only.split(","), options.schedulers.split(",")
    options.threads = [int(count) for count in options.threads.split(",")]
    for kind, given, known in (("pipeline", options.only, pipelines()), ("scheduler", options.schedulers, SCHEDULERS)):
        for name in given:
            if name not in known:
                parser.error(f"{name}: no such {kind}; there are {', '.join(known)}")
    return options


def main():
    options = parse()
    options.compare = toolchain.find_comparing_program(options.build)
    all_players = players(options.build, options.schedulers)
    first = options.threads[0]
    print(f"Least milliseconds of a run, all {options.view}, with {first} thread{'s' if first > 1 else ''}; ratios are of the best of the "
          "peer's schedulers to ours.\n")
    columns = ["ours", "s to schedule", "s to compile", *options.schedulers, *(f"ratio, {count} threads" for count in options.threads)]
    print(f"| pipeline | {' | '.join(columns).replace('ratio, 1 threads', 'ratio, 1 thread')} | output |\n"
          f"| --- |{' ---: |' * len(columns)} --- |")
    measured = [measure(pipeline, all_players, options) for pipeline in options.only]
    print()
    for at, count in enumerate(options.threads):
        ratios = [row[at] for row, _ in measured if not math.isnan(row[at])]
        if ratios:
            print(f"{count} thread{'s' if count > 1 else ''}: geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}, "
                  f"least {min(ratios):.2f}, {sum(ratio < 1 for ratio in ratios)} below 1")
    return 0 if all(is_right for _, is_right in measured) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except toolchain.Failure as failure:
        sys.exit(str(failure))
