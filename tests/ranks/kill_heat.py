#!/usr/bin/env python3
"""Kills ranks of a 3-D heat run with checkpoints at random moments: kill_heat.py BUILD [options]

BUILD has app_ranks_mpich and app_ranks_openmpi. A trial starts the run on a random number of ranks, each time with its
number of steps for each exchange; a random rank gets SIGKILL at a random moment of the run, wherever it is: compiling,
exchanging, or writing a checkpoint. The others have to end by themselves. Then the run is started again, on another
number of ranks, up to twice with another death; the last one ends, and its bits have to be those of a run without
checkpoints on one rank. Prints how many runs died, at which steps runs continued, and how long the others took to end.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

STARTERS = {
    "mpich": ["mpirun.mpich"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"],
}
LIMIT = 600  # seconds for a run: the machine may be busy


def children_of(parent, name):
    """Processes of this name below another one."""
    parents, names = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            head, tail = path.read_text().rsplit(")", 1)
        except OSError:  # it has ended
            continue
        number = int(path.parent.name)
        parents[number], names[number] = int(tail.split()[1]), head.split("(", 1)[1]

    def is_below(number):
        while number in parents:
            number = parents[number]
            if number == parent:
                return True
        return False

    return [number for number in parents if names[number] == name[:15] and is_below(number)]


class Trials:
    def __init__(self, options):
        self.options, self.seconds = options, {}
        self.environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl="self,vader",
                                FLUORITE_NUM_THREADS="1")
        self.killed, self.longest, self.continued = 0, 0.0, set()

    def command(self, library, ranks, file, exchange):
        program = f"{self.options.build}/app_ranks_{library}"
        return [*STARTERS[library], "-n", str(ranks), program, "heat", "--size", self.options.size, "--steps",
                str(self.options.steps), "--exchange", str(exchange),
                *(["--checkpoint", str(file), "--every", str(self.options.every)] if file else [])]

    def run(self, library, ranks, file, exchange, kill_after=None):
        """The result's bits; none if the run was killed."""
        begin = time.monotonic()
        process = subprocess.Popen(self.command(library, ranks, file, exchange), env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if kill_after is not None:
            time.sleep(kill_after)
            alive = children_of(process.pid, f"app_ranks_{library}")
            if alive and process.poll() is None:
                os.kill(random.choice(alive), signal.SIGKILL)
        death = time.monotonic()
        try:
            text, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise SystemExit(f"a run on {ranks} ranks of {library} does not end")
        found = re.search(r"bits (\w+)", text)
        if found and process.returncode == 0:
            self.seconds[library] = time.monotonic() - begin
            return found[1]
        if kill_after is None:
            raise SystemExit(f"a run on {ranks} ranks of {library} failed:\n{text}")
        self.killed += 1
        self.longest = max(self.longest, time.monotonic() - death)
        return None

    def trial(self, number, folder, right):
        library = self.options.libraries[number % len(self.options.libraries)]
        file = pathlib.Path(folder) / f"state{number}"
        for _ in range(random.randint(1, 2)):
            usual = self.seconds.get(library, 2)
            bits = self.run(library, random.randint(1, 6), file, random.choice([1, 3, 4]), random.uniform(0.1, usual))
            if file.exists():
                self.continued.add(int(re.search(rb"step (\d+)", file.read_bytes()[:4096])[1]))
            if bits not in (None, right):
                raise SystemExit(f"trial {number}: other bits: {bits}")
        bits = self.run(library, random.randint(1, 6), file, random.choice([1, 3, 4]))
        if bits != right:
            raise SystemExit(f"trial {number}: continued with other bits: {bits}")
        file.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=100, help="of kills")
    parser.add_argument("--size", default="40x36x44")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--every", type=int, default=4, help="steps between two checkpoints")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--libraries", nargs="*", default=list(STARTERS), choices=list(STARTERS))
    options = parser.parse_args()
    random.seed(options.seed)
    trials = Trials(options)
    right = trials.run(options.libraries[0], 1, None, 1)
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        for library in options.libraries:
            trials.run(library, 2, pathlib.Path(folder) / f"whole_{library}", 1)  # how long it takes
        while trials.killed < options.count:
            trials.trial(number, folder, right)
            number += 1
            if number % 10 == 0:
                print(f"{number} trials, {trials.killed} kills", flush=True)
    steps = sorted(trials.continued)
    print(f"{trials.killed} runs were killed in {number} trials; all continued to equal bits, from {len(steps)} different "
          f"steps between {steps[0]} and {steps[-1]}; after a death, the others ended within {trials.longest:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
