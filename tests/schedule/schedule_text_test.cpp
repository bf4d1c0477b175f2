// Texts and files of schedules: what is written whole, and what is refused with its line.
#include "fluorite/fluorite.h"
#include "schedule/text/schedule_text.h"
#include "support/test_errors.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::schedule_text_test {
namespace {

const std::string head = "fluorite schedule 1\n";

void expect_refused(const std::function<void()> &run, const std::string &slug, const std::string &message) {
    expect_error(run, slug, message, {"schedule_text_test"});
}

TEST(ScheduleText, FilesAreWrittenWhole) {
    const Schedule schedule = Schedule::parse(head + "f.compute_root()\nend\n");
    schedule.save("schedule_value.txt");
    EXPECT_EQ(Schedule::load("schedule_value.txt"), schedule);
    EXPECT_FALSE(std::ifstream("schedule_value.txt.part").is_open());
    std::remove("schedule_value.txt");
    expect_refused(
        [] { Schedule::load("schedule_value.txt"); }, "schedule-file",
        "in a Schedule: cannot read the file 'schedule_value.txt'; it must exist and be readable; give the path "
        "of a saved schedule");
    expect_refused(
        [&] { schedule.save("no/such/folder.txt"); }, "schedule-file",
        "in a Schedule: cannot write the file 'no/such/folder.txt'; its folder must exist and be writable; give "
        "another path");
}

TEST(ScheduleText, AFileThatWasCutOffIsRefusedWhereverItWasCut) {
    const std::string whole = head + "f.compute_root()\nf.vectorize(x, 8)\nend\n";
    for (size_t length = 0; length + 2 < whole.size(); length++) {
        try {
            Schedule::parse(whole.substr(0, length));
            ADD_FAILURE() << "accepted after " << length << " letters";
        } catch (const CompileError &error) {
            const bool in_head = length > 0 && length < head.size() - 1;
            EXPECT_EQ(error.slug(), in_head ? "schedule-syntax" : "schedule-truncated") << length;
        }
    }
    expect_refused(
        [] { Schedule::parse(head + "f.compute_root()\nf.vector", "blur.schedule"); }, "schedule-truncated",
        "in blur.schedule, line 3: the text ends here without the line 'end'; a schedule that is whole ends with "
        "it; read the whole file, or write it again");
}

TEST(ScheduleText, NewerVersionsAreRefused) {
    expect_refused(
        [] { Schedule::parse("fluorite schedule 2\nend\n"); }, "schedule-version",
        "in the schedule, line 1: its version is 2; this library reads versions up to 1; use a newer library, or "
        "write the schedule with this one");
}

TEST(ScheduleText, SyntaxErrorsNameTheLine) {
    const std::string form = "; a line is func.directive(arguments) or func.update(k).directive(arguments); repair the "
                             "line, or remove it";
    auto expect_syntax = [](const std::string &lines, const std::string &message) {
        expect_refused([&] { Schedule::parse(head + lines + "end\n"); }, "schedule-syntax",
                       "in the schedule, " + message);
    };
    expect_refused(
        [] { Schedule::parse("hello\nend\n"); }, "schedule-syntax",
        "in the schedule, line 1: 'hello' stands first; a schedule begins with the line 'fluorite schedule 1'; is "
        "this a schedule? Add the line");
    expect_refused(
        [] {
            Schedule::parse("\x7f"
                            "ELF\x02\x01 " +
                            std::string(100, 'a'));
        },
        "schedule-syntax",
        "in the schedule, line 1: '?ELF?? " + std::string(73, 'a') +
            "...' stands first; a schedule begins with the line 'fluorite schedule 1'; is this a schedule? Add the "
            "line");
    expect_syntax(std::string(100, '(') + "\n",
                  "line 2: '" + std::string(80, '(') + "...' stands where the name of a Func is expected" + form);
    expect_syntax("\nf.compute_root\n", "line 3: the line ends where '(' is expected" + form);
    expect_syntax("f.split(x, xo, xi)\n", "line 2: ')' stands where ',' is expected" + form);
    expect_syntax("f.split(x, xo, xi, 8, Round)\n", "line 2: 'Round)' stands where a TailStrategy is expected" + form);
    expect_syntax("f.store_in(Attic)\n",
                  "line 2: 'Attic)' stands where Auto, Heap, Stack, Register or GPUShared is expected" + form);
    expect_syntax("f.reorder(x, y) z\n", "line 2: 'z' stands where the end of the line is expected" + form);
    expect_syntax("f.update(-1).serial(x)\n",
                  "line 2: '-1).serial(x)' stands where a number of 0 or more is expected" + form);
    expect_syntax("f.parallel('x)\n", "line 2: ''x)' stands where the name of a loop, in quotes that are closed, is "
                                      "expected" +
                                          form);
    expect_syntax("f.update(0).compute_root()\n",
                  "line 2: compute_root is given to update(0) of f; it is a directive on whole Funcs; write "
                  "f.compute_root");
    expect_syntax(
        "f.unroll(x, 2 +)\n",
        "line 2: '2 +' is no expression (text:1:4: the text ends where an expression is expected); factors and "
        "bounds are numbers, or integer expressions of Params and sizes of inputs; repair the expression");
    expect_syntax(
        "f.parallel(y)\ng.parallel(y)\nf.parallel(y)\n",
        "line 4: f.parallel(y) stands twice, first in line 2; each line says something new; remove one of the "
        "two");
    expect_syntax("f.compute_root()\nf.compute_at(g, y)\n",
                  "line 3: f.compute_at(g, y) gives a second compute level to the Func, after line 2; each line says "
                  "something new; remove one of the two");
    expect_syntax("end\nf.parallel(y)\n",
                  "line 3: 'f.parallel(y)' stands after the line 'end'; 'end' is the last line; "
                  "move it to the end");
    std::string names;
    for (const schedule::DirectiveRow &row : schedule::directive_rows()) {
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    expect_syntax("f.paralel(y)\n", "line 2: 'paralel' is no directive; the directives are " + names +
                                        "; write one of these, or remove the line");
}

} // namespace
} // namespace fluorite::schedule_text_test
