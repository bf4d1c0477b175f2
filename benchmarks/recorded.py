#!/usr/bin/env python3
"""Figures that are kept: runs of `./dev bench` as data, and the tables of RESULTS.md that are drawn from them.

`./dev bench --record NAME -- ARGUMENTS`   runs `./dev bench ARGUMENTS` and keeps what it measures as recorded/NAME.json,
                                           with date, processor and load: of applications the least and the median time of
                                           each side, verdicts and memory; of --compile the growth of each kind; of --math
                                           times and errors; of every other run the lines that it prints
`./dev bench --record NAME [RUN]`          keeps the last run of applications in the same way; with RUN `compile` or
                                           `math-TARGET`, the last run of these (build/bench/RUN.json)
`./dev bench --draw`                       draws each table of RESULTS.md anew, between `<!-- recorded NAME -->` and
                                           `<!-- end -->`, and the means in README.md, between `<!-- means NAME running -->`
                                           (or compiling) and `<!-- end -->`; what has no data is drawn as not recorded yet

A table is never written by hand; `--check` changes nothing and ends with 1 if the page is not what the data says, or has
figures in a table outside of the marks.
"""

import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

import math_functions
import table
from toolchain import HERE, OUT, ROOT, Failure

RECORDED, PAGE, FRONT = HERE / "recorded", HERE / "RESULTS.md", ROOT / "README.md"
MARKED = re.compile(r"(<!-- recorded ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
MEANS = re.compile(r"(<!-- means ([\w-]+) (running|compiling) -->)[^<]*(<!-- end -->)")
NOT_RECORDED = "Not recorded yet.\n"


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "an unknown processor"


def without_single_times(value):
    """The summaries of a run without every single time."""
    if isinstance(value, dict):
        return {key: without_single_times(inner) for key, inner in value.items() if key != "all"}
    return [without_single_times(inner) for inner in value] if isinstance(value, list) else value


def kept_growth(results):
    """Of a sweep of compile times, all but the times of passes."""
    kinds = [kind | {"samples": [{key: value for key, value in sample.items() if key != "steps"} for sample in kind["samples"]]}
             for kind in results["growth"]]
    return results | {"growth": kinds}


def kept_applications(results):
    """The applications of a run, and what it took to compile them."""
    compiled = {row["name"].removesuffix(".compile") for row in results["rows"] if row["name"].endswith(".compile")}
    rows = [row for row in results["rows"] if row["name"].removesuffix(".compile") in compiled]
    return without_single_times(results | {"rows": rows})


def kept(results, date, on):
    """What is kept of a run."""
    if "growth" in results:
        results = kept_growth(results)
    elif "rows" in results:
        results = kept_applications(results)
    return results | {"date": date, "processor": on}


def ratios_of(results, is_compile):
    return [row["best"] for row in results["rows"] if row.get("best") and row["name"].endswith(".compile") == is_compile]


def means(results):
    """A sentence for the running times and one for compiling."""
    sentences = []
    for what, is_compile in (("Running", False), ("Compiling", True)):
        if ratios := ratios_of(results, is_compile):
            below = sum(ratio < 1 for ratio in ratios)
            sentences.append(f"{what}: geometric mean {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}, "
                             f"{below} of {len(ratios)} below 1.")
    return " ".join(sentences)


def drawn_growth(results):
    """The table of a sweep: sizes, seconds, exponents."""
    what = "lowering and generating code" if results["generates_code"] else "lowering"
    lines = [f"{results['date']}, {results['processor']}, load {results['load']:.1f} at the end; seconds of processor time for {what}, "
             f"for {results['target']}, at an eighth, a quarter, a half and all of the largest size; each compilation ends after "
             f"{results['limit_seconds']:g} s. The exponent is that of growth between the last size and a quarter of it: 1 is linear.",
             "", "| kind of growth | largest | seconds | exponent | MB |", "|---|---|---|---|---|"]
    for kind in results["growth"]:
        times = [f"{sample['seconds']:.2f}" if not sample["failure"] else f"{sample['failure']} ({sample['size']})"
                 for sample in kind["samples"]]
        exponent = "" if kind["exponent"] is None else f"{kind['exponent']:.2f}"
        lines.append(f"| {kind['name']} | {kind['samples'][-1]['size']} {kind['unit']} | {', '.join(times)} | {exponent} | "
                     f"{max(sample['megabytes'] for sample in kind['samples']):.0f} |")
    over = sum(kind["is_over"] for kind in results["growth"])
    return "\n".join(lines) + (f"\n\n{over} of {len(results['growth'])} kinds miss a goal: {results['goal_seconds']:g} s for the largest, "
                               f"exponent {results['goal_exponent']:g}.\n")


def drawn_math(results):
    """The tables of the math functions, one for each type."""
    head = f"{results['date']}, {results['processor']}, one thread; code for {results['target']}.\n"
    return head + math_functions.tables(results["math"], results["target"])


def drawn_lines(results):
    """What a run has printed: tables as they are, other lines as text."""
    blocks, is_table = [], None
    for line in (line.rstrip() for line in results["lines"]):
        if not line and is_table is not False:
            continue
        if line.startswith("|") != is_table:
            is_table = line.startswith("|")
            blocks.append((is_table, []))
        blocks[-1][1].append(line)
    texts = ["\n".join(lines) if table_lines else "```text\n" + "\n".join(lines).strip("\n") + "\n```" for table_lines, lines in blocks]
    head = f"{results['date']}, {results['processor']}, load {results['load']:.1f} at the start; `./dev bench {results['command']}`:"
    return "\n\n".join([head, *texts]) + "\n"


def drawn_applications(results):
    code = f"{results['view']} ({results['target']})" if results["target"] else "all of its instructions"
    head = (f"{results['date']}, {results['processor']}, {results['threads']} threads, load {results['load']:.1f} at the start; "
            f"code for {code} on both sides; memory copy {results['copy_bytes_per_second'] / 1e9:.0f} GB/s, "
            f"peak {results['peak_flops'] / 1e9:.0f} GFlop/s of float32.\n\n")
    rows = table.markdown(results, results["view"]).split("\n", 2)[2]
    return head + rows.strip() + "\n\n" + means(results) + "\n"


def drawn(results):
    kinds = {"growth": drawn_growth, "math": drawn_math, "lines": drawn_lines, "rows": drawn_applications}
    return next(draw for key, draw in kinds.items() if key in results)(results)


def draw_page(page, runs):
    def replace(found):
        mark, name, end = found.groups()
        return mark + (drawn(runs[name]) if name in runs else NOT_RECORDED) + end
    return MARKED.sub(replace, page)


def draw_front(text, runs):
    """The front page, with geometric means of recorded runs in its sentences."""
    def replace(found):
        ratios = ratios_of(runs[found[2]], found[3] == "compiling") if found[2] in runs else []
        return found[1] + (f"{statistics.geometric_mean(ratios):.2f}" if ratios else "(not recorded yet)") + found[4]
    return MEANS.sub(replace, text)


def hand_written(page):
    """The rows of tables with figures outside of the marks."""
    return [line for line in MARKED.sub("", page).splitlines() if re.match(r"\|.*\d", line)]


def read_runs():
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(RECORDED.glob("*.json"))}


