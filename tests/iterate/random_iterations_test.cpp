// Random iterated stencils: shapes, boundary rules, ranks, types, sizes, fields, intermediate Funcs, numbers of steps
// and of steps a pass, drawn from a seed; compiled code against the interpreter.
#include "fluorite/iterate.h"

#include "driver/test_interpreter.h"
#include "fluorite/stencil.h"

#include <gtest/gtest.h>
#include <random>

namespace fluorite::random_iterations_test {
namespace {

class Drawn {
  public:
    explicit Drawn(unsigned seed) : random_(seed) {}

    void check(const std::string &what) {
        rank_ = 1 + below(3);
        for (int d = 0; d < rank_; d++) {
            sizes_.push_back(1 + below(rank_ == 3 ? 9 : 40));
            mins_.push_back(below(7) - 3);
        }
        const Type types[] = {Float(32), Float(64), Int(32), UInt(8), Int(16)};
        const int fields = 1 + below(2);
        std::vector<ImageParam> images;
        Func initial("initial");
        const std::vector<Var> vars = variables();
        std::vector<Expr> values;
        for (int f = 0; f < fields; f++) {
            const Type type = types[below(5)];
            Expr value = cast<int>(f + 1);
            for (int d = 0; d < rank_; d++) {
                value = value * (3 + d) + vars[static_cast<size_t>(d)] * (1 + below(5));
            }
            values.push_back(cast(type, value % 50));
        }
        initial(vars) = Tuple(values);
        Region domain;
        for (int d = 0; d < rank_; d++) {
            const auto i = static_cast<size_t>(d);
            domain.emplace_back(mins_[i], sizes_[i]);
        }
        Param<int> steps("steps");
        const int count = below(8), tile = 1 + below(4);
        const bool is_known = below(2) == 0;
        Iterated f = iterate(is_known ? Expr(count) : Expr(steps), domain, initial,
                             [&](const IterationStep &s) { return body(s, initial.types()); });
        f.time_tile(tile);
        steps.set(count);
        std::vector<Buffer<>> seen, meaning;
        std::vector<fluorite_buffer_t *> headers;
        for (const Type &type : initial.types()) {
            seen.push_back(make(type));
            meaning.push_back(make(type));
            headers.push_back(meaning.back().raw_buffer());
        }
        f.realize(Realization(seen));
        interpret_into(f, headers, get_jit_target_from_environment().has_feature(Target::FMA));
        for (size_t i = 0; i < seen.size(); i++) {
            EXPECT_EQ(interpret::compare_bits(*seen[i].raw_buffer(), *meaning[i].raw_buffer()).text, "")
                << what << ": rank " << rank_ << ", " << count << " steps, " << tile << " a pass, field " << i;
        }
    }

  private:
    std::mt19937 random_;
    int rank_ = 1;
    std::vector<int> sizes_, mins_;

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    Buffer<> make(Type type) {
        Buffer<> buffer(type, sizes_);
        buffer.set_min(mins_);
        return buffer;
    }

    std::vector<Var> variables() const {
        const std::vector<Var> all = {Var("x"), Var("y"), Var("z")};
        return {all.begin(), all.begin() + rank_};
    }

    StencilBoundary rule(Type type) {
        switch (below(6)) {
        case 0:
            return StencilBoundary::zero();
        case 1:
            return StencilBoundary::constant(cast(type, 3));
        case 2:
            return StencilBoundary::wrap();
        case 3:
            return StencilBoundary::mirror();
        case 4:
            return StencilBoundary::mirror_interior();
        default:
            return StencilBoundary::edge();
        }
    }

    std::vector<std::vector<int>> shape() {
        std::vector<std::vector<int>> offsets(static_cast<size_t>(1 + below(5)));
        for (std::vector<int> &offset : offsets) {
            for (int d = 0; d < rank_; d++) {
                offset.push_back(below(5) - 2);
            }
        }
        return offsets;
    }

    Func body(const IterationStep &s, const std::vector<Type> &types) {
        const std::vector<Var> vars = variables();
        const std::vector<Expr> point(vars.begin(), vars.end());
        std::vector<Func> parts;
        for (size_t f = 0; f < types.size(); f++) {
            const auto combine = [&](const std::vector<Expr> &a) {
                Expr value = a[0];
                for (size_t k = 1; k < a.size(); k++) {
                    value = k % 3 == 2 ? max(value, a[k]) : value + a[k];
                }
                return value;
            };
            parts.push_back(stencil(shape(), combine, s.fields[f], rule(types[f])));
            if (below(3) == 0) { // a second stage, read at several points
                parts.back() = stencil(shape(), combine, StencilSource(parts.back(), s.domain), rule(types[f]));
            }
        }
        std::vector<Expr> values;
        for (size_t f = 0; f < types.size(); f++) {
            Expr value = Expr(parts[f](point)) / cast(types[f], 2);
            if (below(2) == 0) {
                value = value + cast(types[f], s.t);
            }
            if (below(2) == 0) {
                value = value + cast(types[f], cast<int>(Expr(parts[types.size() - 1 - f](point))) % 16);
            }
            values.push_back(cast(types[f], value));
        }
        Func next("next");
        next(vars) = Tuple(values);
        return next;
    }
};

TEST(Iterate, RandomPrograms) {
    for (unsigned seed = 1; seed <= 8; seed++) {
        Drawn(seed).check(concat("seed ", seed));
    }
}

} // namespace
} // namespace fluorite::random_iterations_test
