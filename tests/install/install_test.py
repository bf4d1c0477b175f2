"""Installs the build into a folder, and builds projects against what is there: with CMake, and as a Makefile does."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    """Runs a command to its end; its output is shown only where it fails, which ends the test."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != options.get("expected", 0):
        sys.exit(f"{' '.join(words)} returned {done.returncode}:\n{done.stdout}")
    return done.stdout


def refused(text, *command):
    """Runs a command that fails and says why."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0 or text not in " ".join(done.stdout.split()):
        sys.exit(f"{command} was expected to fail and to say '{text}':\n{done.stdout}")


def check_cmake(prefix, folder, compiler):
    """A project that finds the package builds, and its filters give the right values."""
    build = folder / "build"
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug"]
    run("cmake", "-S", HERE / "project", "-B", build, "-G", "Ninja", *options)
    run("cmake", "--build", build)
    print(run(build / "call_filters"))
    # What is not there is an error of the configuration.
    for words, text in [("FROM nothing", "FROM 'nothing' is no target"),
                        ("FROM cmake_is_here PYTORCH_WRAPPER w", "PYTORCH_WRAPPER is given, which is not built")]:
        wrong = folder / "wrong"
        wrong.mkdir(exist_ok=True)
        (wrong / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\nfind_package(Fluorite REQUIRED)\n"
            f"add_halide_library(f {words})\n")
        refused(text, "cmake", "-S", wrong, "-B", folder / "wrong_build", "-G", "Ninja", *options)


def check_command_line(prefix, folder, compiler):
    """The source of the main, compiled with the generators, makes the same files."""
    program = folder / "generate"
    run(compiler, "-std=c++20", "-O0", HERE / "project" / "filters.cpp", prefix / "tools" / "GenGen.cpp",
        f"-I{prefix}/include/fluorite/compat", f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib",
        "-lfluorite", "-o", program)
    run(program, "-g", "blur", "-f", "blur", "-o", folder, "target=host-no_runtime", "vectorized=false")
    for name in ["blur.a", "blur.h", "blur.registration.cpp"]:
        if not (folder / name).is_file():
            sys.exit(f"{name} is not there")
    refused("[generator-param]", program, "-g", "blur", "-o", folder, "target=host", "vectorised=false")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("--keep", action="store_true", help="use what is installed already")
    options = parser.parse_args()
    folder = pathlib.Path.cwd() / "installed"
    prefix = folder / "prefix"
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
        run("cmake", "--install", options.build, "--prefix", prefix)
    os.environ.pop("CMAKE_GENERATOR", None)
    check_cmake(prefix, folder, options.compiler)
    check_command_line(prefix, folder, options.compiler)
    print("the installed package builds projects")


if __name__ == "__main__":
    main()
