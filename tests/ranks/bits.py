#!/usr/bin/env python3
"""Compares programs on many numbers of ranks with one rank, bit for bit: bits.py BUILD [options]

BUILD has test_objects_mpich and test_objects_openmpi: the nine applications, heat in a cube, the gas and others (tests/ranks/objects),
each compiled once, to one object. Each run is a number of ranks of one library. What images hold beyond a rank's part, and all other
memory, is filled with a pattern before. The grids are chosen for the number: in two dimensions, of the simulations in three.
"""

import argparse
import os
import re
import subprocess
import sys
import time

STARTERS = {
    "mpich": ["mpirun.mpich"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"],
}


def numbers_of(text):
    """1-3,8: 1, 2, 3 and 8."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--counts", type=numbers_of, default=numbers_of("1-17,31,64"), help="numbers of ranks (1-17,31,64)")
    parser.add_argument("--libraries", nargs="*", default=list(STARTERS), choices=list(STARTERS))
    parser.add_argument("--program", help="this one only")
    options = parser.parse_args()
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl="self,vader")
    wrong = 0
    for library in options.libraries:
        for count in options.counts:
            command = [*STARTERS[library], "-n", str(count), f"{options.build}/test_objects_{library}",
                       f"{options.build}/rank_objects", *([options.program] if options.program else [])]
            begin = time.monotonic()
            try:
                done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
                text, code = done.stdout + done.stderr, done.returncode
            except subprocess.TimeoutExpired as late:
                text, code = f"{late.stdout}: no end within 600 s", 1
            programs = re.findall(r"^(\d+) programs, 0 failures", text, re.MULTILINE)
            is_right = code == 0 and len(programs) == count
            wrong += not is_right
            print(f"{library}, {count} ranks: {programs[0] + ' programs have the bits of one rank' if is_right else text}"
                  f" ({time.monotonic() - begin:.0f} s)", flush=True)
    print(f"{wrong} of {len(options.libraries) * len(options.counts)} runs failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
