#!/usr/bin/env python3
"""Measures Fluorite beside the live peer and prints a table; `./dev bench` calls it.

Every case in cases/ and every bench*.cpp of apps/ is one source that is compiled twice: against libfluorite.so in the
--build folder, and against the peer in build/peer. Applications can also be measured against their plain C++ reference
(--against reference) and, where they have an opencv.cpp, openblas.cpp or fftw.cpp, against that library. Both processes
of a case stay alive and take turns repetition by repetition, so that whatever else the machine does meets both. The table
shows the best and the median times, the ratio peer/ours of the best ones (above 1 we are faster), and whether both
computed the same. build/bench keeps results.json and index.html.
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
# Libraries with which some applications have a counterpart, apps/<name>/<library>.cpp: folders that may have the header,
# the header, linker flags, packages.
LIBRARIES = {
    "opencv": (["/usr/include/opencv4", "/usr/local/include/opencv4"], "opencv2/imgproc.hpp",
               ["-lopencv_imgproc", "-lopencv_core"], "packages libopencv-core-dev and libopencv-imgproc-dev"),
    "openblas": (["/usr/include/x86_64-linux-gnu/openblas-pthread", "/usr/include/x86_64-linux-gnu", "/usr/include"],
                 "cblas.h", ["-lopenblas"], "package libopenblas-dev"),
    "fftw": (["/usr/include", "/usr/local/include"], "fftw3.h", ["-lfftw3f"], "package libfftw3-dev"),
}
# How often an application is compiled in a process of its own, beside the one that runs it.
COMPILATIONS = 3

# Repetitions that are timed after the one for warming up.
REPETITIONS = {"blur3x3": 15, "chain30": 10, "chain200": 1, "first_pixel": 5, "sobel_default": 10}
# Outputs whose sums differ by less than this fraction agree up to rounding.
ROUNDING = 1e-6
# Values of an application's outputs that differ by less than this, relative to the greatest, agree up to rounding.
FLOAT_ROUNDING = 1e-3


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
    if side in LIBRARIES:
        return find_library(side)
    package = find_peer()
    library = sorted(package.glob("lib*/libHalide.so*"))[0]
    return ["-isystem", str(package / "include")], library_flags(library.parent, "Halide")


def compiler(language):
    names = ["clang++-19", "clang++", "g++"] if language == "c++" else ["clang-19", "clang", "gcc"]
    found = next((name for name in names if shutil.which(name)), None)
    if not found:
        raise Failure(f"no compiler: tried {', '.join(names)}")
    return (["ccache"] if shutil.which("ccache") else []) + [found]


def compile_case(name, source, side, build):
    """Compiles and links one source for one side. The two steps are apart because only the first can be cached."""
    before, after = toolchain(side, build)
    program = OUT / f"{name}-{side}"
    compiled = f"{program}.o"
    # The references of applications are compiled as well as the compiler can.
    level = ["-O3", "-march=native", "-Wno-unknown-warning-option"] if is_app(source) else ["-O2"]
    run_or_fail(compiler("c++") + ["-std=c++20", *level, f"-I{HERE / 'cases'}", f"-I{ROOT}", *before, "-c", str(source),
                                   "-o", compiled], f"compiling {source} for {side}")
    run_or_fail(compiler("c++")[-1:] + [compiled, "-o", str(program), *after], f"linking {source} for {side}")
    return program


def is_app(source):
    return source.parent.parent.name == "apps"


def find_library(side):
    """Compiler and linker flags of a library that some applications are measured against."""
    folders, header, flags, packages = LIBRARIES[side]
    for folder in folders:
        if pathlib.Path(folder, header).is_file():
            return (["-isystem", folder] if folder != "/usr/include" else []), flags
    raise Failure(f"{side} is not installed ({packages}): nothing to measure against")


def run_probe(name, threads):
    """What probe/<name>.c prints: the machine's speed with so many threads."""
    probe = OUT / name
    run_or_fail(compiler("c") + ["-std=c11", "-O2", "-march=native", "-ffp-contract=fast", "-Wno-unknown-warning-option",
                                 "-mprefer-vector-width=512", str(HERE / f"probe/{name}.c"), "-o", str(probe), "-pthread"],
                f"compiling the probe {name}")
    return float(run_or_fail([str(probe), str(threads)], f"the probe {name}"))


