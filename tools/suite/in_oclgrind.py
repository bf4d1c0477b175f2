"""Runs the tests of kernels on Oclgrind, a simulator of OpenCL devices that reports races and accesses outside of memory.

    in_oclgrind.py PROGRAM [gtest filter]

Each test is a process of its own: Oclgrind 21.10 frees memory twice when a program with several contexts ends, so the
exit code of a test that has passed says nothing. What it reports, and a test that does not pass, fail the run. Left out
are the tests of EXCLUDED, for what Oclgrind lacks.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DRIVERS = ("/usr/lib/oclgrind/liboclgrind-rt-icd.so", "/usr/lib/x86_64-linux-gnu/oclgrind/liboclgrind-rt-icd.so",
           "/usr/lib/aarch64-linux-gnu/oclgrind/liboclgrind-rt-icd.so")
REPORTED = re.compile(r"data race at .*|Invalid (?:read|write) .*|Work-item divergence.*|OCLGRIND FATAL ERROR.*", re.IGNORECASE)
EXCLUDED = {
    # The first read of a compare-and-swap loop is an ordinary one; a value that is torn or old costs one round.
    r"Atomic": "an ordinary read beside atomic updates counts as a race",
    r"LaunchesFromAParallelLoop|KernelsInsideOfParallelLoops": "it runs one kernel at a time",
}


def names_of(program, pattern):
    printed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    names, suite = [], ""
    for line in printed.splitlines():
        name = line.split("#")[0].rstrip()
        if not name.startswith(" "):
            suite = name
        elif not any(re.search(text, suite + name.strip()) for text in EXCLUDED):
            names.append(suite + name.strip())
    return names


def judge(name, text):
    """What is wrong with a test that printed the text, or nothing."""
    found = REPORTED.search(text)
    if found:
        start = text.rfind("\n", 0, found.start()) + 1
        return f"{name}: " + " ".join(line.strip() for line in text[start:].splitlines()[:8])
    if f"[       OK ] {name}" not in text:
        return f"{name}: it did not pass:\n{text[-2000:]}"
    return ""


def run(program, name, folder):
    environment = dict(os.environ, OCL_ICD_VENDORS=f"{folder}/", OCLGRIND_DATA_RACES="1", OCLGRIND_MAX_ERRORS="4",
                       FLUORITE_JIT_TARGET="host-opencl")
    try:
        done = subprocess.run([program, f"--gtest_filter={name}"], env=environment, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    except subprocess.TimeoutExpired:
        return f"{name}: no end within 300 s"
    return judge(name, done.stdout)


def main():
    program, pattern = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "*"
    driver = next((path for path in DRIVERS if pathlib.Path(path).exists()), None)
    if driver is None:
        print("skipped: Oclgrind is not installed (package oclgrind)")
        return 0
    names = names_of(program, pattern)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "oclgrind.icd").write_text(driver + "\n")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [text for text in pool.map(lambda name: run(program, name, folder), names) if text]
    print("\n".join(wrong))
    print(f"{len(names) - len(wrong)} of {len(names)} tests pass in Oclgrind")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.exit(main())
