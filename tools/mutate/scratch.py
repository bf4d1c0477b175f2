"""The scratch copy of the tree: sources with all mutants in them, built once.

Every mutated file includes support/mutant.h, which exists only in the copy. It reads the active mutant from the environment
(FLUORITE_MUTANT) once; -1 traces: after each test, main() of the tests writes its duration and the mutants that it reached to
the file FLUORITE_MUTANT_LOG.
"""

import collections
import pathlib
import re
import subprocess

HEADER = """#pragma once
#include <atomic>
#include <cstdlib>

inline std::atomic<unsigned char> fluorite_mutants_reached[SIZE];
inline bool fluorite_mutant(int id) {
    static const int active = [] {
        const char *text = std::getenv("FLUORITE_MUTANT");
        return text ? std::atoi(text) : -2;
    }();
    if (active == -1) {
        fluorite_mutants_reached[id].store(1, std::memory_order_relaxed);
    }
    return active == id;
}
"""

MAIN = """#include "../src/support/mutant.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

class Tracer : public testing::EmptyTestEventListener {
    std::FILE *log_ = std::fopen(std::getenv("FLUORITE_MUTANT_LOG"), "a");
    std::clock_t begin_ = 0; // processor time: how busy the machine is does not matter
    void OnTestStart(const testing::TestInfo &) override {
        begin_ = std::clock();
        for (auto &flag : fluorite_mutants_reached) {
            flag = 0;
        }
    }
    void OnTestEnd(const testing::TestInfo &info) override {
        std::fprintf(log_, "%s.%s\\t%lld\\t%d\\t", info.test_suite_name(), info.name(),
                     static_cast<long long>(std::clock() - begin_) * 1000 / CLOCKS_PER_SEC, info.result()->Passed() && !info.result()->Skipped());
        for (int i = 0; i < SIZE; i++) {
            if (fluorite_mutants_reached[i]) {
                std::fprintf(log_, "%d ", i);
            }
        }
        std::fprintf(log_, "\\n");
        std::fflush(log_);
    }
};

int main(int argc, char **argv) {
    setenv("FLUORITE_SOURCE_DIR", FLUORITE_SOURCE_DIR, /*overwrite=*/0);
    setenv("FLUORITE_VERIFY", "1", /*overwrite=*/0);
    testing::InitGoogleTest(&argc, argv);
    if (std::getenv("FLUORITE_MUTANT_LOG")) {
        testing::UnitTest::GetInstance()->listeners().Append(new Tracer);
    }
    return RUN_ALL_TESTS();
}
"""


def write(path, text):
    """Writes a file only if its contents change, to avoid needless rebuilds."""
    data = text.encode() if isinstance(text, str) else text
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def with_mutants(text, mutants, header):
    """The text that includes the header, with all mutants of a file in it; and (first line, last line, mutant) of each there."""
    parts, at, line, lines = [f'#include "{header}"\n'], 0, 2, []
    for mutant in sorted(mutants, key=lambda m: m.begin):
        parts.append(text[at:mutant.begin])
        line += parts[-1].count("\n")
        parts.append(re.sub(r"\bID\b", str(mutant.id), mutant.code))
        last = line + parts[-1].count("\n")
        lines.append((line, last, mutant))
        line, at = last, mutant.end
    parts.append(text[at:])
    return "".join(parts), lines


class Scratch:
    def __init__(self, root, folder, assertions=True):
        self.root, self.tree = pathlib.Path(root), (pathlib.Path(folder) / "tree").resolve()
        # An index out of range or an empty optional ends the test, as with the sanitizers, and gives no value by chance.
        self.flags = ["-DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS"] if assertions else []
        self.build_folder = self.tree / "build" / "release"
        self.lines = {}  # file -> list of (first line, last line, mutant) in the mutated text

    def make(self, mutants):
        """Copies the tracked files and inserts the mutants."""
        by_file = collections.defaultdict(list)
        for mutant in mutants:
            by_file[mutant.file].append(mutant)
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root, check=True,
                                capture_output=True, text=True).stdout.split("\0")
        names = {name for name in listed if name and (self.root / name).is_file()}
        for old in self.tree.rglob("*"):
            name = str(old.relative_to(self.tree))
            if old.is_file() and not name.startswith("build/") and name not in names and name != "src/support/mutant.h":
                old.unlink()
        for name in names:
            data = (self.root / name).read_bytes()
            write(self.tree / name, self.mutated(name, data.decode(), by_file[name]) if name in by_file else data)
        size = str(max((m.id for m in mutants), default=0) // 512 * 512 + 512)
        write(self.tree / "src/support/mutant.h", HEADER.replace("SIZE", size))
        write(self.tree / "cmake/test_main.cpp", MAIN.replace("SIZE", size))

    def mutated(self, name, text, mutants):
        """The text with all mutants of a file; records their lines."""
        header = f'{"" if name.startswith("src/") else "src/"}support/mutant.h'
        text, self.lines[name] = with_mutants(text, mutants, header)
        return text

    def build(self, targets, jobs, say):
        """Builds; returns the mutants that do not compile."""
        if not (self.build_folder / "build.ninja").is_file():
            say("configuring the scratch copy")
            subprocess.run(["cmake", "--preset", "release", *self.flags], cwd=self.tree, check=True, capture_output=True)
        run = subprocess.run(["nice", "-n", "5", "ninja", "-k", "0", "-j", str(jobs), *targets], cwd=self.build_folder, capture_output=True, text=True)
        if run.returncode == 0:
            return set()
        # What a static_assert evaluates is named by a note.
        broken = self.mutants_at("error|  required from here", run.stdout) or self.mutants_at("note", run.stdout)
        if not broken:
            errors = [line for line in run.stdout.splitlines() if "error:" in line]
            raise SystemExit("the scratch copy does not build, and no mutant is to blame:\n" + "\n".join(errors[:40] or [run.stdout[-3000:]]))
        return broken

    def mutants_at(self, kinds, messages):
        """The mutants at the places of a compiler's messages of these kinds."""
        found = set()
        for match in re.finditer(rf"^(\S+?\.(?:cpp|h)):(\d+):\d+: (?:{kinds})", messages, re.MULTILINE):
            path = (self.build_folder / match[1]).resolve()
            name = str(path.relative_to(self.tree)) if path.is_relative_to(self.tree) else ""
            found |= {m.id for first, last, m in self.lines.get(name, []) if first - 1 <= int(match[2]) <= last + 1}
        return found
