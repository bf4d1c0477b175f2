#!/usr/bin/env python3
"""./dev mutate: changes the compiler in many small ways, one at a time, and sees that a test fails each time.

The changes (mutants) are drawn by a seed from all places of the sources that an operator of places.py fits: negated conditions,
checks left out, < for <=, + for -, min for max, statements dropped, constants off by one, passes and directives that do nothing.
Each pass and each directive gets its share. All mutants are compiled at once into a copy of the tree, each asleep until the
environment names it, so one build serves all; then each is judged by the tests that reach it (runner.py).

Survivors that change nothing that a test could see stand in survivors.txt with a reason. What else survives is a missing test.
Results: build/mutate/results.json, and a table. Exit code: 0 where `--least` percent are killed or explained.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import hashlib
import itertools
import json
import pathlib
import re
import sys
import time

import places
import runner
import scratch

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutate"
EXPLAINED = pathlib.Path(__file__).parent / "survivors.txt"

# Folder, minimum number of mutants per file, weight of a line in the draw of the others. The simplifier's rules are proved data.
STRATA = [("src/lowering", 2, 3), ("src/loopnest", 2, 3), ("src/schedule/directives", 2, 4), ("src/schedule", 1, 2), ("src/analysis", 2, 3), ("src/rewrite", 1, 1),
          ("src/backends/llvm", 1, 1), ("src/language", 0, 1), ("src/driver", 0, 1), ("src/interpret", 0, 1), ("src/autoschedule", 0, 1),
          ("src/ranks", 0, 1), ("src/distributed", 0, 1), ("src/verify", 0, 1), ("runtime", 0, 1)]
NOT_BUILT = ("runtime/mpi/", "src/ranks/transport/mpi_transport.cpp")  # need an MPI library, whose tests run on ranks
TESTS = ["fluorite_runtime_tests", "fluorite_runtime_device_tests", "fluorite_ir_tests", "fluorite_ranks_tests", "fluorite_rewrite_tests", "fluorite_analysis_tests",
         "fluorite_schedule_tests", "fluorite_loopnest_tests", "fluorite_language_tests", "fluorite_interpret_tests", "fluorite_lowering_tests", "fluorite_autoschedule_tests",
         "fluorite_verify_tests", "fluorite_backends_llvm_tests", "fluorite_driver_tests", "test_schedule", "test_codegen", "test_interpret",
         "test_reductions", "test_misuse", "test_compat", "test_iterate", "test_autoschedule", "test_buffer", "test_backends", "test_verify",
         "test_libfuzzer"]
# The tests that run in checked code, which compiles in a quarter of the time and detects more.
CHECKED = {"test_schedule", "test_interpret", "test_reductions", "test_compat"}


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def stratum_of(name):
    return next((s for s in STRATA if name.startswith(s[0] + "/")), None)


def sources():
    """(file, text, least, weight) of every source that is mutated."""
    for path in sorted([*ROOT.glob("src/**/*.cpp"), *ROOT.glob("runtime/**/*.cpp")]):
        name = str(path.relative_to(ROOT))
        stratum = stratum_of(name)
        if stratum and not name.endswith("_test.cpp") and not name.startswith(NOT_BUILT):
            yield name, path.read_text(), stratum[1], stratum[2]


@functools.cache
def never_return():
    """The names of functions that are declared [[noreturn]]: if one of them returned, it would not be a program."""
    texts = (path.read_text() for pattern in ("src/**/*.h", "src/**/*.cpp", "runtime/**/*.h", "runtime/**/*.cpp") for path in ROOT.glob(pattern))
    return {name for text in texts for name in re.findall(r"\[\[noreturn\]\]\s+(?:static |inline )*void (\w+)\(", text)}


@functools.cache
def all_of(name, text):
    called = lambda mutant: re.search(r"(\w+)\(", mutant.original)[1]
    return tuple(m for m in places.mutants_of(name, text) if not (m.operator == "nothing" and called(m) in never_return()))


def order_of(seed, *what):
    """A random number that depends only on its arguments, so that edits elsewhere do not change a draw."""
    return hashlib.sha256("\0".join([str(seed), *what]).encode()).digest()


def picks(seed, name, text):
    """The mutants of a file in drawing order, without overlaps. Operators alternate, so that frequent ones do not crowd out
    the others."""
    found = collections.defaultdict(list)
    for mutant in sorted(all_of(name, text), key=lambda m: order_of(seed, m.key(), str(m.line))):
        found[mutant.operator].append(mutant)
    turns = sorted(found, key=lambda o: order_of(seed, pathlib.Path(name).name, o))
    taken = []
    for mutant in (m for row in itertools.zip_longest(*(found[o] for o in turns)) for m in row if m):
        if not any(mutant.begin < end and begin < mutant.end or mutant.begin == begin for begin, end in taken):
            taken.append((mutant.begin, mutant.end))
            yield mutant


def draw_by_folder(seed, each, files=("src/", "runtime/")):
    """So many mutants of each folder, each of its mutants as likely as any other: for figures that are compared by folder."""
    found = collections.defaultdict(list)
    for name, text, *_ in sources():
        if name.startswith(files):
            found[stratum_of(name)[0]] += [(order_of(seed, name, m.key(), str(m.line)), m) for m in picks(seed, name, text)]
    chosen = [one for folder in found.values() for one in sorted(folder, key=lambda o: o[0])[:each]]
    return numbered([dataclasses.replace(mutant) for _, mutant in sorted(chosen, key=lambda o: o[0])])


def numbered(mutants):
    for number, mutant in enumerate(mutants):
        mutant.id = number
    return mutants


def draw(seed, count, files=("src/", "runtime/")):
    """The mutants: the minimum number for each file, then by weight."""
    chosen, others = [], []
    for name, text, least, weight in sources():
        if not name.startswith(files):
            continue
        lines = weight * text.count("\n")
        for place, mutant in enumerate(itertools.islice(picks(seed, name, text), count)):
            if place < least:
                chosen.append(dataclasses.replace(mutant))
            else:
                others.append(((place + 0.5) / lines, mutant))
    others.sort(key=lambda o: (o[0], o[1].key()))
    chosen += [dataclasses.replace(mutant) for _, mutant in others[:max(0, count - len(chosen))]]
    return numbered(sorted(chosen, key=lambda m: order_of(seed, m.key())))


def draw_seeds(seeds, each, count, files):
    """(mutants of all seeds, the numbers of each seed's). One build serves all of them: what a later seed draws again counts for
    both, and what overlaps with a mutant of an earlier one is left out."""
    chosen, of_seed = [], {}
    for seed in seeds:
        drawn = draw_by_folder(seed, each, files) if each else draw(seed, count, files)
        of_seed[seed] = []
        for mutant in drawn:
            same = next((m for m in chosen if m.file == mutant.file and (m.begin, m.code) == (mutant.begin, mutant.code)), None)
            if same is None and any(m.file == mutant.file and (m.begin == mutant.begin or m.begin < mutant.end and mutant.begin < m.end)
                                    for m in chosen):
                continue
            if same is None:
                chosen.append(mutant)
            of_seed[seed].append(same or mutant)
    numbered(chosen)
    return chosen, {seed: {m.id for m in mutants} for seed, mutants in of_seed.items()}


def explained(text=None):
    """Reasons of known survivors by key. Two lines each: the key, then `    reason`."""
    reasons, key = {}, None
    text = text if text is not None else EXPLAINED.read_text() if EXPLAINED.is_file() else ""
    for line in text.splitlines():
        if line.startswith("    "):
            reasons[key] = (reasons.get(key, "") + " " + line.strip()).strip()
        elif line and not line.startswith("#"):
            key = line
            reasons[key] = ""
    return reasons


def complaints(known, results=()):
    """Errors in the list of survivors: entries without a place in the sources or without a reason, or that a test kills."""
    keys = {m.key() for name, text, *_ in sources() for m in all_of(name, text)}
    for key, reason in known.items():
        if key not in keys:
            yield f"no source has this place any more: {key}"
        elif not reason:
            yield f"without a reason: {key}"
    yield from (f"excused, but {r['details']} fails: {r['key']}" for r in results if r["status"] == "killed" and r["key"] in known)


def reaches(test, mutants):
    """Whether an executable may reach one of the mutants: the unit tests of a module link only the modules below it."""
    rows = re.findall(r'^    \[(.*)\],$', (ROOT / "layers.toml").read_text(), re.MULTILINE)
    order = {module: row for row, line in enumerate(rows) for module in re.findall(r'"(.*?)"', line)}
    row_of = {f"fluorite_{module.replace('/', '_')}_tests": row for module, row in order.items()}
    for module in ("runtime", "runtime/device"):  # below all modules
        order[module] = row_of[f"fluorite_{module.replace('/', '_')}_tests"] = -1
    folders = {pathlib.PurePath(m.file.removeprefix("src/")).parent for m in mutants}
    modules = {next(str(f) for f in (folder, *folder.parents) if str(f) in order) for folder in folders}
    own = re.fullmatch(r"fluorite_(.*)_tests", test)
    return not own or any(own[1] == module.replace("/", "_") or order[module] < row_of[test] for module in modules)


def build(mutants, copy, tests, jobs):
    """Builds the copy, omits mutants that do not compile, and returns the others."""
    while True:
        copy.make(mutants)
        say(f"building {len(mutants)} mutants in one copy of the tree")
        broken = copy.build(tests, jobs, say)
        if not broken:
            return mutants
        say(f"{len(broken)} do not compile and are left out")
        mutants = [m for m in mutants if m.id not in broken]


def judge_all(mutants, run, jobs, results):
    known, total = explained(), len(results) + len(mutants)

    def one(job):
        index, mutant = job
        start = time.time()
        is_known = mutant.key() in known
        status, details = run.judge(mutant, f"worker{index % jobs}_{mutant.id}", min(run.budget, 10) if is_known else run.budget)
        if status != "killed" and is_known:
            status, details = "explained", known[mutant.key()]
        return mutant, status, details, time.time() - start

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, status, details, seconds in pool.map(one, enumerate(mutants)):
            results.append({"id": mutant.id, "file": mutant.file, "line": mutant.line, "operator": mutant.operator, "key": mutant.key(),
                            "original": mutant.original, "changed": mutant.changed, "status": status, "details": details,
                            "seconds": round(seconds, 1)})
            (run.folder / "results.json").write_text(json.dumps(results, indent=1))
            say(f"{len(results)}/{total} {status:11} #{mutant.id} {mutant.file}:{mutant.line} {mutant.operator} ({details})")


def table(results):
    print("\nSurvivors:" if any(r["status"] in ("survived", "not reached") for r in results) else "")
    for r in results:
        if r["status"] in ("survived", "not reached"):
            print(f"\n{r['file']}:{r['line']}: {r['operator']}: {r['status']} ({r['details']})")
            for sign, text in (("-", r["original"]), ("+", r["changed"])):
                for line in text.splitlines():
                    print(f"  {sign} {line}")
    for title, name_of in (("operator", lambda r: r["operator"]), ("folder", lambda r: stratum_of(r["file"])[0])):
        print(f"\n{title:24} {'killed':>7} {'explained':>9} {'of':>5}")
        for name in sorted({name_of(r) for r in results}):
            of = [r for r in results if name_of(r) == name]
            killed, excused = (sum(r["status"] == status for r in of) for status in ("killed", "explained"))
            print(f"{name:24} {killed:7} {excused:9} {len(of):5} {100 * (killed + excused) / len(of):6.1f} %")


def summary(seed, results):
    """Prints one line; returns the percentage that is killed or explained."""
    count = {status: sum(r["status"] == status for r in results) for status in ("killed", "explained", "survived", "not reached")}
    percent = 100 * (count["killed"] + count["explained"]) / max(len(results), 1)
    print(f"\n{len(results)} mutants of seed {seed}: {count['killed']} killed, {count['explained']} explained in survivors.txt, "
          f"{count['survived']} survived, {count['not reached']} not reached by any test: {percent:.1f} %")
    return percent


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="how many mutants (200)")
    parser.add_argument("--each", type=int, help="how many of each folder, in place of --count in all")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="which ones (1); several seeds share one build")
    parser.add_argument("--files", nargs="*", default=["src/", "runtime/"],
                        help="beginnings of the files that are changed (src/ runtime/)")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where the copy and the results lie (build/mutate)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (2)")
    parser.add_argument("--budget", type=int, default=40, help="seconds of tests that a mutant may take (40)")
    parser.add_argument("--least", type=float, default=95, help="percent that must be killed or explained (95)")
    parser.add_argument("--plain", action="store_true",
                        help="compile with the flags of the ordinary build, without assertions of the standard library: the compiler's "
                             "cache then serves what no mutant touches")
    parser.add_argument("--list", action="store_true", help="only say what would be changed")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="test executables (all that are quick)")
    parser.add_argument("--only", nargs="*", type=int, help="numbers of mutants to judge")
    parser.add_argument("--only-seed", nargs="*", type=int, help="judge the mutants of these seeds alone")
    parser.add_argument("--resume", action="store_true", help="leave out what the last run killed, in results.json")
    options = parser.parse_args()
    files = tuple(options.files)
    mutants, of_seed = draw_seeds(options.seed, options.each, options.count, files)
    if options.only_seed is not None:
        of_seed = {seed: ids for seed, ids in of_seed.items() if seed in options.only_seed}
    if options.list:
        for mutant in sorted(mutants, key=lambda m: (m.file, m.line)):
            print(f"#{mutant.id} line {mutant.line}: {mutant.key()}")
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    copy = scratch.Scratch(ROOT, options.folder.resolve(), assertions=not options.plain)
    tests = [test for test in options.tests if reaches(test, mutants)]
    mutants = build(mutants, copy, tests, options.jobs)
    run = runner.Runner(copy, options.folder.resolve(), options.budget, say, CHECKED)
    run.trace(tests, options.jobs)
    if options.only_seed is not None:
        mutants = [m for m in mutants if any(m.id in ids for ids in of_seed.values())]
    if options.only is not None:
        mutants = [m for m in mutants if m.id in options.only]
    results = []
    before = json.loads((options.folder / "results.json").read_text()) if (options.folder / "results.json").is_file() else []
    for result in before:
        if result["status"] == "killed":
            run.note_kill(result["details"].split()[1].rstrip(","), result["file"])
    if options.resume:
        keys = {m.key() for m in mutants}
        results = [r for r in before if r["key"] in keys and r["status"] == "killed"]
        done = {r["key"] for r in results}
        mutants = [m for m in mutants if m.key() not in done]
    judge_all(mutants, run, options.jobs, results)
    table(results)
    percent = min((summary(seed, [r for r in results if r["id"] in ids]) for seed, ids in of_seed.items()), default=100)
    wrong = list(complaints(explained(), results))
    for text in wrong:
        print(f"survivors.txt: {text}")
    return 0 if percent >= options.least and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
