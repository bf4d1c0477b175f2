#!/usr/bin/env python3
"""Every application writes the same picture under an automatic schedule as under its own.

usage: automatic_schedules.py APPLICATION...

The pictures have odd sizes. Each pair of runs is in a folder of its own. Exit code: 0 where all pictures are equal.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

SIZE = "147x131"  # the least that pyramids of eight levels take, and not a multiple of a vector
SHORTER = {"app_stencils": ["--runs", "2", "--steps", "5"], "app_level_set": ["--steps", "3"], "app_heat3d": ["--runs", "2"],
           "app_jacobi": ["--runs", "2"], "app_multigrid": ["--runs", "2", "--levels", "3"]}


def picture(program, folder, schedule):
    path = pathlib.Path(folder) / f"{schedule}.png"
    command = [program, "--size", SIZE, "--output", path, "--schedule", schedule, *SHORTER.get(pathlib.Path(program).name, [])]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return (path.read_bytes(), "") if run.returncode == 0 and path.is_file() else (None, f"--schedule {schedule}: {run.stderr.strip()}")


def complaint(program):
    with tempfile.TemporaryDirectory() as folder:
        by_hand, problem = picture(program, folder, "hand")
        found, another = picture(program, folder, "auto")
    return problem or another or ("" if by_hand == found else "another picture than by hand")


def main(programs):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        complaints = [f"{pathlib.Path(program).name}: {text}" for program, text in zip(programs, pool.map(complaint, programs)) if text]
    print("\n".join([*complaints, f"{len(programs)} applications, {len(complaints)} failures"]))
    return 1 if complaints or not programs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
