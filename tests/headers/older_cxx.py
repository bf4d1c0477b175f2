#!/usr/bin/env python3
"""Every public header, compiled as C++17, ends with one message that says what to do; those for callers of compiled
functions compile as C++17, and so do those between generated code and its libraries (fluorite/runtime), which are not
installed: no header for users includes one. Headers that say it begin with require_cxx20.h, which is why three of them
are compiled for all.

usage: older_cxx.py COMPILER SOURCE_FOLDER
"""

import pathlib
import re
import subprocess
import sys

FOR_CALLERS = ["runtime_abi.h", "runtime_device.h", "runtime_memoization.h", "runtime_ranks.h"]
INTERNAL = [f"runtime/{name}.h" for name in ("catch", "checks", "device", "fork", "hdf5", "iterate", "math", "ranges",
                                             "transport")]
REQUIRE = "fluorite/require_cxx20.h"
COMPILED = ["fluorite/fluorite.h", "fluorite/func.h", "fluorite/compat/Halide.h"]
MESSAGE = "Fluorite's headers are C++20: compile with -std=c++20"


def older(compiler, root, header):
    """What the compiler says of a program that includes the header, as C++17."""
    program = f'#include "{header}"\nint main() {{ return fluorite::nothing(); }}\n'
    include = ["-I", root / "include", "-I", root / "include/fluorite/compat"]
    return subprocess.run([compiler, "-std=c++17", "-x", "c++", "-fsyntax-only", *include, "-"], input=program,
                          capture_output=True, text=True).stderr


def first_include(root, path):
    """The header of ours that the first #include of a header leads to, through those that begin with another one."""
    found = re.search(r'^#include [<"]([^>"]*)[>"]', path.read_text(), re.MULTILINE)
    if not found:
        return None
    for folder in (root / "include", root / "include/fluorite/compat"):
        if (folder / found[1]).is_file():
            return found[1] if found[1] == REQUIRE else first_include(root, folder / found[1])
    return found[1]


def main(compiler, folder):
    root, failures = pathlib.Path(folder), 0
    headers = [path for path in sorted((root / "include").rglob("*.h")) if path.name != "require_cxx20.h"]
    own = root / "include/fluorite"
    rest = [path for path in headers if str(path.relative_to(own)) not in FOR_CALLERS + INTERNAL]
    for path in headers:
        if own / "runtime" not in path.parents and "fluorite/runtime/" in path.read_text():
            failures += 1
            print(f"{path.relative_to(root)}: includes a header that is not installed")
    for path in rest:
        if first_include(root, path) != REQUIRE:
            failures += 1
            print(f"{path.relative_to(root)}: begins with another header than {REQUIRE}")
    for header in [root / "include" / name for name in COMPILED]:
        text = older(compiler, root, header)
        said = [line for line in text.splitlines() if "error:" in line]
        if not said or MESSAGE not in said[0] or len(said) > 2 or (len(said) == 2 and "compilation stops here" not in said[1]):
            failures += 1
            print(f"{header.relative_to(root)}: says\n{text[:2000]}")
    for name in FOR_CALLERS + INTERNAL:
        include = ["-I", root / "include"]
        run = subprocess.run([compiler, "-std=c++17", "-x", "c++", "-fsyntax-only", *include, "-"],
                             input=f'#include "fluorite/{name}"\n', capture_output=True, text=True)
        if run.returncode != 0:
            failures += 1
            print(f"include/fluorite/{name} does not compile as C++17:\n{run.stderr[:2000]}")
    print(f"{len(headers)} headers, {failures} failures")
    return 1 if failures or not headers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
