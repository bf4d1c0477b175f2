#!/usr/bin/env python3
"""./dev test: runs the tests of a build, on this machine or as other processors, and says what was skipped and why.

usage: suite.py --build FOLDER [--as NAMES|all] [--threads COUNTS] [--emulate] [--back-end NAME] [--jobs N]
                [ctest arguments]

--as runs the tests once for each processor of a list, such as haswell,zen3, for which the programs then take this
machine (FLUORITE_HOST; docs/environment.md); --threads for each number of threads of a list, such as 1,2,8. A processor
whose instructions this machine lacks is left out, and the summary says so. With --emulate, the programs run in QEMU, on
a processor that has no other instructions than the one that is named, whatever this machine is; that takes some ten
times as long, and leaves out what is not a program of ours: scripts, and runs under mpirun. --back-end runs the tests
with another back end for what runs in the process, executor or c (FLUORITE_BACK_END). Without these options, the
tests run once, and those that depend on the processor also as others (cmake/FluoriteViews.cmake).

Exits with 1 if a test fails.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import emulated
import logs

# Of glibc's functions there are faster variants for newer processors, whose last bits may differ.
OLDER_LIBRARY = {"sse41": "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-FMA,-FMA4"}
WHOLE = str(1 << 30)  # bytes of an output, which tells of parts that are skipped
LABEL = "views"  # of the tests that run as other processors anyway


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0], allow_abbrev=False)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--as", dest="views", default="", metavar="NAMES")
    parser.add_argument("--threads", default="", metavar="COUNTS")
    parser.add_argument("--emulate", action="store_true")
    parser.add_argument("--back-end", choices=["llvm", "executor", "c"])
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count())
    options, rest = parser.parse_known_args(words)
    if options.emulate and not options.views:
        parser.error("--emulate needs --as: it emulates the processors that are named")
    options.ctest = rest
    return options


def processors(build):
    """The names of processors, and what this machine lacks for each; nothing if it is one of them."""
    printed = subprocess.run([build / "fluorite_probe", "--processors"], check=True, text=True, stdout=subprocess.PIPE,
                             env={**os.environ, "FLUORITE_HOST": ""}).stdout
    return {name: lacks for name, _, lacks in (line.partition(" ") for line in printed.splitlines())}


def names_of(text, known):
    names = list(known) if text == "all" else [name for name in text.split(",") if name]
    for name in names:
        if name not in known:
            sys.exit(f"./dev test --as: there is no processor '{name}'; use all, or some of {','.join(known)}")
    return names


def counts_of(text):
    counts = [word for word in text.split(",") if word]
    for word in counts:
        if not word.isdigit() or not 1 <= int(word) <= 256:
            sys.exit(f"./dev test --threads: '{word}' is no number of threads; use numbers from 1 to 256, such as 1,2,8")
    return counts or [""]


def environment(name, count, back_end):
    """What programs are told of the processor, the threads and the back end."""
    told = {"FLUORITE_HOST": name, "FLUORITE_NUM_THREADS": count, "FLUORITE_BACK_END": back_end or "",
            "GLIBC_TUNABLES": OLDER_LIBRARY.get(name, "")}
    return {variable: value for variable, value in told.items() if value}


def run_ctest(options, name, count):
    results = options.build.resolve() / "Testing" / "results.xml"
    results.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", options.build, "-j", str(options.jobs), "--output-on-failure", "--no-tests=error"]
    command += ["--output-junit", results, "--test-output-size-passed", WHOLE, "--test-output-size-failed", WHOLE]
    command += ["-LE", f"^{LABEL}$"] * bool(name or count or options.back_end) + options.ctest
    code = subprocess.run(command, env={**os.environ, **environment(name, count, options.back_end)}, check=False).returncode
    run = logs.read(results.read_text(encoding="utf-8")) if results.is_file() else logs.Run([], [])
    if code != 0 and not run.failed:
        run.failed.append(f"ctest itself, with exit code {code}")
    return run


def title_of(name, count, options):
    how = " (emulated)" if options.emulate else ""
    where = f"as {name}{how}" if name else "on this machine"
    return where + (f", {count} threads" if count else "") + (f", with {options.back_end}" if options.back_end else "")


def print_summary(runs, left_out):
    print("\nSummary")
    for title, run in runs:
        print(f"  {title}: {run.passed} passed, {len(run.failed)} failed, {len(run.skipped)} skipped")
        for name in run.failed:
            print(f"    failed: {name}")
        for skip in run.skipped:
            kind = "for hardware" if skip.is_for_hardware else "NOT for hardware"
            print(f"    skipped {kind}: {skip.name}: {skip.reason}")
    for text in left_out:
        print(f"  skipped for hardware: {text}")
    sys.stdout.flush()


def main(words):
    options = arguments(words)
    runs, left_out = [], []
    names, lacking = [""], {}
    if options.views:
        lacking = processors(options.build)
        names = names_of(options.views, lacking)
    for name in names:
        if options.emulate and name not in emulated.MODELS:
            left_out.append(f"as {name}: QEMU does not emulate its instructions")
            continue
        if not options.emulate and lacking.get(name):
            left_out.append(f"as {name}: this machine has no {lacking[name]}" +
                            ("; --emulate runs it" if name in emulated.MODELS else ""))
            continue
        for count in counts_of(options.threads):
            title = title_of(name, count, options)
            print(f"==> the tests {title}", flush=True)
            told = environment(name, count, options.back_end)
            run = emulated.run(options, name, told, LABEL) if options.emulate else run_ctest(options, name, count)
            runs.append((title, run))
    print_summary(runs, left_out)
    return 1 if any(run.failed for _, run in runs) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
