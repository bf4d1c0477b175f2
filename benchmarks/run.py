#!/usr/bin/env python3
"""Measures Fluorite beside the live peer and prints a table; `./dev bench` calls it.

Every case in cases/ is one source that is compiled twice: against libfluorite.so in the --build folder, and against the
peer in build/peer. Both processes of a case stay alive and take turns repetition by repetition, so that whatever else
the machine does meets both. The table shows the best and the median times, the ratio peer/ours of the best ones (above 1
we are faster), and whether both computed the same. build/bench keeps results.json and index.html.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import statistics
import subprocess
import sys
import threading

import page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
OUT = ROOT / "build" / "bench"
OURS, PEER = "ours", "peer"

# Repetitions that are timed after the one for warming up.
REPETITIONS = {"blur3x3": 15, "chain30": 10, "chain200": 1, "first_pixel": 5, "sobel": 10}
# Outputs whose sums differ by less than this fraction agree up to rounding.
ROUNDING = 1e-6


class Failure(Exception):
    """Something that the user has to know; its text is complete."""


def run_or_fail(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{what} failed:\n  {' '.join(map(str, command))}\n{done.stderr[-4000:]}")
    return done.stdout


def find_peer():
    """The folder of the peer's package, or a Failure that says how to get one."""
    for package in sorted((ROOT / "build" / "peer").glob("lib/python3*/site-packages/halide")):
        if (package / "include" / "Halide.h").is_file() and list(package.glob("lib*/libHalide.so*")):
            return package
    raise Failure(
        "the peer is not in build/peer (looked for lib/python3*/site-packages/halide with include/Halide.h and "
        "libHalide.so). `./dev bench` installs it where the package index can be reached; --only-ours measures without."
    )


def library_flags(folder, name):
    return [f"-L{folder}", f"-l{name}", f"-Wl,-rpath,{folder}"]


def toolchain(side, build):
    """Compiler flags before the source, and linker flags after it."""
    if side == OURS:
        if not (build / "libfluorite.so").exists():
            raise Failure(f"{build} has no libfluorite.so; `./dev build` makes it")
        return [f"-I{ROOT / 'include/fluorite/compat'}", f"-I{ROOT / 'include'}"], library_flags(build, "fluorite")
    package = find_peer()
    library = sorted(package.glob("lib*/libHalide.so*"))[0]
    return ["-isystem", str(package / "include")], library_flags(library.parent, "Halide")


def compiler(language):
    names = ["clang++-19", "clang++", "g++"] if language == "c++" else ["clang-19", "clang", "gcc"]
    found = next((name for name in names if shutil.which(name)), None)
    if not found:
        raise Failure(f"no compiler: tried {', '.join(names)}")
    return (["ccache"] if shutil.which("ccache") else []) + [found]


def compile_case(source, side, build):
    """Compiles and links one source for one side. The two steps are apart because only the first can be cached."""
    before, after = toolchain(side, build)
    program = OUT / f"{source.stem}-{side}"
    compiled = f"{program}.o"
    run_or_fail(compiler("c++") + ["-std=c++20", "-O2", f"-I{HERE / 'cases'}", *before, "-c", str(source), "-o", compiled],
                f"compiling {source.name} for {side}")
    run_or_fail(compiler("c++")[-1:] + [compiled, "-o", str(program), *after], f"linking {source.name} for {side}")
    return program


def measure_copy(threads):
    """Bytes per second, reads and writes, of a copy of 256 MiB."""
    probe = OUT / "copy"
    run_or_fail(compiler("c") + ["-std=c11", "-O2", str(HERE / "probe/copy.c"), "-o", str(probe), "-pthread"],
                "compiling the memory probe")
    return float(run_or_fail([str(probe), str(threads)], "the memory probe"))


