#!/usr/bin/env python3
"""Kills ranks of a time loop at random moments, and continues on other numbers of ranks: kills.py RUN TRIALS MPIRUN OPTIONS...

RUN is the test program of ranks.cpp. In each trial a loop with checkpoints is started; one of its ranks kills itself (SIGKILL) after
a random time, and the others end with it. Then the loop is started again until it comes to its end, sometimes with another death
on the way. Its result has to be that of plain loops, bit for bit: the program compares. Prints how many runs were killed.
"""

import pathlib
import random
import subprocess
import sys
import tempfile


def start(command, ranks, file, milliseconds):
    """Whether all ranks compared their results, and what they printed."""
    done = subprocess.run([*command[1:], "-n", str(ranks), command[0], "loop", str(file), *map(str, milliseconds)],
                          capture_output=True, text=True, timeout=100)
    return done.returncode == 0 and done.stdout.count("has compared") == ranks, done.stdout + done.stderr


def main():
    program, trials, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    random.seed(trials)
    killed = 0
    with tempfile.TemporaryDirectory() as folder:
        for trial in range(trials):
            file = pathlib.Path(folder) / f"state{trial}"
            for _ in range(random.randint(1, 2)):
                ranks = random.randint(1, 4)
                times = [-1] * (ranks + 1)
                times[random.randrange(ranks)] = random.randint(0, 250)
                ended, _ = start([program, *command], ranks, file, times)
                killed += not ended
            ranks = random.randint(1, 4)
            ended, text = start([program, *command], ranks, file, [-1])
            if not ended or "FAILED" in text:
                print(f"trial {trial}: continued on {ranks} ranks:\n{text}")
                return 1
    print(f"{killed} runs were killed in {trials} trials; all continued with equal bits")
    return 0 if killed >= trials // 3 else 1


if __name__ == "__main__":
    sys.exit(main())
