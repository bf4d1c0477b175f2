// Sliding windows and folded storage: random chains of stencils, with stages stored and computed at random loops of the
// last stage, compared with the same definitions without a schedule.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {
std::atomic<int> least_row{INT_MAX}, greatest_row{INT_MIN};
}
extern "C" int sliding_test_note(int row, int value) {
    for (int seen = least_row; row < seen && !least_row.compare_exchange_weak(seen, row);) {
    }
    for (int seen = greatest_row; row > seen && !greatest_row.compare_exchange_weak(seen, row);) {
    }
    return value;
}
FLUORITE_EXTERN_2(int, sliding_test_note, int, int)

namespace fluorite::sliding_test {
namespace {

class Chain {
  public:
    enum class Boundaries : uint8_t { None, Between };
    explicit Chain(unsigned seed, Boundaries boundaries = Boundaries::None)
        : random_(seed), boundaries_(boundaries), rank_(in(1, 3)), vars_{Var("x"), Var("y"), Var("z")} {
        vars_.resize(static_cast<size_t>(rank_));
    }

    Buffer<> run(bool is_scheduled) {
        draw_sizes();
        define();
        if (is_scheduled) {
            schedule();
        }
        return stages_.back().realize(sizes_);
    }

    const std::string &text() const { return text_; }
    int at_different_levels() const { return different_; }

  private:
    std::mt19937 random_;
    Boundaries boundaries_;
    int rank_;
    std::vector<Var> vars_;
    std::vector<int> sizes_;
    std::vector<Func> stages_;
    std::string text_;
    int different_ = 0;

