// Random pipelines of one to four stages with updates of every form: derivatives in random directions against central
// differences, and the adjoints as machine code against the interpreter.
#include "driver/test_interpreted.h"
#include "fluorite/boundary_conditions.h"
#include "tests/derivative/gradients.h"

namespace fluorite::random_test {
namespace {

class RandomPipeline {
  public:
    explicit RandomPipeline(unsigned seed) : random_(seed) {
        rank_ = upto(1, 3);
        for (int i = 0; i < rank_; i++) {
            vars_.emplace_back(std::string(1, "xyz"[i]));
            sizes.push_back(upto(3, rank_ == 1 ? 9 : 5));
            mins.push_back(upto(-2, 2));
        }
        for (int k = upto(1, 2); k > 0; k--) {
            std::vector<int> extents;
            for (int i = 0; i < rank_; i++) {
                extents.push_back(upto(2, 5));
            }
            inputs.push_back(numbers<double>(extents, seed + static_cast<unsigned>(k), -1, 1));
            for (int i = 0; i < rank_; i++) {
                inputs.back().translate(i, upto(-2, 2));
            }
            sources_.push_back(bounded(inputs.back()));
        }
        for (int stages = upto(1, 4); stages > 0; stages--) {
            add_stage();
        }
        // Each input is read.
        Func last("last");
        Expr sum = read(sources_.back(), coordinates());
        for (size_t k = 0; k < inputs.size(); k++) {
            sum = sum + read(sources_[k], coordinates());
        }
        last(vars_) = sum;
        output = last;
    }

    Func output;
    std::vector<Buffer<double>> inputs;
    std::vector<int> sizes, mins;

  private:
    std::mt19937_64 random_;
    int rank_ = 1;
    std::vector<Var> vars_;
    std::vector<Func> sources_;