def measure_copy(threads):
    """Bytes per second, reads and writes, of a copy of 256 MiB."""
    return run_probe("copy", threads)


def measure_peak(threads):
    """Operations per second of vectors of floats in registers."""
    return run_probe("flops", threads)


class Case:
    """A process that does one repetition whenever it is told to."""

    def __init__(self, program, threads, patience, arguments=()):
        self.patience = patience
        self.values, self.checksums, self.bytes, self.failure = {}, {}, {}, None
        self.flops, self.outputs, self.memory = {}, {}, None
        environment = dict(os.environ, FLUORITE_NUM_THREADS=str(threads), HL_NUM_THREADS=str(threads))
        self.complaints = open(f"{program}.err", "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen([str(program), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
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
            elif words[0] == "flops":
                self.flops[words[1]] = float(words[2])
            elif words[0] == "output":
                self.outputs[words[1]] = (words[2], words[3], float(words[4]), float(words[5]))

    def fail(self, reason):
        self.failure = reason
        self.process.kill()

    def close(self):
        if self.process.poll() is None:
            self.memory = peak_memory(self.process.pid)
            self.process.stdin.close()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.complaints.close()


def peak_memory(process):
    """The most bytes a process has held in memory, or None where the system does not tell."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    kibibytes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return 1024 * int(kibibytes[0]) if kibibytes else None


def compare_files(ours, theirs):
    """How the dumped outputs of both sides relate, value by value."""
    try:
        import numpy
    except ImportError:
        return None
    a, b = (numpy.fromfile(path, dtype=f"<{kind}") for kind, path, *_ in (ours, theirs))
    for _, path, *_ in (ours, theirs):
        os.remove(path)
    if len(a) != len(b):
        return "DIFFERENT"
    if a.tobytes() == b.tobytes():
        return "equal"
    same = (a == b) | ((a != a) & (b != b))
    a, b = a[~same].astype("f8"), b[~same].astype("f8")
    if not len(a):
        return "equal"
    worst = float(numpy.max(numpy.abs(a - b)))
    if not worst < float("inf"):
        return "DIFFERENT"
    if ours[0][0] == "f":
        scale = float(max(numpy.max(numpy.abs(b)), 1))
        return f"within {worst:.1e}" if worst <= FLOAT_ROUNDING * scale else f"DIFFERENT ({worst:.1e})"
    *_, most, most_share = ours  # integers are equal, but for what an application allows
    share = len(a) / len(same)
    text = f"{100 * share:.2g}% by {worst:g}"
    return text if worst <= most and share <= most_share else f"DIFFERENT ({text})"


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


def measure(name, programs, threads, repetitions, patience, app=False):
    """The rows of one case: a dictionary for each value that its programs report."""
    compilations = {side: [] for side in programs}
    for number in range(COMPILATIONS if app else 0):
        for side in list(programs)[:: 1 if number % 2 else -1]:
            if side in (OURS, PEER):
                alone = Case(programs[side], threads, patience, ["--compile"])
                compilations[side] += alone.values.get(f"{name}.compile", [])
                alone.close()
    sides = {side: Case(program, threads, patience, arguments_of(name, side) if app else ())
             for side, program in programs.items()}
    for repetition in range(repetitions + 1):
        # Who goes first changes each time.
        for side in list(sides)[:: 1 if repetition % 2 else -1]:
            sides[side].repeat(keep=repetition > 0)
    for side, case in sides.items():
        case.close()
        if compilations[side]:
            case.values[f"{name}.compile"] = compilations[side]
    other = next((side for side in sides if side != OURS), PEER)
    nothing = {side: None for side in (OURS, other)}
    rows = []
    for value in list(dict.fromkeys(v for case in sides.values() for v in case.values)) or [name]:
        row = {"name": value, "unit": "s", **nothing, "memory": dict(nothing), "failures": {}}
        for side, case in sides.items():
            row[side] = summary(case.values.get(value))
            row["bytes"] = case.bytes.get(value, row.get("bytes"))
            row["flops"] = case.flops.get(value, row.get("flops"))
            row["memory"][side] = case.memory
            if case.failure:
                row["failures"][side] = case.failure
        if row[OURS] and row[other]:
            row["ratio"] = row[other]["min"] / row[OURS]["min"]
            row["ratio_of_medians"] = row[other]["median"] / row[OURS]["median"]
        row["output"] = compare(*(sides[side].checksums.get(value, []) if side in sides else [] for side in (OURS, other)))
        dumps = [sides[side].outputs.get(value) if side in sides else None for side in (OURS, other)]
        if all(dumps):
            row["output"] = compare_files(*dumps) or row["output"]
        rows.append(row)
    # What was run comes first, the time to compile it after.
    return sorted(rows, key=lambda row: row["name"].endswith(".compile"))


def arguments_of(name, side):
    """What the program of an application is told for one side."""
    return (["--reference"] if side == "reference" else []) + ["--dump", str(OUT / f"{name}-{side}.raw")]


def show_time(summary_or_none, key):
    if summary_or_none is None:
        return "-"
    value = summary_or_none[key]
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.2f} ms"


def print_row(row, copy, peak):
    ratio = f"{row['ratio']:.2f}" if "ratio" in row else "-"
    of_copy = "-"
    if row.get("bytes") and row[OURS]:
        of_copy = f"{100 * row['bytes'] / row[OURS]['min'] / copy:.0f}%"
    flops = of_peak = "-"
    if row.get("flops") and row[OURS]:
        speed = row["flops"] / row[OURS]["min"]
        flops, of_peak = f"{speed / 1e9:.1f}", f"{100 * speed / peak:.0f}%"
    memory = [f"{value / 1e6:.0f}" if value else "-" for value in row["memory"].values()]
    cells = [show_time(row[side], key) for side in row["memory"] for key in ("min", "median")]
    print(f"{row['name']:<24}" + "".join(f"{cell:>11}" for cell in cells) +
          f"{ratio:>8}{of_copy:>9}{flops:>9}{of_peak:>9}{'/'.join(memory):>11}  {row['output']}")
    for side, reason in row["failures"].items():
        print(f"    {side} failed: {reason}")
    sys.stdout.flush()


def print_means(rows):
    for what, chosen in (("running", [row for row in rows if not row["name"].endswith(".compile")]),
                         ("compiling", [row for row in rows if row["name"].endswith(".compile")])):
        ratios = [row["ratio"] for row in chosen if "ratio" in row]
        if len(ratios) > 1:
            mean = statistics.geometric_mean(ratios)
            print(f"{what}: geometric mean of the ratios {mean:.2f}, least {min(ratios):.2f}")


def source_of(source, side):
    """The file that is compiled for a side: apps/<name>/bench_<variant>.cpp has <library>_<variant>.cpp beside it."""
    return source.parent / source.name.replace("bench", side, 1) if side in LIBRARIES else source


def main():
    sources = {source.stem: source for source in sorted((HERE / "cases").glob("*.cpp"))}
    apps = {source.parent.name + source.stem.removeprefix("bench"): source
            for source in sorted((ROOT / "apps").glob("*/bench*.cpp"))}
    sources |= apps
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="the folder of libfluorite.so")
    parser.add_argument("--app", action="append", choices=sources, metavar="NAME",
                        help=f"measure only this case (repeatable): {', '.join(sources)}")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="threads of parallel loops on both sides (default: the cores at hand)")
    parser.add_argument("--repetitions", type=int, metavar="K", help="timed repetitions of each case")
    parser.add_argument("--patience", type=int, default=300, metavar="S", help="seconds that a repetition may take")
    parser.add_argument("--against", choices=[PEER, *LIBRARIES, "reference"], default=PEER,
                        help="what to measure beside ours; other than the peer: applications only")
    parser.add_argument("--apps", action="store_true", help="measure all applications and no other case")
    parser.add_argument("--only-ours", action="store_true", help="measure without the peer")
    options = parser.parse_args()
    if options.threads < 1 or (options.repetitions is not None and options.repetitions < 1):
        parser.error("--threads and --repetitions count from 1")
    sides = [OURS] if options.only_ours else [OURS, options.against]
    build = options.build.resolve()
    if options.against != PEER:
        sources = {name: source for name, source in apps.items()
                   if options.against not in LIBRARIES or source_of(source, options.against).is_file()}
        if missing := [name for name in options.app or [] if name not in sources]:
            parser.error(f"nothing to measure {', '.join(missing)} against: {options.against} serves {', '.join(sources)}")
    for side in sides if options.against != "reference" else [OURS]:
        toolchain(side, build)  # Whatever is missing is said before anything is compiled.
    OUT.mkdir(parents=True, exist_ok=True)
    names = options.app or [name for name in sources if name in apps or not options.apps]

    print(f"compiling {len(names)} cases for {' and '.join(sides)}", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        built = [side for side in sides if side != "reference"]  # the program of ours has the reference in it
        jobs = {(name, side): pool.submit(compile_case, name, source_of(sources[name], side), side, build)
                for name in names for side in built}
        programs = {key: job.result() for key, job in jobs.items()}
        programs |= {(name, side): programs[name, OURS] for name in names for side in sides if side not in built}

    copy = measure_copy(options.threads)
    peak = measure_peak(options.threads)
    load = os.getloadavg()[0]
    print(f"threads {options.threads}, load {load:.1f}, memory copy {copy / 1e9:.1f} GB/s (256 MiB, reads and writes), "
          f"peak {peak / 1e9:.0f} GFlop/s (float32)")
    print(f"{'':<24}{'ours':>11}{'median':>11}{options.against:>11}{'median':>11}{'ratio':>8}{'of copy':>9}{'GFlop/s':>9}{'of peak':>9}"
          f"{'MB':>11}  output")
    rows = []
    for name in names:
        repetitions = options.repetitions or REPETITIONS.get(name, 10)
        # Other load only ever slows a probe down.
        copy, peak = max(copy, measure_copy(options.threads)), max(peak, measure_peak(options.threads))
        for row in measure(name, {side: programs[name, side] for side in sides}, options.threads, repetitions,
                           options.patience, app=name in apps):
            print_row(row, copy, peak)
            rows.append(row)
    print(f"ratio: {options.against}/ours of the best times, above 1 we are faster; of copy: our bytes per second against the "
          "memory copy; of peak: GFlop/s against those of vectors in registers; MB: peak memory of the process, ours/other")

    print_means(rows)
    if not options.app and not options.apps and (build / "bench_boundaries").is_file():
        print(flush=True)
        subprocess.run([build / "bench_boundaries"], check=True)
    results = {"threads": options.threads, "against": options.against, "load": load, "copy_bytes_per_second": copy,
               "peak_flops": peak, "rows": rows}
    (OUT / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (OUT / "index.html").write_text(page.html(results), encoding="utf-8")
    print(f"written: {(OUT / 'results.json').relative_to(ROOT)}, {(OUT / 'index.html').relative_to(ROOT)}")
    return 1 if any(row["failures"] or row["output"].startswith("DIFFERENT") for row in rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"benchmarks: {failure}")