    int in(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    bool chance(int percent) { return in(0, 99) < percent; }

    void draw_sizes() {
        static const std::vector<int> all = {1, 2, 5, 7, 16, 23};
        for (int d = 0; d < rank_; d++) {
            sizes_.push_back(all[static_cast<size_t>(in(0, 5))]);
        }
    }

    std::vector<Expr> tap() {
        std::vector<Expr> at;
        const int scaled = chance(25) ? in(0, rank_ - 1) : -1;
        for (int d = 0; d < rank_; d++) {
            Expr where = vars_[static_cast<size_t>(d)];
            if (d == scaled) {
                where = chance(50) ? where * 2 : where / 2;
            }
            where = boundaries_ == Boundaries::Between && chance(8) ? -where : where;
            at.push_back(chance(50) ? where : where + in(-2, 2));
        }
        return at;
    }

    /// The stage with a boundary condition around a box, which may be smaller or larger than the region required.
    Func continued(const Func &stage) {
        Region box;
        std::vector<Expr> clamped;
        for (int d = 0; d < rank_; d++) {
            const int min = in(-2, 3), extent = in(1, sizes_[static_cast<size_t>(d)] + 2);
            box.push_back(chance(80) ? Range(min, extent) : Range());
            clamped.push_back(clamp(vars_[static_cast<size_t>(d)], min, min + extent - 1));
        }
        switch (in(0, 6)) {
        case 0:
            return BoundaryConditions::constant_exterior(stage, 3, box);
        case 1:
            return BoundaryConditions::repeat_image(stage, box);
        case 2:
            return BoundaryConditions::mirror_image(stage, box);
        case 3:
            return BoundaryConditions::mirror_interior(stage, box);
        case 4: {
            Func plain("clamped");
            plain(vars_) = stage(clamped);
            return plain;
        }
        default:
            return BoundaryConditions::repeat_edge(stage, box);
        }
    }

    void define() {
        stages_.clear();
        Func source("source");
        Expr value = 7;
        for (int d = 0; d < rank_; d++) {
            value = value * 31 + vars_[static_cast<size_t>(d)] * (d + 3);
        }
        source(vars_) = value;
        stages_.push_back(source);
        const int count = in(1, 4);
        for (int i = 0; i < count; i++) {
            Func stage("stage" + std::to_string(i));
            Expr sum = 0;
            Func before;
            const int taps = in(1, 3);
            for (int t = 0; t < taps; t++) {
                Func from = chance(70) ? stages_.back() : stages_[static_cast<size_t>(in(0, i))];
                from = t > 0 && boundaries_ == Boundaries::Between ? before : from;
                if (boundaries_ == Boundaries::Between && chance(t > 0 ? 20 : 85)) {
                    from = continued(from);
                }
                before = from;
                sum += from(tap()) * (t + 1);
            }
            stage(vars_) = sum;
            stages_.push_back(stage);
        }
    }

    /// Whether the directive is legal here.
    bool try_directive(const std::string &text, const std::function<void()> &directive) {
        try {
            directive();
        } catch (const CompileError &) {
            return false;
        }
        text_ += text + "; ";
        return true;
    }

    void schedule() {
        Func &last = stages_.back();
        std::vector<std::string> loops;
        for (const Var &var : vars_) {
            loops.push_back(var.name());
        }
        const int steps = in(0, 3);
        for (int i = 0; i < steps; i++) {
            const std::string a = loops[static_cast<size_t>(in(0, static_cast<int>(loops.size()) - 1))];
            const std::string b = loops[static_cast<size_t>(in(0, static_cast<int>(loops.size()) - 1))];
            const int factor = in(2, 5);
            if (chance(50)) {
                const std::string outer = a + "o", inner = a + "i";
                const TailStrategy tail = chance(50) ? TailStrategy::GuardWithIf : TailStrategy::Auto;
                try_directive("split " + a + " by " + std::to_string(factor), [&] {
                    last.split(Var(a), Var(outer), Var(inner), factor, tail);
                    std::replace(loops.begin(), loops.end(), a, inner);
                    loops.push_back(outer);
                });
            } else if (a != b) {
                try_directive("reorder " + a + ", " + b, [&] { last.reorder(Var(a), Var(b)); });
            }
        }
        if (chance(40)) {
            try_directive("vectorize", [&] { last.vectorize(Var(loops[0]), 4); });
        }
        for (size_t i = stages_.size() - 1; i-- > 0;) {
            place(stages_[i], last);
        }
    }

    void place(Func &func, const Func &last) {
        std::vector<std::string> order = Stage(last.function(), 0).loops(); // innermost first
        const int count = static_cast<int>(order.size());
        const int compute = in(0, count - 1), store = in(compute, count);
        const std::string name = func.name();
        bool differ = try_directive(name + ".compute_at(" + order[static_cast<size_t>(compute)] + ")",
                                    [&] { func.compute_at(last, Var(order[static_cast<size_t>(compute)])); });
        if (store == count) {
            differ &= try_directive(name + ".store_root()", [&] { func.store_root(); });
        } else if (store > compute) {
            differ &= try_directive(name + ".store_at(" + order[static_cast<size_t>(store)] + ")",
                                    [&] { func.store_at(last, Var(order[static_cast<size_t>(store)])); });
        }
        different_ += differ && store > compute;
        if (chance(30)) {
            try_directive(name + ".vectorize", [&] { func.vectorize(vars_[0], 4); });
        }
        if (chance(20) && rank_ > 1) {
            try_directive(name + ".reorder_storage", [&] { func.reorder_storage({vars_[1], vars_[0]}); });
        }
    }
};

/// Compares each chain with its result without a schedule; returns the number of stages that are stored and computed at
/// different levels.
int check_chains(unsigned first, unsigned last, Chain::Boundaries boundaries) {
    int different = 0;
    for (unsigned seed = first; seed <= last; seed++) {
        Chain plain(seed, boundaries), scheduled(seed, boundaries);
        const Buffer<> expected = plain.run(false);
        Buffer<> seen;
        try {
            seen = scheduled.run(true);
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "compute-at-outside-consumer"); // the sites do not enclose all uses
            continue;
        } catch (const RuntimeError &error) {
            EXPECT_EQ(error.slug(), "output-too-small"); // smaller than one vector
            continue;
        }
        different += scheduled.at_different_levels();
        int wrong = 0;
        const Buffer<int> all = expected, some = seen;
        all.for_each_element([&](const int *at) { wrong += all(at) != some(at); });
        EXPECT_EQ(wrong, 0) << "seed " << seed << ": " << scheduled.text();
    }
    return different;
}

TEST(Sliding, random_chains_keep_their_values) { EXPECT_GT(check_chains(1, 80, Chain::Boundaries::None), 40); }

TEST(Sliding, random_chains_with_boundaries_keep_their_values) {
    EXPECT_GT(check_chains(1, 40, Chain::Boundaries::Between), 10);
}

/// Two stages over an input that is not clamped. Both slide in strips of the last one, upward or downward.
struct Strips {
    int height = 1, reach = 1;
    bool is_down = false;
    std::string where = "strip"; // the first stage: in the "strip", in a "row", or of the "second"
    TailStrategy strip_tail = TailStrategy::GuardWithIf; // of the last stage's strips
    TailStrategy row_tail = TailStrategy::Auto;          // of the rows of the other stages, by `rows`
    int rows = 1;

