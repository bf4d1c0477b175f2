// Golden texts of the code generator: tests/emission/<name>.ir.
//
// A file contains a module of loop IR and, after `// expect avx2:`, the LLVM IR that is made from it for that machine
// (ir/test_golden_ir.h), before any optimization. It shows which instructions an access, an operator or a statement
// becomes, where values agree for many choices: tests that run code cannot tell a gather from loads of single lanes, a
// branch that is expected to be rare from one that is not, or memory that is kept for the next iteration from memory
// that is allocated again.
//
// The text is that of LLVM, without what would be alike in all files: the form `_argv` of the entry, attributes,
// declarations of LLVM's own functions, and the numbers of metadata. `!in` after an access is the alias tag of the
// buffer `in`; the names of other metadata stand for themselves. A file with the line `// whole` has all of it.
//
// FLUORITE_UPDATE_GOLDENS rewrites the texts; read in the difference that no instruction was added. Operands are
// emitted in the order in which the compiler of this library evaluates arguments: the texts are those of clang.

#include "backends/llvm/machine.h"
#include "backends/llvm/sanitize.h"
#include "ir/parse.h"
#include "ir/test_golden_ir.h"
#include "ir/verify.h"

#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace fluorite::backends::emission_test {
namespace {

using namespace ir;

/// The digits at a place of a text.
std::string digits_at(const std::string &text, size_t at) {
    return text.substr(at, std::min(text.find_first_not_of("0123456789", at), text.size()) - at);
}

/// The names of alias tags by their numbers: `!3 = !{!4, !4, i64 0}` has the name of `!4 = !{!"buffer in", !5}`.
std::map<std::string, std::string> alias_names(const std::string &text) {
    std::map<std::string, std::string> nodes, tags, names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::string number = line.starts_with('!') ? digits_at(line, 1) : "";
        const size_t open = 1 + number.size();
        if (number.empty()) {
            continue;
        }
        if (line.compare(open, 7, " = !{!\"") == 0) {
            const std::string name = line.substr(open + 7, line.find('"', open + 7) - open - 7);
            nodes[number] = name.starts_with("buffer ") ? name.substr(7) : name;
        } else if (line.ends_with(", i64 0}")) {
            tags[number] = digits_at(line, open + 6);
        }
    }
    for (const auto &[number, type] : tags) {
        names[number] = nodes[type];
    }
    return names;
}

/// A line without the numbers of its metadata and of attributes, and without the note of preceding blocks.
std::string shortened_line(std::string line, const std::map<std::string, std::string> &names) {
    line = line.substr(0, line.find("  ; preds ="));
    line.erase(line.find_last_not_of(' ') + 1);
    for (const std::string mark :
         {", !tbaa !", ", !prof !", ", !nontemporal !", ", !invariant.load !", ", !llvm.loop !"}) {
        const size_t at = line.find(mark);
        if (at != std::string::npos) {
            const std::string number = digits_at(line, at + mark.size());
            line.replace(at, mark.size() + number.size(),
                         mark == ", !tbaa !" ? ", !" + names.at(number) : mark.substr(0, mark.size() - 2));
        }
    }
    const size_t attribute = line.rfind(" #");
    const bool is_last = attribute != std::string::npos && attribute + 2 < line.size() &&
                         line.find_first_not_of("0123456789 {", attribute + 2) == std::string::npos;
    return is_last ? line.substr(0, attribute) + (line.ends_with(" {") ? " {" : "") : line;
}

/// Without what all modules have, as the first lines of this file say.
std::string shortened(const std::string &text) {
    const std::map<std::string, std::string> names = alias_names(text);
    const auto is_dropped = [](const std::string &line) {
        return line.empty() || line.starts_with("; ") || line.starts_with("source_filename") || line.starts_with('!') ||
               line.starts_with("attributes #") ||
               (line.starts_with("declare ") && line.find("@llvm.") != std::string::npos);
    };
    std::string result;
    bool is_argv = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        is_argv = is_argv || (line.starts_with("define ") && line.find("_argv(") != std::string::npos);
        result += is_argv || is_dropped(line) ? "" : shortened_line(line, names) + "\n";
        is_argv = is_argv && line != "}";
    }
    return result;
}

std::string emitted(const std::string &head, const std::string &target) {
    const bool is_whole = head.find("// whole\n") != std::string::npos;
    const LoweredModule program = parse_module(head);
    EXPECT_EQ(find_violation(program).value_or(""), "");
    llvm::LLVMContext context;
    const auto module = make_module(context, program, Target(target + (is_whole ? "" : "-jit")));
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << *module;
    return is_whole ? text : shortened(text);
}

TEST(Emission, EveryFileGivesItsText) {
    if (sanitizer_of_build() != Sanitizer::None) {
        GTEST_SKIP() << "under a sanitizer, other instructions gather small elements";
    }
#ifndef __clang__
    GTEST_SKIP() << "the operands of an instruction are made in the order in which clang evaluates arguments";
#endif
    const std::vector<std::filesystem::path> files = golden_files("tests/emission");
    EXPECT_GT(files.size(), 20U);
    for (const std::filesystem::path &path : files) {
        GoldenFile golden = read_golden_file(path);
        for (Expectation &expectation : golden.expect) {
            SCOPED_TRACE(path.string() + " on " + expectation.machine);
            const auto machine =
                std::find_if(std::begin(golden_machines), std::end(golden_machines),
                             [&](const GoldenMachine &each) { return each.name == expectation.machine; });
            ASSERT_NE(machine, std::end(golden_machines)) << "no machine is called " << expectation.machine;
            try {
                const std::string text = trimmed(emitted(golden.head, machine->target));
                if (!updates_goldens()) {
                    EXPECT_EQ(text, trimmed(expectation.text));
                }
                expectation.text = text;
            } catch (const std::exception &error) {
                ADD_FAILURE() << error.what();
            }
        }
        if (updates_goldens()) {
            write_golden_file(path, golden);
        }
    }
}

} // namespace
} // namespace fluorite::backends::emission_test
