#!/usr/bin/env python3
"""Measures the math functions beside the peer, glibc's vector library and SLEEF; `./dev bench --math` calls it.

Each row is a function of a type in vectors of a width, for 65,536 arguments in the second cache, by processor time. All
sides are processes that take turns; the least of the repetitions counts. Errors are the greatest ones, in units in the
last place, against the C library's long double. The ratio compares ours with the fastest of the others that is as exact:
whose error is at most 0.1 units above ours. Above 1 ours is faster.
"""

import argparse
import json
import os
import pathlib
import sys

from case import Case
from toolchain import HERE, OUT, OURS, PEER, ROOT, Failure, compile_program, compiler, run_or_fail, toolchain

MVEC, SLEEF = "libmvec", "SLEEF"
SLACK = 0.1  # units by which an other one's error may exceed ours
# Compiler flags for the libraries' side, and names of features, of the targets that have short names.
FLAGS = {"sse41": ["-msse4.1"], "avx2-fma": ["-mavx2", "-mfma"],
         "avx512": ["-mavx512f", "-mavx512vl", "-mavx512dq", "-mavx512bw", "-mfma"]}
# The same target in the words of both.
FEATURES = {"sse41": "x86-64-linux-sse41", "avx2-fma": "x86-64-linux-avx-avx2-f16c-fma-sse41",
            "avx512": "x86-64-linux-avx-avx2-avx512-avx512_skylake-f16c-fma-sse41"}
WIDTHS = {"f16": [1, 4, 8, 16], "bf16": [1, 4, 8, 16], "f32": [1, 4, 8, 16], "f64": [1, 2, 4, 8]}


def short_name(target):
    """sse41 of x86-64-linux-sse41."""
    if target == "host":
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
        return "avx512" if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= set(flags) else "avx2-fma"
    name = target.removeprefix("x86-64-linux-")
    if name not in FLAGS:
        raise Failure(f"--target takes one of {', '.join(FLAGS)}, x86-64-linux- before it or not, or host; not {target}")
    return name


def compile_libraries(target):
    """The program of the two libraries."""
    program = OUT / f"math-libraries-{target}"
    source = HERE / "math/libraries.cpp"
    run_or_fail(compiler("c++")[-1:] + ["-std=c++20", "-O2", *FLAGS[target], f"-I{ROOT}", str(source), "-o", str(program),
                                        "-lmvec", "-lsleef", "-lm"], f"compiling {source} (package libsleef-dev)")
    return program


def start(sides, target, options):
    """A process for each side and type."""
    os.environ |= {"FLUORITE_JIT_TARGET": FEATURES[target], "HL_JIT_TARGET": FEATURES[target]}
    cases = {}
    for kind in options.types:
        for side, (program, first) in sides.items():
            if kind in ("f16", "bf16") and side in (MVEC, SLEEF):
                continue
            arguments = first + ["--types", kind, "--lanes", ",".join(map(str, WIDTHS[kind]))]
            arguments += ["--functions", options.functions] if options.functions else []
            cases[side, kind] = Case(program, 1, 600, arguments)
    return cases


def take_turns(cases, repetitions):
    for repetition in range(repetitions + 1):
        players = list(cases.values())
        for case in players[:: 1 if repetition % 2 else -1]:
            case.repeat(keep=repetition > 0)
    for (side, kind), case in cases.items():
        case.close()
        if case.failure:
            print(f"{side}, {kind}: {case.failure}", file=sys.stderr)


def collect(cases):
    """Rows by name: for each side its time and error."""
    rows = {}
    for (side, _), case in cases.items():
        for name, times in case.values.items():
            if not name.endswith(".ulp"):
                rows.setdefault(name, {})[side] = {"ns": min(times), "ulp": case.values[name + ".ulp"][0]}
    for row in rows.values():
        ours = row.get(OURS)
        others = [side for side in row if side != OURS and ours and row[side]["ulp"] <= ours["ulp"] + SLACK]
        best = min(others, key=lambda side: row[side]["ns"], default=None)
        row["ratio"] = row[best]["ns"] / ours["ns"] if best else None
        row["beside_peer"] = row[PEER]["ns"] / ours["ns"] if ours and PEER in row else None
    return rows


def cell(row, side):
    return f"{row[side]['ns']:.3g} ({row[side]['ulp']:.2f})" if side in row else "-"


def ratio(value):
    return "-" if value is None else f"**{value:.2f}**" if value < 1 else f"{value:.2f}"


def tables(rows, target):
    """A table for each type in text: the register's width in full, and the ratios of all widths."""
    bits = {"sse41": 128, "avx2-fma": 256, "avx512": 512}[target]
    lines = []
    for kind in (kind for kind in WIDTHS if any(f".{kind}." in name for name in rows)):
        size = {"f64": 64, "f32": 32}.get(kind, 32)
        widths = WIDTHS[kind]
        full = max(width for width in widths if width * size <= bits)
        lines.append(f"\n{kind} as {target}: ns a value (greatest error in ulp), in vectors of {full}\n")
        others = [PEER] + ([MVEC, SLEEF] if kind in ("f32", "f64") else [])
        lines.append("| function | ours | " + " | ".join(others) + " | ours beside the peer | "
                     "beside the fastest as exact, in vectors of " + ", ".join(map(str, widths)) + " |")
        lines.append("|---" * (len(others) + 4) + "|")
        for name in dict.fromkeys(name.rsplit(".", 2)[0] for name in rows if f".{kind}." in name):
            row = rows[f"{name}.{kind}.{full}"]
            ratios = ", ".join(ratio(rows.get(f"{name}.{kind}.{width}", {}).get("ratio")) for width in widths)
            lines.append(f"| {name} | " + " | ".join(cell(row, side) for side in [OURS] + others) +
                         f" | {ratio(row['beside_peer'])} | {ratios} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--target", default="host", help="sse41, avx2-fma, avx512 or host; x86-64-linux- may come before it")
    parser.add_argument("--types", default="f16,bf16,f32,f64", help="some of f16, bf16, f32, f64")
    parser.add_argument("--functions", default="", help="names of rows: exp,log; all without it")
    parser.add_argument("--repetitions", type=int, default=12)
    parser.add_argument("--only-ours", action="store_true", help="without the others")
    options = parser.parse_args()
    options.types = options.types.split(",")
    try:
        target = short_name(options.target)
        OUT.mkdir(parents=True, exist_ok=True)
        sides = {}
        for side in [OURS] if options.only_ours else [OURS, PEER]:
            flags = toolchain(side, options.build)
            sides[side] = compile_program(OUT / f"math-{side}", HERE / "math/pipelines.cpp", flags, ROOT), []
        if not options.only_ours:
            libraries = compile_libraries(target)
            sides |= {MVEC: (libraries, ["mvec"]), SLEEF: (libraries, ["sleef"])}
        cases = start(sides, target, options)
        take_turns(cases, options.repetitions)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    rows = collect(cases)
    (OUT / f"math-{target}.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    print(tables(rows, target), end="")
    return 1 if any(case.failure for case in cases.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