def keep(name, results, date):
    if not re.fullmatch(r"[\w-]+", name):
        raise Failure(f"'{name}' is no name for a run: letters, digits, - and _")
    RECORDED.mkdir(exist_ok=True)
    text = json.dumps(kept(results, date, processor()), indent=1, sort_keys=True) + "\n"
    (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")


def last_run(run):
    """The data of the last run of this kind, and its date."""
    source = OUT / f"{run}.json"
    if not source.is_file():
        raise Failure("there is no run to record; ./dev bench makes one" + {"results": "", "compile": " with --compile"}.get(run, " with --math"))
    results = json.loads(source.read_text(encoding="utf-8"))
    if run.startswith("math-"):
        results = {"math": results, "target": run.removeprefix("math-")}
    return results, datetime.date.fromtimestamp(source.stat().st_mtime).isoformat()


def kind_of(arguments):
    """The name of the file in which a run of `./dev bench` leaves its data; None for one that only prints."""
    if "--math" in arguments:
        target = arguments[arguments.index("--target") + 1] if "--target" in arguments[:-1] else "host"
        return "math-" + math_functions.short_name(target)
    if "--compile" in arguments:
        return "compile"
    options = [argument for argument in arguments if argument.startswith("--") and argument != "--as"]
    prints_only = ("--auto", "--held-out", "--stencils", "--boundaries", "--boundary-chains", "--mpi", "--bandwidth", "--before", "--hot-loops", "--gpu")
    return None if options and options[0] in prints_only else "results"


def printed(arguments):
    """Runs `./dev bench`, shows what it prints, and returns the lines."""
    lines = []
    with subprocess.Popen([str(ROOT / "dev"), "bench", *arguments], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            sys.stdout.write(line)
            lines.append(line.rstrip("\n"))
    if run.returncode != 0:
        raise Failure(f"./dev bench {' '.join(arguments)} has failed: nothing is recorded")
    return lines


def record(name, arguments):
    """Runs `./dev bench` with the arguments and keeps what it has measured."""
    load, kind = os.getloadavg()[0], kind_of(arguments)
    lines = printed(arguments)
    if kind is None:
        keep(name, {"lines": lines, "command": " ".join(arguments), "load": load}, datetime.date.today().isoformat())
    else:
        keep(name, *last_run(kind))


def main(arguments):
    runs = arguments[2:] == [] or re.fullmatch(r"compile|math-[\w-]+", arguments[2]) and len(arguments) == 3
    if arguments[:1] == ["--record"] and arguments[2:3] == ["--"]:
        record(arguments[1], arguments[3:])
    elif arguments[:1] == ["--record"] and len(arguments) > 1 and runs:
        keep(arguments[1], *last_run((arguments[2:] or ["results"])[0]))
    elif arguments not in (["--draw"], ["--check"]):
        raise Failure("recorded.py takes --record NAME [compile | math-TARGET | -- ARGUMENTS], --draw or --check")
    runs, page, front = read_runs(), PAGE.read_text(encoding="utf-8"), FRONT.read_text(encoding="utf-8")
    now, front_now = draw_page(page, runs), draw_front(front, runs)
    if arguments == ["--check"]:
        if rows := hand_written(page):
            return f"benchmarks: RESULTS.md has figures that no run is recorded for: {rows[0]}"
        is_drawn = (now, front_now) == (page, front)
        return 0 if is_drawn else "benchmarks: RESULTS.md or README.md is not what recorded/ says; ./dev bench --draw"
    PAGE.write_text(now, encoding="utf-8")
    FRONT.write_text(front_now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
