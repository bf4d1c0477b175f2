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
    check_run_on_files(build / "run_sharpen", folder)
    # What is not there is an error of the configuration.
    for lines, text in [
        ("find_package(Halide 22 REQUIRED)", 'compatible with requested version "22"'),
        ("find_package(Halide REQUIRED COMPONENTS Python)", "the component Python is not built"),
        ("find_package(Fluorite REQUIRED)\nadd_halide_library(f FROM nothing)", "FROM 'nothing' is no target"),
        ("find_package(Fluorite REQUIRED)\nadd_fluorite_library(f FROM g PYTORCH_WRAPPER w)",
         "PYTORCH_WRAPPER is given, which is not built"),
    ]:
        wrong = folder / "wrong"
        wrong.mkdir(exist_ok=True)
        (wrong / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\n{lines}\n")
        refused(text, "cmake", "-S", wrong, "-B", folder / "wrong_build", "-G", "Ninja", *options)


def check_run_on_files(program, folder):
    """The main that runs a filter on files: descriptions, images, estimates, measurements and mistakes."""
    described = run(program, "--describe")
    if described != ('Filter name: "sharpen_strongly"\n  Input "input" is of type Buffer<uint8> with 2 dimensions\n'
                     '  Input "bias" is of type int32\n  Output "output" is of type Buffer<uint8> with 2 dimensions\n'):
        sys.exit(f"--describe printed:\n{described}")
    image, again = folder / "image.pgm", folder / "again.npy"
    run(program, "input=constant:100:[30,20]", "bias=default", f"output={image}")
    pixels = image.read_bytes()[-600:]
    if pixels != bytes([102]) * 600:
        sys.exit("the image of one value has others")
    run(program, f"input={image}", "bias=-5", f"output={again}")
    if again.read_bytes()[-600:] != bytes([97]) * 600:
        sys.exit("the image that was read has other values")
    measured = run(program, "--estimate_all", "--benchmarks=all", "--benchmark_min_time=0.01", "--parsable_output")
    if "sharpen_strongly BEST_TIME_MSEC_PER_ITER " not in measured:
        sys.exit(f"--benchmarks printed:\n{measured}")
    run(program, "--default_input_buffers=random:7:auto", "--default_input_scalars", "--output_extents=[5,4]")
    refused("'in' is no input or output of sharpen_strongly", program, "in=x.png")
    refused("bias is '1.5', which is no value of its type", program, "input=zero:auto", "bias=1.5")
    refused("returns the error", program, "input=zero:[4,4]", "bias=11")


def check_package_config(prefix):
    """The files of pkg-config say what to give the compiler; they are read here, as pkg-config may be missing."""
    for name, version in [("fluorite", None), ("Halide", "21.0.0")]:
        lines = (prefix / "lib" / "pkgconfig" / f"{name}.pc").read_text().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if ": " in line)
        root = (prefix / "lib" / "pkgconfig" / lines[0].removeprefix("prefix=${pcfiledir}/")).resolve()
        is_right = root == prefix.resolve() and fields["Libs"] == "-L${libdir} -lfluorite"
        if not is_right or fields["Version"] != (version or fields["Version"]):
            sys.exit(f"{name}.pc is wrong: {lines}")


def check_command_line(prefix, folder, compiler):
    """The source of the main, compiled with the generators, makes the same files."""
    program = folder / "generate"
    check_package_config(prefix)
    run(compiler, "-std=c++17", "-O0", HERE / "project" / "filters.cpp", prefix / "tools" / "GenGen.cpp",
        f"-I{prefix}/include/fluorite/compat", f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib",
        "-lfluorite", "-o", program)
    run(program, "-g", "blur", "-f", "blur", "-o", folder, "target=host-no_runtime", "vectorized=false")
    for name in ["blur.a", "blur.h", "blur.registration.cpp"]:
        if not (folder / name).is_file():
            sys.exit(f"{name} is not there")
    refused("[generator-param]", program, "-g", "blur", "-o", folder, "target=host", "vectorised=false")


def check_services(prefix, folder, compiler):
    """A program in C that defines services of the runtime itself has them called, and their failures reported."""
    run(folder / "generate", "-g", "two_stages", "-o", folder, "-e", "static_library,c_header", "target=host-no_runtime")
    run(compiler, "-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", HERE / "services.c", "-x", "none",
        folder / "two_stages.a", f"-I{prefix}/include", f"-I{folder}", f"-L{prefix}/lib", "-lfluorite_runtime",
        "-lstdc++", "-lpthread", "-ldl", "-lm", "-o", folder / "services")
    run(folder / "services")


def check_runtime_inside(prefix, folder, compiler):
    """Two static libraries with the runtime in each link into one program, which needs no other library of ours."""
    for name in ["blur", "two_stages"]:
        run(folder / "generate", "-g", name, "-o", folder, "-e", "static_library,c_header", "target=host")
    source = folder / "two.c"
    source.write_text('#include "blur.h"\n#include "two_stages.h"\n#include <stddef.h>\n'
                      'int main(void) { return blur(NULL, NULL) == -12 && two_stages(NULL, NULL) == -12 ? 0 : 1; }\n')
    run(compiler, "-x", "c", source, "-x", "none", folder / "blur.a", folder / "two_stages.a", f"-I{prefix}/include",
        f"-I{folder}", "-lstdc++", "-lpthread", "-ldl", "-lm", "-Wl,--gc-sections", "-s", "-o", folder / "two")
    run(folder / "two")


def check_usual_places(prefix, folder, compiler):
    """-I<prefix>/include and -lHalide are enough for a program of C++17, the former for a caller of C++11 or C99."""
    program = folder / "usual"
    source = folder / "usual.cpp"
    source.write_text('#include "Halide.h"\n#include "halide_image_io.h"\nint main() {\n'
                      '    Halide::Var x; Halide::Func f; f(x) = x * 3;\n'
                      '    Halide::Buffer<int> out = f.realize({7});\n    return out(6) == 18 ? 0 : 1;\n}\n')
    run(compiler, "-std=c++17", source, f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-lHalide",
        "-o", program)
    run(program)
    source.write_text('#include "HalideBuffer.h"\nint main() { return Halide::Runtime::Buffer<int>(3, 4).height() - 4; }\n')
    run(compiler, "-std=c++11", source, f"-I{prefix}/include", "-o", program)
    run(program)
    source.write_text('#include "HalideRuntime.h"\nstruct halide_buffer_t buffer;\n')
    run(compiler, "-x", "c", "-std=c99", "-fsyntax-only", source, f"-I{prefix}/include")


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
    check_services(prefix, folder, options.compiler)
    check_runtime_inside(prefix, folder, options.compiler)
    check_usual_places(prefix, folder, options.compiler)
    print("the installed package builds projects")


if __name__ == "__main__":
    main()
