#!/usr/bin/env python3
"""Figures that are kept: runs of `./dev bench` as data, and the tables of RESULTS.md that are drawn from them.

`./dev bench --record NAME`   keeps the run in build/bench/results.json as recorded/NAME.json: the least and the median time
                              of each side, verdicts, memory, with date, processor and load; then draws
`./dev bench --record NAME compile`   keeps the sweep of `./dev bench --compile` in build/bench/compile.json in the same way
`./dev bench --draw`          draws each table of RESULTS.md anew, between `<!-- recorded NAME -->` and `<!-- end -->`

A table is never written by hand; `--check` changes nothing and ends with 1 if the page is not what the data says.
"""

import datetime
import json
import pathlib
import re
import statistics
import sys

import table
from toolchain import HERE, OUT, Failure

RECORDED, PAGE = HERE / "recorded", HERE / "RESULTS.md"
MARKED = re.compile(r"(<!-- recorded ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


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


def kept(results, date, on):
    """What is kept of a run: its applications, and what it took to compile them; of a sweep of compile times, all but passes."""
    if "growth" in results:
        kinds = [kind | {"samples": [{key: value for key, value in sample.items() if key != "steps"} for sample in kind["samples"]]}
                 for kind in results["growth"]]
        return results | {"date": date, "processor": on, "growth": kinds}
    compiled = {row["name"].removesuffix(".compile") for row in results["rows"] if row["name"].endswith(".compile")}
    rows = [row for row in results["rows"] if row["name"].removesuffix(".compile") in compiled]
    return without_single_times(results | {"date": date, "processor": on, "rows": rows})


def means(results):
    """A sentence for the running times and one for compiling."""
    sentences = []
    for what, is_compile in (("Running", False), ("Compiling", True)):
        ratios = [row["best"] for row in results["rows"] if row.get("best") and row["name"].endswith(".compile") == is_compile]
        if ratios:
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


def drawn(results):
    if "growth" in results:
        return drawn_growth(results)
    code = f"{results['view']} ({results['target']})" if results["target"] else "all of its instructions"
    head = (f"{results['date']}, {results['processor']}, {results['threads']} threads, load {results['load']:.1f} at the start; "
            f"code for {code} on both sides; memory copy {results['copy_bytes_per_second'] / 1e9:.0f} GB/s, "
            f"peak {results['peak_flops'] / 1e9:.0f} GFlop/s of float32.\n\n")
    rows = table.markdown(results, results["view"]).split("\n", 2)[2]
    return head + rows.strip() + "\n\n" + means(results) + "\n"


def draw_page(page, runs):
    def replace(found):
        name = found[2]
        if name not in runs:
            raise Failure(f"RESULTS.md asks for {name}, and recorded/{name}.json is not there")
        return found[1] + drawn(runs[name]) + found[3]
    return MARKED.sub(replace, page)


def read_runs():
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(RECORDED.glob("*.json"))}


def record(name, run):
    if not re.fullmatch(r"[\w-]+", name):
        raise Failure(f"'{name}' is no name for a run: letters, digits, - and _")
    source = OUT / f"{run}.json"
    if not source.is_file():
        raise Failure("there is no run to record; ./dev bench makes one" + (" with --compile" if run == "compile" else ""))
    results = json.loads(source.read_text(encoding="utf-8"))
    date = datetime.date.fromtimestamp(source.stat().st_mtime).isoformat()
    RECORDED.mkdir(exist_ok=True)
    text = json.dumps(kept(results, date, processor()), indent=1, sort_keys=True) + "\n"
    (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")


def main(arguments):
    if arguments[:1] == ["--record"] and arguments[2:] in ([], ["compile"]):
        record(arguments[1], "compile" if arguments[2:] else "results")
    elif arguments not in (["--draw"], ["--check"]):
        raise Failure("recorded.py takes --record NAME [compile], --draw or --check")
    page = PAGE.read_text(encoding="utf-8")
    now = draw_page(page, read_runs())
    if arguments == ["--check"]:
        return 0 if now == page else "benchmarks: RESULTS.md is not what recorded/ says; ./dev bench --draw"
    PAGE.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