    std::string text() const {
        return "height " + std::to_string(height) + ", reach " + std::to_string(reach) +
               (is_down ? ", down, first in " : ", first in ") + where + ", tails " +
               std::to_string(static_cast<int>(strip_tail)) + " and " + std::to_string(static_cast<int>(row_tail)) +
               " by " + std::to_string(rows);
    }

    struct Rows {
        int asked_min, asked_max, read_min, read_max;
    };

    /// The rows that the pipeline asks for of its input, and those that it reads.
    Rows run() const {
        const Var x("x"), y("y"), yo("yo"), yi("yi"), piece("piece"), row("row");
        ImageParam in(Int(32), 2, "in");
        Func first("first"), second("second"), out("out");
        first(x, y) = sliding_test_note(y, in(x, y));
        second(x, y) = first(x, y) + first(x, y + 1) * 2;
        const Expr at = is_down ? 100 - y : y;
        out(x, y) = second(x, at) + second(x, at + reach) * 3;
        out.split(y, yo, yi, 8, strip_tail);
        second.store_at(out, yo).compute_at(out, yi);
        if (rows > 1) {
            second.split(y, piece, row, rows, row_tail);
            if (where != "second") {
                first.split(y, piece, row, rows, row_tail);
            }
        }
        if (where == "second") {
            first.compute_at(second, rows > 1 ? piece : y);
        } else if (where == "row") {
            first.compute_at(out, yi);
        } else {
            first.store_at(out, yo).compute_at(out, yi);
        }
        out.infer_input_bounds({5, height});
        const Buffer<int> box = in.get();
        Rows result{box.dim(1).min(), box.dim(1).max(), 0, 0};
        Buffer<int> all(box.width(), 400), seen(5, height);
        all.set_min(box.dim(0).min(), -150);
        all.for_each_element([&](const int *point) { all(point) = point[0] * 7 + point[1] * point[1]; });
        in.set(all);
        least_row = INT_MAX, greatest_row = INT_MIN;
        out.realize(seen);
        result.read_min = least_row, result.read_max = greatest_row;
        const auto value = [&](int u, int v) {
            const auto pair = [&](int w) { return all(u, w) + all(u, w + 1) * 2; };
            const int from = is_down ? 100 - v : v;
            return pair(from) + pair(from + reach) * 3;
        };
        int wrong = 0;
        seen.for_each_element([&](const int *point) { wrong += seen(point) != value(point[0], point[1]); });
        EXPECT_EQ(wrong, 0) << text();
        return result;
    }
};

// What is asked for of an input contains all rows that windows read, also those by which a tail rounds up what a window
// has left to compute: three rows that are computed one at a time, rounded up to four, read further than three at once.
TEST(Sliding, inputs_contain_what_windows_read) {
    int beyond = 0;
    for (const int reach : {1, 5}) {
        for (const bool is_down : {false, true}) {
            for (const char *where : {"strip", "row", "second"}) {
                for (const TailStrategy tail :
                     {TailStrategy::RoundUp, TailStrategy::ShiftInwards, TailStrategy::PredicateStores}) {
                    const Strips strips{19, reach, is_down, where, TailStrategy::GuardWithIf, tail, 4};
                    const Strips::Rows seen = strips.run();
                    EXPECT_LE(seen.asked_min, seen.read_min) << strips.text();
                    EXPECT_GE(seen.asked_max, seen.read_max) << strips.text();
                    const int first = is_down ? 82 : 0;
                    beyond += seen.read_min < first || seen.read_max > first + 19 + reach;
                }
            }
        }
    }
    EXPECT_GT(beyond, 10);
}

// Conditions around the last strip end the windows: no more is asked for than the same Funcs at root would read.
TEST(Sliding, inputs_are_asked_for_what_conditions_let_windows_read) {
    for (const int height : {1, 19}) {
        for (const bool is_down : {false, true}) {
            for (const char *where : {"strip", "row", "second"}) {
                for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate}) {
                    const Strips strips{height, 2, is_down, where, tail};
                    const Strips::Rows seen = strips.run();
                    const int first = is_down ? 101 - height : 0;
                    EXPECT_EQ(seen.asked_min, first) << strips.text();
                    EXPECT_EQ(seen.asked_max, first + height + 2) << strips.text();
                    EXPECT_EQ(seen.read_min, first) << strips.text();
                    EXPECT_EQ(seen.read_max, first + height + 2) << strips.text();
                }
            }
        }
    }
}

} // namespace
} // namespace fluorite::sliding_test
