#!/usr/bin/env python3
"""Applications on two ranks of one core each beside the same on two threads, and what ranks allocate.

usage: rank_apps.py FOLDER [--size WxH] [--repeat N] [--rounds N]

FOLDER has app_ranks, app_ranks_mpich and app_ranks_openmpi. All run by turns; of each the fastest run of all rounds counts.
The results' bits are compared. Neither side is bound to cores: bound ranks could not move away from other
programs as threads do (wavelet took 1.9 times as long as threads, bound, and 1.2 unbound, where 1.5 other programs ran).
"""
import argparse
import os
import re
import subprocess
import sys

APPS = ["bilateral_grid", "blur", "camera_pipe", "interpolate", "local_laplacian", "resize", "sobel", "transpose", "wavelet"]
WORSE = 1.05  # of the time of threads that ranks may take
STARTERS = {
    "mpich": ["mpirun.mpich", "-n", "2", "-bind-to", "none"],
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "2"],
}


def run(command, threads):
    environment = dict(os.environ, FLUORITE_NUM_THREADS=str(threads), OMPI_MCA_btl="self,vader")
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def result_of(text):
    found = re.search(r"ranks: ([0-9.]+) ms for one \w+, bits (\w+)", text)
    return float(found[1]), found[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--size", default="2048x1536")
    parser.add_argument("--repeat", default="40")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--apps", nargs="*", default=APPS)
    options = parser.parse_args()
    slow, wrong = [], []
    print(f"Two ranks of one core each beside two threads, {options.size}, ms:\n"
          f"{'':18}{'threads':>9}{'MPICH':>9}{'ratio':>7}{'Open MPI':>10}{'ratio':>7}{'added lines':>13}"
          f"{'bytes of parts':>16}{'with halos':>12}")
    for app in options.apps:
        arguments = [app, "--size", options.size, "--repeat", options.repeat]
        threads, ranks = [], {kind: [] for kind in STARTERS}
        for _ in range(options.rounds):
            threads.append(result_of(run([f"{options.folder}/app_ranks", *arguments, "--plain"], 2)))
            for kind, starter in STARTERS.items():
                text = run([*starter, f"{options.folder}/app_ranks_{kind}", *arguments], 1)
                ranks[kind].append(result_of(text))
        lines = re.search(r": (\d+) added lines", text)[1]
        memory = re.findall(r"^ +\d+ +(\d+) +(\d+) +\d+ +\d+$", text, re.MULTILINE)
        most = max(memory, key=lambda each: int(each[1]))
        by_threads = min(time for time, _ in threads)
        by_ranks = {kind: min(time for time, _ in times) for kind, times in ranks.items()}
        ratios = {kind: time / by_threads for kind, time in by_ranks.items()}
        is_same = len({bits for _, bits in threads + ranks["mpich"] + ranks["openmpi"]}) == 1
        print(f"{app:18}{by_threads:9.2f}{by_ranks['mpich']:9.2f}{ratios['mpich']:7.2f}{by_ranks['openmpi']:10.2f}"
              f"{ratios['openmpi']:7.2f}{lines:>13}{most[0]:>16}{most[1]:>12}{'' if is_same else '  DIFFERENT BITS'}", flush=True)
        slow += [f"{app} ({kind})" for kind, ratio in ratios.items() if ratio > WORSE]
        if not is_same:
            wrong.append(app)
    if slow:
        print(f"slower by more than {WORSE - 1:.0%}: {', '.join(slow)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
