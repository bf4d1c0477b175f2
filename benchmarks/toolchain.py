"""Compilers, libraries and probes: what the programs that are measured are made with."""

import os
import pathlib
import shutil
import subprocess

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


class Failure(Exception):
    """Something that the user has to know; its text is complete."""


class View:
    """The processor as which both sides are measured: its target, and the name for which C is compiled."""

    def __init__(self, name, target, processor):
        self.name, self.target, self.processor = name, target, processor

    def take(self):
        """What runs from now on compiles for this target, on both sides."""
        if self.target:
            os.environ.update(FLUORITE_JIT_TARGET=self.target, HL_JIT_TARGET=self.target)

    def __str__(self):
        return f"as {self.name} ({self.target})" if self.target else "with all features of this machine"


HOST = View("host", "", "native")


def views():
    """The table of views.txt by name."""
    lines = (HERE / "views.txt").read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: View(*line.split()) for line in lines if not line.startswith("#")}


def add_view_option(parser):
    parser.add_argument("--as", dest="view", choices=list(views()), metavar="NAME",
                        help=f"measure both sides as a processor with fewer features: {', '.join(views())}")


def take_view(name):
    """The view of that name, or the host's; it is in force from then on."""
    view = views()[name] if name else HOST
    view.take()
    return view


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


def compile_case(name, source, side, build, view=HOST):
    """Compiles and links one source for one side."""
    return compile_program(OUT / f"{name}-{side}", source, toolchain(side, build), ROOT, view)


def compile_program(program, source, flags, root, view=HOST):
    """Compiles and links a source of the tree at `root`. The two steps are apart because only the first can be cached."""
    before, after = flags
    # The references of applications are compiled as well as the compiler can.
    level = ["-O3", f"-march={view.processor}", "-Wno-unknown-warning-option"] if is_app(source) else ["-O2"]
    run_or_fail(compiler("c++") + ["-std=c++20", *level, f"-I{root / 'benchmarks/cases'}", f"-I{root}", *before, "-c",
                                   str(source), "-o", f"{program}.o"], f"compiling {source} as {program.name}")
    run_or_fail(compiler("c++")[-1:] + [f"{program}.o", "-o", str(program), *after], f"linking {source} as {program.name}")
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


def run_probe(name, threads, view=HOST):
    """What probe/<name>.c prints: the machine's speed with so many threads, and a view's instructions."""
    probe = OUT / name
    run_or_fail(compiler("c") + ["-std=c11", "-O2", f"-march={view.processor}", "-ffp-contract=fast", "-Wno-unknown-warning-option",
                                 "-mprefer-vector-width=512", str(HERE / f"probe/{name}.c"), "-o", str(probe), "-pthread"],
                f"compiling the probe {name}")
    return float(run_or_fail([str(probe), str(threads)], f"the probe {name}"))


def measure_copy(threads, view=HOST):
    """Bytes per second, reads and writes, of a copy of 256 MiB."""
    return run_probe("copy", threads, view)


def measure_peak(threads, view=HOST):
    """Operations per second of vectors of floats in registers."""
    return run_probe("flops", threads, view)


def source_of(source, side):
    """The file that is compiled for a side: apps/<name>/bench_<variant>.cpp has <library>_<variant>.cpp beside it."""
    return source.parent / source.name.replace("bench", side, 1) if side in LIBRARIES else source


def find_comparing_program(build):
    program = build / "fluorite_compare_outputs"
    if not program.is_file():
        raise Failure(f"{build} has no fluorite_compare_outputs, so outputs could not be compared; `./dev build` makes it")
    return program
