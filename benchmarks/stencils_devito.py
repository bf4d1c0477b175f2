"""`./dev bench --stencils --devito`: many sweeps of the mean of 5, 9, 7, 13 and 27 points, with zeros outside, beside Devito.

Devito writes, compiles and runs C with OpenMP for the same equation over a grid with a halo of zeros; its defaults of
optimization hold (blocked loops, -O3 -march=native -ffast-math). Sides run by turns on as many threads, the least time of each
counts, compilation is left out, and the sums of the results must agree. The last line is the geometric mean of the ratios.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, required=True)
parser.add_argument("--square", type=int, default=8000, help="extent of squares")
parser.add_argument("--cube", type=int, default=400, help="extent of cubes")
parser.add_argument("--steps", type=int, default=100)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--threads", type=int, default=os.cpu_count())
parser.add_argument("--only", type=int, help="one number of points")
options = parser.parse_args()

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")
os.environ["OMP_NUM_THREADS"] = str(options.threads)

import devito  # noqa: E402  (reads the environment)
import numpy  # noqa: E402


def offsets_of(points):
    rank = 2 if points in (5, 9) else 3
    reach = 2 if points == 13 else 1
    span = range(-reach, reach + 1)
    for z in span if rank == 3 else (0,):
        for y in span:
            for x in span:
                if points in (9, 27) or (x != 0) + (y != 0) + (z != 0) <= 1:
                    yield (z, y, x)[3 - rank:]


class Devito:
    def __init__(self, points, size):
        rank = 2 if points in (5, 9) else 3
        self.grid = devito.Grid(shape=(size,) * rank)
        self.u = devito.TimeFunction(name="u", grid=self.grid, time_order=1, space_order=4 if points == 13 else 2)
        dims = self.grid.dimensions
        total = None
        for offset in offsets_of(points):
            at = self.u.subs({d: d + o * d.spacing for d, o in zip(dims, offset)})
            total = at if total is None else total + at
        self.operator = devito.Operator(devito.Eq(self.u.forward, total / points), subs=self.grid.spacing_map)
        count = size**rank
        self.start = (numpy.arange(count, dtype=numpy.float32) % 1021 / 1024).reshape((size,) * rank).astype(numpy.float32)

    def run(self, steps):
        self.u.data[:] = 0
        self.u.data[0] = self.start
        begin = time.perf_counter()
        summary = self.operator.apply(time_m=0, time_M=steps - 1)
        del summary
        return time.perf_counter() - begin

    def sum(self, steps):
        return float(numpy.asarray(self.u.data[steps % 2]).sum(dtype=numpy.float64))


def ours(points, size, rounds):
    program = options.build / "bench_stencils_peer"
    words = [str(program), *map(str, (points, size, options.steps, rounds, options.threads))]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split("\n")
    times = [float(line) for line in lines if line and not line.startswith("sum")]
    return min(times), float(next(line for line in lines if line.startswith("sum")).split()[1])


def main():
    print(f"{options.steps} sweeps, {options.threads} threads, least of {options.rounds} rounds by turns; Devito {devito.__version__}")
    print(f"  {'points':>6} {'grid':>8} {'ours, s':>9} {'Devito, s':>10} {'Gpoints/s':>10} {'theirs':>8} {'times':>6}")
    ratios, agree = [], True
    for points in (5, 9, 7, 13, 27):
        if options.only not in (None, points):
            continue
        rank = 2 if points in (5, 9) else 3
        size = options.square if rank == 2 else options.cube
        peer = Devito(points, size)
        peer.run(1)  # compiles
        mine = theirs = math.inf
        for _ in range(options.rounds):
            theirs = min(theirs, peer.run(options.steps))
            seconds, total = ours(points, size, 1)
            mine = min(mine, seconds)
        expected = peer.sum(options.steps)
        if abs(total - expected) > 1e-4 * abs(expected):
            print(f"  DIFFERENT results: {points} points: sums {total} and {expected}")
            agree = False
        work = size**rank * options.steps * 1e-9
        ratios.append(theirs / mine)
        print(f"  {points:6} {f'{size}^{rank}':>8} {mine:9.3f} {theirs:10.3f} {work / mine:10.2f} {work / theirs:8.2f} {theirs / mine:6.2f}")
    print(f"  geometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f} times as fast")
    return 0 if agree else 1


sys.exit(main())