class Case:
    """A process that does one repetition whenever it is told to."""

    def __init__(self, program, threads, patience):
        self.patience = patience
        self.values, self.checksums, self.bytes, self.failure = {}, {}, {}, None
        environment = dict(os.environ, FLUORITE_NUM_THREADS=str(threads), HL_NUM_THREADS=str(threads))
        self.complaints = open(f"{program}.err", "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen([str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.complaints, text=True, env=environment)
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, daemon=True).start()
        self.read_until("ready", keep=True)

    def pump(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def repeat(self, keep):
        """Does one repetition; its times count if keep is true."""
        if self.failure:
            return
        try:
            self.process.stdin.write("go\n")
            self.process.stdin.flush()
        except OSError:
            pass  # It has died: reading says why.
        self.read_until("end", keep)

    def read_until(self, last, keep):
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                self.fail(f"no answer within {self.patience} s")
                return
            if line is None:
                self.process.wait()
                self.complaints.seek(0)
                text = self.complaints.read().strip().splitlines()
                self.fail(text[0] if text else f"ended with status {self.process.returncode}")
                return
            words = line.split()
            if words == [last]:
                return
            if words[0] == "value" and keep:
                self.values.setdefault(words[1], []).append(float(words[2]))
            elif words[0] == "checksum":
                self.checksums.setdefault(words[1], []).append((words[2], float(words[3])))
            elif words[0] == "bytes":
                self.bytes[words[1]] = float(words[2])

    def fail(self, reason):
        self.failure = reason
        self.process.kill()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.complaints.close()


def compare(ours, theirs):
    """How the outputs of both sides relate; each is a list of (hash, sum), one per repetition."""
    pairs = list(zip(ours, theirs))
    if not pairs:
        return "not compared"
    if all(a[0] == b[0] for a, b in pairs):
        return "equal"
    if all(abs(a[1] - b[1]) <= ROUNDING * max(abs(a[1]), abs(b[1])) for a, b in pairs):
        return "rounding"
    return "DIFFERENT"


def summary(times):
    return {"min": min(times), "median": statistics.median(times), "all": times} if times else None


def measure(name, programs, threads, repetitions, patience):
    """The rows of one case: a dictionary for each value that its programs report."""
    sides = {side: Case(program, threads, patience) for side, program in programs.items()}
    for repetition in range(repetitions + 1):
        # Who goes first changes each time.
        for side in list(sides)[:: 1 if repetition % 2 else -1]:
            sides[side].repeat(keep=repetition > 0)
    for case in sides.values():
        case.close()
    nothing = {side: None for side in (OURS, PEER)}
    rows = []
    for value in list(dict.fromkeys(v for case in sides.values() for v in case.values)) or [name]:
        row = {"name": value, "unit": "s", **nothing, "failures": {}}
        for side, case in sides.items():
            row[side] = summary(case.values.get(value))
            row["bytes"] = case.bytes.get(value, row.get("bytes"))
            if case.failure:
                row["failures"][side] = case.failure
        if row[OURS] and row[PEER]:
            row["ratio"] = row[PEER]["min"] / row[OURS]["min"]
            row["ratio_of_medians"] = row[PEER]["median"] / row[OURS]["median"]
        row["output"] = compare(*(sides[side].checksums.get(value, []) if side in sides else [] for side in (OURS, PEER)))
        rows.append(row)
    return rows


def show_time(summary_or_none, key):
    if summary_or_none is None:
        return "-"
    value = summary_or_none[key]
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.2f} ms"


def print_row(row, copy):
    ratio = f"{row['ratio']:.2f}" if "ratio" in row else "-"
    of_copy = "-"
    if row.get("bytes") and row[OURS]:
        of_copy = f"{100 * row['bytes'] / row[OURS]['min'] / copy:.0f}%"
    cells = [show_time(row[side], key) for side in (OURS, PEER) for key in ("min", "median")]
    print(f"{row['name']:<20}" + "".join(f"{cell:>12}" for cell in cells) + f"{ratio:>8}{of_copy:>9}  {row['output']}")
    for side, reason in row["failures"].items():
        print(f"    {side} failed: {reason}")
    sys.stdout.flush()


def main():
    sources = {source.stem: source for source in sorted((HERE / "cases").glob("*.cpp"))}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="the folder of libfluorite.so")
    parser.add_argument("--app", action="append", choices=sources, metavar="NAME",
                        help=f"measure only this case (repeatable): {', '.join(sources)}")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="threads of parallel loops on both sides (default: the cores at hand)")
    parser.add_argument("--repetitions", type=int, metavar="K", help="timed repetitions of each case")
    parser.add_argument("--patience", type=int, default=300, metavar="S", help="seconds that a repetition may take")
    parser.add_argument("--only-ours", action="store_true", help="measure without the peer")
    options = parser.parse_args()
    if options.threads < 1 or (options.repetitions is not None and options.repetitions < 1):
        parser.error("--threads and --repetitions count from 1")
    sides = [OURS] if options.only_ours else [OURS, PEER]
    build = options.build.resolve()
    for side in sides:
        toolchain(side, build)  # Whatever is missing is said before anything is compiled.
    OUT.mkdir(parents=True, exist_ok=True)
    names = options.app or list(sources)

    print(f"compiling {len(names)} cases for {' and '.join(sides)}", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = {(name, side): pool.submit(compile_case, sources[name], side, build) for name in names for side in sides}
        programs = {key: job.result() for key, job in jobs.items()}

    copy = measure_copy(options.threads)
    load = os.getloadavg()[0]
    print(f"threads {options.threads}, load {load:.1f}, memory copy {copy / 1e9:.1f} GB/s (256 MiB, reads and writes)")
    print(f"{'':<20}{'ours':>12}{'median':>12}{'peer':>12}{'median':>12}{'ratio':>8}{'of copy':>9}  output")
    rows = []
    for name in names:
        repetitions = options.repetitions or REPETITIONS.get(name, 10)
        copy = max(copy, measure_copy(options.threads))  # Other load only ever slows a copy down.
        for row in measure(name, {side: programs[name, side] for side in sides}, options.threads, repetitions,
                           options.patience):
            print_row(row, copy)
            rows.append(row)
    print("ratio: peer/ours of the best times, above 1 we are faster; of copy: our bytes per second against the memory copy")

    results = {"threads": options.threads, "load": load, "copy_bytes_per_second": copy, "rows": rows}
    (OUT / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (OUT / "index.html").write_text(page.html(results), encoding="utf-8")
    print(f"written: {(OUT / 'results.json').relative_to(ROOT)}, {(OUT / 'index.html').relative_to(ROOT)}")
    return 1 if any(row["failures"] or row["output"] == "DIFFERENT" for row in rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
