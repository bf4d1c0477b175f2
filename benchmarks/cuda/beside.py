#!/usr/bin/env python3
"""Builds CUDA written by hand and measures it beside the compiler's kernels; `./dev bench --gpu --by-hand` calls it.

Runs by_hand.cu and bench_gpu with the same options, prints the rows of both, and then a table of the applications that
both have: how many times as long the kernel by hand takes (above 1 the compiler's is faster), and whether the
checksums of the outputs are equal.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def compiled(folder, architecture):
    """The path of the program, built anew."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not pathlib.Path(nvcc).exists():
        sys.exit("no nvcc here: put it into PATH, or build benchmarks/cuda/by_hand.cu where there is one")
    program = folder / "bench_by_hand"
    options = ["-O3", "-std=c++20", "-fmad=false", f"-arch={architecture}", "-I", ROOT]
    subprocess.run([nvcc, *options, HERE / "by_hand.cu", "-o", program], check=True)
    return program


def rows_of(command):
    """What a program prints, which is passed on: (application, millions of elements) -> (least time, checksum)."""
    rows = {}
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) > 3 and cells[2].replace(".", "", 1).isdigit():
                rows[cells[0], cells[1]] = float(cells[2]), cells[-1]
    if process.returncode != 0:
        sys.exit(process.returncode)
    return rows


def table(ours, by_hand):
    lines = ["| application | millions of elements | ours, ms | by hand, ms | by hand / ours | bits |",
             "| --- | ---: | ---: | ---: | ---: | --- |"]
    for key in [key for key in ours if key in by_hand]:
        (time, bits), (hand, hand_bits) = ours[key], by_hand[key]
        ratio = f"{hand / time:.2f}" if time > 0 else ""
        lines.append(f"| {key[0]} | {key[1]} | {time:.3f} | {hand:.3f} | {ratio} | "
                     f"{'equal' if bits == hand_bits else 'DIFFER'} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of the build")
    parser.add_argument("--arch", default="native", help="nvcc's -arch; native by default")
    parser.add_argument("--apps", help="names with commas between them; those of by_hand.cu by default")
    parser.add_argument("--sizes", help="millions of pixels with commas between them")
    parser.add_argument("--seconds", help="for each row")
    options = parser.parse_args()
    by_hand = compiled(options.build, options.arch)
    names = subprocess.run([str(by_hand), "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    shared = []
    for name in ("sizes", "seconds"):
        if getattr(options, name):
            shared += [f"--{name}", getattr(options, name)]
    apps = options.apps or ",".join(name for name in names if name != "copy")
    theirs = rows_of([by_hand, *(["--apps", options.apps] if options.apps else []), *shared])
    ours = rows_of([options.build / "bench_gpu", "--device", "cuda", "--apps", apps, *shared])
    print("\n".join(["", *table(ours, theirs)]))


main()
