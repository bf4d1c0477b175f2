"""The table of a run in text: a line for each value, what is wrong with it below."""

import statistics
import sys

from toolchain import OURS


def show_time(summary, key):
    if summary is None:
        return "-"
    value = summary[key]
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.2f} ms"


def show_ratio(row, key):
    return f"{row[key]:.2f}" if row.get(key) else "-"


def complaints(row):
    """Why the run fails because of a row: failed programs, outputs that differ or were not compared."""
    return ([f"{who} failed: {reason}" for who, reason in row["failures"].items()] +
            [f"output beside {who}: {verdict['text']}" for who, verdict in row["verdicts"].items() if not verdict["ok"]])


def show_output(row):
    """The verdicts in one line: how ours relates to the other side, then both sides to the reference."""
    beside = [verdict["text"] for who, verdict in row["verdicts"].items() if not who.startswith("reference, ")]
    exact = {who.split(", ")[1]: verdict["text"] for who, verdict in reversed(row["verdicts"].items())
             if who.startswith("reference, ")}
    if not row["verdicts"]:
        return "-"
    texts = list(dict.fromkeys(text.split(" (")[0] for text in beside))
    return "; ".join(texts + [f"{side} to reference {text.split(' (')[0]}" for side, text in sorted(exact.items())])


def print_head(threads, view, load, copy, peak, against):
    print(f"{view}")
    print(f"threads {threads}, load {load:.1f}, memory copy {copy / 1e9:.1f} GB/s (256 MiB, reads and writes), "
          f"peak {peak / 1e9:.0f} GFlop/s (float32)")
    print(f"{'':<24}{'ours':>11}{'median':>11}{against:>11}{'median':>11}{'same':>8}{'best':>8}{'of copy':>9}{'GFlop/s':>9}"
          f"{'of peak':>9}{'MB':>11}  output")


def print_row(row, against, copy, peak):
    of_copy = flops = of_peak = "-"
    if row.get("bytes") and row[OURS]:
        of_copy = f"{100 * row['bytes'] / row[OURS]['min'] / copy:.0f}%"
    if row.get("flops") and row[OURS]:
        speed = row["flops"] / row[OURS]["min"]
        flops, of_peak = f"{speed / 1e9:.1f}", f"{100 * speed / peak:.0f}%"
    memory = [f"{value / 1e6:.0f}" if value else "-" for value in row["memory"].values()]
    cells = [show_time(row.get(side), key) for side in (OURS, against) for key in ("min", "median")]
    print(f"{row['name']:<24}" + "".join(f"{cell:>11}" for cell in cells) +
          f"{show_ratio(row, 'same'):>8}{show_ratio(row, 'best'):>8}{of_copy:>9}{flops:>9}{of_peak:>9}"
          f"{'/'.join(memory):>11}  {show_output(row)}")
    for complaint in complaints(row):
        print(f"    {complaint}")
    sys.stdout.flush()


def print_foot(rows, against):
    print(f"same: {against}/ours of the best times with one schedule on both sides, best: with each side's fastest; above 1 we "
          "are faster; of copy: our bytes per second against the memory copy; of peak: GFlop/s against those of vectors in "
          "registers; MB: peak memory of the process, ours/other")
    for what, chosen in (("running", [row for row in rows if not row["name"].endswith(".compile")]),
                         ("compiling", [row for row in rows if row["name"].endswith(".compile")])):
        for key in ("same", "best"):
            ratios = [row[key] for row in chosen if row.get(key)]
            if len(ratios) > 1:
                print(f"{what}: geometric mean of the ratios, {key} schedule{'s' if key == 'best' else ''}: "
                      f"{statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")
    wrong = [row["name"] for row in rows if complaints(row)]
    print(f"FAILED: {', '.join(wrong)}" if wrong else "every output was compared and agrees")


def markdown(results, view):
    """The applications as a table for RESULTS.md: what was run and what compiling it took share a line."""
    rows, against, peak = results["rows"], results["against"], results["peak_flops"]
    compiling = {row["name"].removesuffix(".compile"): row for row in rows if row["name"].endswith(".compile")}
    lines = [f"Both sides {view}, {results['threads']} threads:", "",
             f"| application | ours | {against} | same | best | best of medians | compile, ours | {against} | ratio | MB ours/{against} | "
             "GFlop/s (of peak) | output |", "| --- |" + " ---: |" * 10 + " --- |"]
    for row in rows:
        compile_row = compiling.get(row["name"])
        if not compile_row:
            continue
        speed = row["flops"] / row[OURS]["min"] if row.get("flops") and row[OURS] else None
        memory = "/".join(f"{value / 1e6:.0f}" if value else "-" for value in row["memory"].values())
        cells = [row["name"], show_time(row[OURS], "min"), show_time(row.get(against), "min"), show_ratio(row, "same"),
                 show_ratio(row, "best"), show_ratio(row, "best_of_medians"), show_time(compile_row[OURS], "min"),
                 show_time(compile_row.get(against), "min"), show_ratio(compile_row, "best"), memory,
                 f"{speed / 1e9:.0f} ({100 * speed / peak:.0f} %)" if speed else "-", show_output(row)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
