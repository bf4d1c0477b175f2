#!/usr/bin/env python3
"""What each standard of C++ gets from the public headers. As C++17 and C++20 they compile without warnings, by each
compiler that there is; a program that is compiled as C++17 runs with the library, which is C++20. As C++14, headers of
the language end with one message that says what to do. Headers for callers of compiled functions, and those between
generated code and its libraries (fluorite/runtime), compile without those of the language; the latter are not
installed: no header for users includes one.

usage: standards.py COMPILER SOURCE_FOLDER LIBRARY
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOR_CALLERS = ["runtime_abi.h", "runtime_device.h", "runtime_memoization.h", "runtime_profile.h", "runtime_ranks.h",
               "compat/HalideRuntime.h",
               *(f"compat/HalideRuntime{part}.h" for part in ("Errors", "Features", "Profiler", "Services", "Types")),
               "compat/HalideBuffer.h", "compat/HalideBufferDetail.h"]
INTERNAL = [f"runtime/{name}.h" for name in ("catch", "checks", "device", "fork", "hdf5", "iterate", "math", "profile",
                                             "ranges", "transport")]
OF_GUESTS = ["runtime/guest_call.h"]  # of a program for another processor, in C and C++
OF_SOURCE = ["runtime_c.h"]  # of C source that the library writes, in C99 and C++17: tests of the driver compile it
REQUIRE = "fluorite/require_cxx17.h"
LANGUAGE = ["fluorite/fluorite.h", "fluorite/func.h", "fluorite/compat/Halide.h"]
MESSAGE = "Fluorite's headers are C++17: compile with -std=c++17"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def compiled(compiler, root, program, *options):
    """The run of the compiler on the text of a program."""
    include = ["-I", root / "include", "-I", root / "include/fluorite/compat"]
    return subprocess.run([compiler, *options, "-x", "c++", "-fsyntax-only", *include, "-"], input=program,
                          capture_output=True, text=True)


def first_include(root, path):
    """The header of ours that the first #include of a header leads to, through those that begin with another one."""
    found = re.search(r'^#include [<"]([^>"]*)[>"]', path.read_text(), re.MULTILINE)
    if not found:
        return None
    for folder in (root / "include", root / "include/fluorite/compat"):
        if (folder / found[1]).is_file():
            return found[1] if found[1] == REQUIRE else first_include(root, folder / found[1])
    return found[1]


def check_includes(root):
    """Messages about headers that include what they may not, or that do not begin with require_cxx17.h."""
    own = root / "include/fluorite"
    for path in sorted((root / "include").rglob("*.h")):
        name = path.relative_to(root)
        if own / "runtime" not in path.parents and '#include "fluorite/runtime/' in path.read_text():
            yield f"{name}: includes a header that is not installed"
        if (str(path.relative_to(own)) not in FOR_CALLERS + INTERNAL + OF_SOURCE + OF_GUESTS and path.name != "require_cxx17.h"
                and first_include(root, path) != REQUIRE):
            yield f"{name}: begins with another header than {REQUIRE}"


def check_older(compiler, root):
    """Messages about headers that do not end with the one message where they are compiled as C++14."""
    for header in LANGUAGE:
        text = compiled(compiler, root, f'#include "{header}"\nint main() {{ return fluorite::nothing(); }}\n',
                        "-std=c++14").stderr
        said = [line for line in text.splitlines() if "error:" in line]
        if not said or MESSAGE not in said[0] or len(said) > 2 or (len(said) == 2 and "compilation stops here" not in said[1]):
            yield f"{header} as C++14 says\n{text[:2000]}"


def check_current(compilers, root):
    """Messages about headers that do not compile without warnings."""
    everything = "".join(f'#include "{name}"\n' for name in ("fluorite/compat/Halide.h", "fluorite/certify.h",
                                                            "fluorite/compat/HalideRuntimeCuda.h",
                                                            "fluorite/compat/HalideRuntimeOpenCL.h",
                                                            "fluorite/compat/halide_benchmark.h",
                                                            "fluorite/compat/halide_image_info.h",
                                                            "fluorite/compat/halide_image_io.h",
                                                            "fluorite/compat/halide_thread_pool.h"))
    for compiler in compilers:
        for standard in ("c++17", "c++20"):
            run = compiled(compiler, root, everything, f"-std={standard}", *WARNINGS)
            if run.returncode != 0:
                yield f"the headers, by {compiler} as {standard}:\n{run.stderr[:3000]}"
    for name in FOR_CALLERS + INTERNAL:
        run = compiled(compilers[0], root, f'#include "fluorite/{name}"\n', "-std=c++17")
        if run.returncode != 0:
            yield f"include/fluorite/{name} does not compile as C++17:\n{run.stderr[:2000]}"


def check_callers(compilers, root):
    """Messages about what callers of compiled functions cannot compile, or not link without a library."""
    include = ["-I", root / "include", "-I", root / "include/fluorite/compat"]
    for compiler in compilers:
        for language, standard in (("c", "c99"), ("c", "c11"), ("c++", "c++11"), ("c++", "c++14")):
            run = subprocess.run([compiler, "-x", language, f"-std={standard}", "-pedantic", *WARNINGS, *include,
                                  "-fsyntax-only", root / "tests/headers/caller.c"], capture_output=True, text=True)
            if run.returncode != 0:
                yield f"caller.c, by {compiler} as {standard}:\n{run.stderr[:2000]}"
        for standard in ("c++11", "c++17"):
            yield from failure_of(compiler, root / "tests/headers/runtime_buffer.cpp", f"-std={standard}", *include)


def failure_of(compiler, source, *options):
    """Messages about a program that does not compile, link and run."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program"
        build = subprocess.run([compiler, *WARNINGS, source, *options, "-o", program], capture_output=True, text=True)
        run = build if build.returncode else subprocess.run([program], capture_output=True, text=True)
        if run.returncode != 0:
            yield f"{source.name}, by {compiler} {options[0]}:\n{(run.stdout + run.stderr)[:3000]}"


def check_program(compilers, root, library):
    """Messages about the program of C++17 that does not run with the library."""
    library = pathlib.Path(library)
    include = ["-I", root / "include", "-I", root / "include/fluorite/compat"]
    link = [library, f"-Wl,-rpath,{library.parent}"]
    for compiler in compilers:
        yield from failure_of(compiler, root / "tests/headers/cxx17_program.cpp", "-std=c++17", *include, *link)


def main(compiler, folder, library):
    root = pathlib.Path(folder)
    compilers = {}
    for name in (compiler, "g++-12", "clang++-19"):
        if shutil.which(name):
            compilers.setdefault(pathlib.Path(shutil.which(name)).resolve(), name)
    compilers = list(compilers.values())
    failures = [*check_includes(root), *check_older(compiler, root), *check_current(compilers, root),
                *check_callers(compilers, root), *check_program(compilers, root, library)]
    for failure in failures:
        print(failure)
    print(f"{' and '.join(compilers)}: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