    int upto(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    bool chance(int one_in) { return upto(1, one_in) == 1; }

    Func bounded(const Buffer<double> &image) {
        using namespace BoundaryConditions;
        switch (upto(0, 4)) {
        case 0:
            return repeat_edge(image);
        case 1:
            return repeat_image(image);
        case 2:
            return mirror_image(image);
        case 3:
            return mirror_interior(image);
        default:
            return constant_exterior(image, 0.25);
        }
    }

    std::vector<Expr> coordinates() { return {vars_.begin(), vars_.end()}; }

    /// A coordinate made of another one: moved, scaled, mirrored, clamped, or looked up.
    Expr moved(const Expr &at) {
        switch (upto(0, 9)) {
        case 0:
            return at * 2 + upto(-1, 1);
        case 1:
            return at / upto(2, 3);
        case 2:
            return (at + upto(0, 2)) / 2 + 1;
        case 3:
            return upto(0, 3) - at;
        case 4:
            return clamp(at + upto(-1, 1), upto(-1, 0), upto(1, 3));
        case 5:
            return upto(-1, 2);
        case 6:
            return at % 3;
        default:
            return at + upto(-2, 2);
        }
    }

    Expr read(const Func &func, std::vector<Expr> at) {
        for (Expr &coordinate : at) {
            coordinate = moved(coordinate);
        }
        if (rank_ > 1 && chance(4)) {
            std::swap(at[0], at[1]);
        }
        const FuncRef call = func(at);
        return func.outputs() == 1 ? Expr(call) : Expr(call[upto(0, func.outputs() - 1)]);
    }

    const Func &any_source() { return sources_[static_cast<size_t>(upto(0, static_cast<int>(sources_.size()) - 1))]; }

    Expr value(const std::vector<Expr> &at, int depth) {
        if (depth == 0) {
            return chance(8) ? cast<double>(at[0]) * 0.125 : read(any_source(), at);
        }
        const auto inner = [&] { return value(at, depth - 1); };
        switch (upto(0, 12)) {
        case 0:
            return inner() + inner();
        case 1:
            return inner() - inner() * 0.5;
        case 2:
            return inner() * inner();
        case 3:
            return inner() / (2 + sin(inner()));
        case 4:
            return sin(inner());
        case 5:
            return tanh(inner() * 2);
        case 6:
            return max(inner(), inner() - 0.1);
        case 7:
            return select(at[0] % 2 == 0, inner(), inner());
        case 8:
            return select(inner() > 0.05, inner(), -inner());
        case 9:
            return sqrt(abs(inner()) + 0.5);
        case 10:
            return hypot(inner(), 1.0) - exp(-abs(inner()));
        case 11:
            return lerp(inner(), inner(), clamp(inner(), 0.1, 0.9));
        default:
            return absd(inner(), 0.3);
        }
    }

    void add_stage() {
        Func f(concat("f", sources_.size()));
        const bool is_tuple = chance(4);
        const int depth = upto(0, 2);
        if (is_tuple) {
            f(vars_) = Tuple(value(coordinates(), depth), value(coordinates(), depth));
        } else {
            f(vars_) = value(coordinates(), depth);
        }
        for (int updates = upto(0, 3); updates > 0; updates--) {
            is_tuple ? update_tuple(f) : update(f);
        }
        sources_.push_back(f);
    }

    /// A sum over a window, a scan, a product, an overwritten line, a maximum, or a histogram.
    void update(const Func &f) {
        RDom r(0, upto(1, 4), "r");
        if (chance(3)) {
            r.where(r.x != 1);
        }
        std::vector<Expr> at = coordinates(), line = at, former = at, later = at;
        line[0] = r + 1;
        former[0] = Expr(r) + 1 - upto(1, 2);
        later[0] = Expr(r) + 2;
        std::vector<Expr> window = at;
        window[static_cast<size_t>(upto(0, rank_ - 1))] += Expr(r);
        switch (upto(0, 7)) {
        case 0:
            f(at) += value(window, 1) * 0.5;
            return;
        case 1:
            f(line) = sin(f(former)) * 0.75 + value(line, 0) * f(line);
            return;
        case 2:
            f(line) = f(former) * f(later) + value(line, 0);
            return;
        case 3:
            f(at) *= value(window, 0) + 1.25;
            return;
        case 4:
            f(at) = max(f(at), value(window, 0));
            return;
        case 5:
            f(at) = sin(f(at)) * value(at, 1);
            return;
        case 6:
            line[0] = upto(0, 2);
            f(line) = value(line, 1);
            return;
        default:
            line[0] = clamp((Expr(r) * 5 + 2) % 3, 0, 2);
            f(line) += value(former, 1);
            return;
        }
    }

    void update_tuple(const Func &f) {
        RDom r(0, upto(1, 3), "r");
        std::vector<Expr> at = coordinates(), line = at, former = at, window = at;
        line[0] = r + 1;
        former[0] = Expr(r);
        window[0] += Expr(r);
        switch (upto(0, 3)) {
        case 0:
            f(at) += Tuple(value(window, 0), value(window, 1));
            return;
        case 1:
            f(line) = Tuple(f(former)[1] * 0.5 + value(line, 0), sin(f(former)[0]) + f(line)[1]);
            return;
        case 2: {
            const Expr found = value(window, 0);
            f(at) = Tuple(select(found > f(at)[1], value(window, 0), f(at)[0]), max(f(at)[1], found));
            return;
        }
        default:
            f(at)[upto(0, 1)] *= value(at, 0);
            return;
        }
    }
};

void check(unsigned seed, bool compiled) {
    SCOPED_TRACE(concat("seed ", seed));
    RandomPipeline pipeline(seed);
    GradientCase what{pipeline.sizes, pipeline.mins};
    const Buffer<double> weights = at_region(what, numbers<double>(what.sizes, 77));
    const std::vector<double> weight = values_of(weights);
    const auto objective = [&] {
        double sum = 0;
        const std::vector<double> seen = values_of(interpreted<double>(pipeline.output, what.sizes, what.mins));
        for (size_t i = 0; i < seen.size(); i++) {
            sum += weight[i] * seen[i];
        }
        return sum;
    };
    const Derivative d = propagate_adjoints(pipeline.output, weights);
    std::vector<std::vector<double>> gradients;
    double norm = 1;
    for (const Buffer<double> &input : pipeline.inputs) {
        std::vector<int> extents, mins;
        for (int i = 0; i < input.dimensions(); i++) {
            extents.push_back(input.dim(i).extent());
            mins.push_back(input.dim(i).min());
        }
        gradients.push_back(values_of(interpreted<double>(d(input), extents, mins)));
        for (const double value : gradients.back()) {
            norm = std::max(norm, std::abs(value));
        }
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> in_range(-1, 1);
    for (int direction = 0; direction < 3; direction++) {
        double wanted = 0;
        std::vector<std::vector<double>> moves;
        for (const std::vector<double> &gradient : gradients) {
            moves.emplace_back();
            for (const double value : gradient) {
                moves.back().push_back(in_range(random));
                wanted += value * moves.back().back();
            }
        }
        const auto move = [&](double step) {
            for (size_t k = 0; k < moves.size(); k++) {
                size_t i = 0;
                pipeline.inputs[k].for_each_value([&](double &value) { value += step * moves[k][i++]; });
            }
        };
        constexpr double step = 1e-6;
        move(step);
        const double above = objective();
        move(-2 * step);
        const double below = objective();
        move(step);
        EXPECT_NEAR(wanted, (above - below) / (2 * step), 1e-5 * norm) << "direction " << direction;
    }
    if (compiled) {
        d.compute_root();
        const Buffer<double> &input = pipeline.inputs[0];
        const Func adjoint = d(input);
        Func from_zero("from_zero");
        std::vector<int> extents;
        std::vector<Expr> at;
        for (int i = 0; i < input.dimensions(); i++) {
            extents.push_back(input.dim(i).extent());
            at.push_back(adjoint.args()[static_cast<size_t>(i)] + input.dim(i).min());
        }
        from_zero(adjoint.args()) = adjoint(at);
        expect_interpreted(from_zero, extents, concat("seed ", seed));
    }
}

TEST(DerivativeRandom, AgainstDifferences) {
    for (unsigned seed = 1; seed <= 60 && !testing::Test::HasFailure(); seed++) {
        check(seed, seed % 20 == 0);
    }
}

} // namespace
} // namespace fluorite::random_test
