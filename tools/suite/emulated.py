"""Runs tests in QEMU's user mode, on a processor that has no other instructions than the one that is named.

ctest lists its tests with their commands, environments and folders (--show-only=json-v1). Programs that the build made
are run under qemu-x86_64. Left out are scripts and runs under mpirun, as the programs that they start would run on the
machine itself, and code that the build made for the machine that built it.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import logs

# QEMU 7.2 translates AVX2 and FMA; it has no AVX-512.
MODELS = {"sse41": "Nehalem", "haswell": "Haswell", "zen3": "EPYC-Milan"}
OF_THE_BUILD = "code_of_the_build"  # a label
NOISE = "qemu-x86_64: warning: TCG doesn't support"  # what a real processor has for systems
SLOWER = 20  # than the machine itself, at most: for time limits


def listed(options, label):
    printed = subprocess.run(["ctest", "--test-dir", options.build, "--show-only=json-v1", "-LE", f"^{label}$",
                              *options.ctest], check=True, text=True, stdout=subprocess.PIPE).stdout
    return json.loads(printed)["tests"]


def properties_of(test):
    return {each["name"]: each["value"] for each in test.get("properties", [])}


def is_ours(test, build):
    command = test.get("command", [""])
    if OF_THE_BUILD in properties_of(test).get("LABELS", []):
        return False
    return pathlib.Path(command[0]).resolve().is_relative_to(build.resolve())


def run_test(test, model, told):
    """Returns a word for the result, and what the program wrote."""
    properties = properties_of(test)
    pairs = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
    limit = properties.get("TIMEOUT", 1500) * SLOWER
    try:
        done = subprocess.run(["qemu-x86_64", "-cpu", model, *test["command"]], text=True, errors="replace", timeout=limit,
                              cwd=properties.get("WORKING_DIRECTORY"), env={**os.environ, **told, **pairs},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as late:
        return "timed out", str(late.stdout)
    lines = [line for line in done.stdout.splitlines(keepends=True) if not line.startswith(NOISE)]
    return ("passed" if done.returncode == 0 else "failed"), "".join(lines)


def run(options, name, told, label):
    """Runs the tests of the build as one processor."""
    result = logs.Run([], [])
    told = {variable: value for variable, value in told.items() if variable != "FLUORITE_HOST"}  # it is that processor
    tests = listed(options, label)
    ours = [test for test in tests if is_ours(test, options.build)]
    for test in tests:
        if test not in ours:
            print(f"left out, as it would not run in QEMU: {test['name']}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(run_test, test, MODELS[name], told): test["name"] for test in ours}
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            word, output = future.result()
            print(f"{number}/{len(ours)} {futures[future]}: {word}", flush=True)
            if word == "passed":
                result.passed += 1
                result.skipped.extend(logs.parts_skipped(futures[future], output))
            else:
                result.failed.append(futures[future])
                sys.stdout.write(output)
    return result
