// What holds for every directive, by its row: its example is read, printed and applied; random lines of it are applied
// or refused, and a refused one changes nothing.
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "schedule/same_schedule.h"
#include "schedule/text/schedule_text.h"
#include "support/test_errors.h"
#include "tests/schedule/example_pipeline.h"

#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace fluorite::every_directive_test {
namespace {

using schedule::ArgKind;
using schedule::ArgSpec;
using schedule::Arity;
using schedule::Directive;
using schedule::DirectiveRow;
using Blur = ExamplePipeline;

std::string text_of_line(const std::string &line) { return "fluorite schedule 1\n" + line + "\nend\n"; }

TEST(EveryDirective, IsReadPrintedAndApplied) {
    for (const DirectiveRow &row : schedule::directive_rows()) {
        SCOPED_TRACE(row.example);
        const std::string text = text_of_line(row.example);
        const Schedule schedule = Schedule::parse(text);
        EXPECT_EQ(schedule.text(), text);
        ASSERT_EQ(schedule.size(), 1u);
        EXPECT_EQ(schedule.directives()[0].name, row.name);

        if (!row.apply && row.name != std::string("in") && row.name != std::string("clone_in")) {
            continue; // of Funcs that only programs create
        }
        Blur b;
        b.pipeline.apply(schedule);
        const Schedule normal = b.pipeline.schedule();
        EXPECT_EQ(normal.empty(), row.leaves_nothing) << normal;
        EXPECT_EQ(Schedule::parse(normal.text()), normal);
        Blur again;
        again.pipeline.apply(normal);
        EXPECT_EQ(again.pipeline.schedule(), normal);
    }
}

TEST(EveryDirective, HasALineOfItsOwn) {
    for (const DirectiveRow &row : schedule::directive_rows()) {
        EXPECT_EQ(schedule::find_directive(row.name), &row);
        EXPECT_EQ(&schedule::row_of(row.id), &row);
        EXPECT_STRNE(row.summary, "");
        EXPECT_EQ(row.again == DirectiveRow::Again::Replace, *row.slot != 0) << row.name;
        EXPECT_STRNE(row.meaning.reason, "") << row.name;
    }
}

/// Random lines by the row of a directive: many are refused.
class RandomLines {
  public:
    explicit RandomLines(unsigned seed) : random_(seed) {}

    Directive of(const DirectiveRow &row) {
        Directive line;
        line.name = row.name;
        line.func = one_of({"blur_x", "blur_y", "total"});
        line.stage = row.on_stage && line.func == "total" ? pick(2) : 0;
        for (const ArgSpec &spec : row.args) {
            if (is_optional(spec.arity) && pick(2) == 0) {
                break;
            }
            const int lists = spec.arity == Arity::Lists ? 1 + pick(3) : 1;
            for (int k = 0; k < lists; k++) {
                line.args.push_back(arguments(spec));
            }
        }
        return line;
    }

  private:
    std::mt19937 random_;

    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    std::string one_of(const std::vector<std::string> &words) {
        return words[static_cast<size_t>(pick(static_cast<int>(words.size())))];
    }
    static bool is_optional(Arity arity) { return arity == Arity::Optional || arity == Arity::OptionalList; }

    std::vector<std::string> arguments(const ArgSpec &spec) {
        const bool is_one = spec.arity == Arity::One || spec.arity == Arity::Optional;
        std::vector<std::string> list;
        for (int k = is_one ? 1 : 1 + pick(3); k > 0; k--) {
            list.push_back(argument(spec.kind));
        }
        return list;
    }

    std::string argument(ArgKind kind) {
        switch (kind) {
        case ArgKind::Loop:
            return one_of({"x", "y", "x", "y", "r$x", "r$y", "z"});
        case ArgKind::NewLoop:
            return one_of({"a", "b", "c", "x"});
        case ArgKind::Dimension:
            return one_of({"x", "y", "z"});
        case ArgKind::Func:
            return one_of({"blur_x", "blur_y", "total"});
        case ArgKind::Source:
            return one_of({"blur_x", "input"});
        case ArgKind::Expression:
            return one_of({"-1", "0", "1", "2", "8", "p", "p > 2", "100000000"});
        case ArgKind::Promise:
            return one_of({"none", "0", "8", "p"});
        case ArgKind::Integer:
            return one_of({"0", "1"});
        case ArgKind::Tail:
            return schedule::tail_word(static_cast<TailStrategy>(pick(9)));
        case ArgKind::Partition:
            return schedule::partition_word(static_cast<Partition>(pick(3)));
        case ArgKind::Memory:
            return schedule::memory_word(static_cast<MemoryType>(pick(4)));
        case ArgKind::Text:
            return "a text";
        case ArgKind::Align:
            return schedule::align_word(static_cast<LoopAlignStrategy>(pick(3)));
        case ArgKind::Outside:
            return schedule::outside_word(static_cast<PrefetchBoundStrategy>(pick(3)));
        case ArgKind::Shape:
            return schedule::shape_word(static_cast<TimeTileShape>(pick(3)));
        }
        return "";
    }
};

TEST(EveryDirective, ARefusedLineChangesNothing) {
    const Blur blur;
    const schedule::ScheduledGraph pipeline = language::freeze(std::vector<Func>{blur.total});
    const schedule::Schedule plain = schedule::default_schedule(pipeline.graph);
    RandomLines lines(1);
    int accepted = 0, refused = 0;
    for (const DirectiveRow &row : schedule::directive_rows()) {
        for (int k = 0; row.apply && k < 60; k++) {
            const Directive line = lines.of(row);
            schedule::Schedule after = plain;
            Verdict legal;
            try {
                legal = apply_directives(pipeline.graph, after, {&line, 1}, {});
            } catch (const CompileError &error) { // a name of another pipeline
                legal = Refusal{error.slug(), error.message(), {}};
            }
            legal ? accepted++ : refused++;
            // A level is checked when all lines are applied, and set_estimates is made of others.
            const bool is_checked_later = row.subject == schedule::Subject::Placement ||
                                          row.subject == schedule::Subject::Storage ||
                                          row.id == schedule::DirectiveName::set_estimates;
            for (size_t f = 0; !legal && !is_checked_later && f < plain.funcs.size(); f++) {
                EXPECT_TRUE(schedule::same_schedule(plain.funcs[f], after.funcs[f]))
                    << to_text(line) << ": " << legal.refusal().message;
            }
        }
    }
    EXPECT_GT(accepted, 500);
    EXPECT_GT(refused, 500);
}

} // namespace
} // namespace fluorite::every_directive_test
