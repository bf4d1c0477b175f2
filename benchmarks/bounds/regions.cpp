// Prints which regions of their inputs random small pipelines require, for ../bounds.py: one source for both sides.
//
//     regions COUNT    prints, for each seed below COUNT, `<seed> <text>` of its definitions, and for each input
//                      `= <seed> <input> <min> <max> ...` (a pair for each dimension), or `= <seed> refused <error>`
//
// The pipelines are chains of 1 to 4 Funcs of two dimensions, each reading the one before, or an input, twice at
// coordinates of random forms; some reduce over a domain, some are updated, and some have a schedule.

#include "Halide.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace Halide;

namespace {

class Chain {
  public:
    explicit Chain(unsigned seed) : random_(seed) {
        width_ = in(1, 40);
        height_ = in(1, 40);
        shift_.set_range(-3, 5);
        shift_.set(in(-3, 5));
        define();
        if (chance(50)) {
            schedule();
        }
    }

    const std::string &text() const { return text_; }

    std::string required() {
        stages_.back().infer_input_bounds({width_, height_});
        std::ostringstream list;
        for (ImageParam *input : {&words_, &bytes_}) {
            const Buffer<> buffer = input->get();
            if (buffer.defined()) {
                list << (input == &words_ ? " words" : " bytes");
                for (int d = 0; d < buffer.dimensions(); d++) {
                    list << ' ' << buffer.dim(d).min() << ' ' << buffer.dim(d).max();
                }
            }
        }
        return list.str();
    }

  private:
    std::mt19937 random_;
    ImageParam words_{Int(32), 2, "words"}, bytes_{UInt(8), 2, "bytes"};
    Param<int> shift_{"shift"};
    Var x_{"x"}, y_{"y"};
    std::vector<Func> stages_;
    std::string text_;
    int width_ = 0, height_ = 0;

    int in(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    bool chance(int percent) { return in(0, 99) < percent; }

    /// A coordinate that depends on `v`, and its text.
    Expr coordinate(const Expr &v, const Expr &other, const std::string &name, std::string &text) {
        const int kind = in(0, 19), c = in(-3, 9), d = c + in(0, 9);
        const std::string number = std::to_string(c), second = std::to_string(d);
        switch (kind) {
        case 0:
            text = name + " * 2 + " + number;
            return v * 2 + c;
        case 1:
            text = name + " / 2 + " + number;
            return v / 2 + c;
        case 2:
            text = "clamp(" + name + ", " + number + ", " + second + ")";
            return clamp(v, c, d);
        case 3:
            text = "min(" + name + ", " + number + ")";
            return min(v, c);
        case 4:
            text = "max(" + name + " - 2, " + number + ")";
            return max(v - 2, c);
        case 5:
            text = name + " % 8";
            return v % 8;
        case 6:
            text = "abs(" + name + " - " + number + ")";
            return cast<int>(abs(v - c));
        case 7:
            text = "select(" + name + " > " + number + ", " + name + " - " + number + ", " + name + " + 1)";
            return select(v > c, v - c, v + 1);
        case 8:
            text = number + " - " + name;
            return c - v;
        case 9:
            text = "(" + name + " * 3 + the other) / 4";
            return (v * 3 + other) / 4;
        case 10:
            text = "cast<int>(" + name + " * 0.5f)";
            return cast<int>(cast<float>(v) * 0.5f);
        case 11:
            text = "bytes(" + name + ", 0)";
            return cast<int>(bytes_(v, 0));
        case 12:
            text = name + " + shift";
            return v + shift_;
        case 13:
            text = name + " & 7";
            return v & 7;
        case 14:
            text = name + " >> 1";
            return v >> 1;
        case 15:
            text = "clamp(" + name + " - the other, -4, 4) + " + name;
            return clamp(v - other, -4, 4) + v;
        case 16:
            text = name + " / 2 * 2 + " + name + " % 2";
            return v / 2 * 2 + v % 2;
        case 17:
            text = "clamp(words(" + name + ", 1), 0, " + number + " + 3)";
            return clamp(words_(v, 1), 0, c + 3);
        default:
            text = name + " + " + number;
            return v + c;
        }
    }

    Expr read(const Expr &x, const Expr &y, const std::string &suffix) {
        std::string first, second;
        const Expr a = coordinate(x, y, "x" + suffix, first), b = coordinate(y, x, "y" + suffix, second);
        const std::string at = "(" + first + ", " + second + ")";
        if (stages_.empty() || chance(15)) {
            text_ += " words" + at;
            return words_(a, b);
        }
        text_ += " f" + std::to_string(stages_.size() - 1) + at;
        return stages_.back()(a, b);
    }

    void define() {
        for (int count = in(1, 4), i = 0; i < count; i++) {
            Func f("f" + std::to_string(i));
            text_ += "; f" + std::to_string(i) + ":";
            const int kind = in(0, 5);
            if (kind == 0) {
                RDom r(in(-2, 0), 3, in(-1, 1), 2, "r");
                if (chance(40)) {
                    r.where(r.x + r.y < 1);
                    text_ += " where";
                }
                text_ += " sum";
                f(x_, y_) = 0;
                f(x_, y_) += read(x_ + r.x, y_ + r.y, " + r");
            } else if (kind == 1) {
                f(x_, y_) = read(x_, y_, "");
                text_ += " update";
                f(x_, y_) += read(x_, y_, "");
            } else if (kind == 2) {
                text_ += " select";
                const Expr a = read(x_, y_, ""), b = read(x_, y_, "");
                f(x_, y_) = select(x_ < 5, a, b);
            } else {
                const Expr a = read(x_, y_, ""), b = read(x_, y_, "");
                f(x_, y_) = a + b;
            }
            stages_.push_back(f);
        }
    }

    void schedule() {
        Func last = stages_.back();
        Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
        const bool tiles = chance(50);
        if (tiles) {
            last.tile(x_, y_, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
        }
        text_ += tiles ? "; tiles" : "; rows";
        for (size_t i = 0; i + 1 < stages_.size(); i++) {
            const int where = in(0, 2);
            if (where == 0) {
                stages_[i].compute_root();
                text_ += " root";
            } else if (where == 1) {
                stages_[i].compute_at(last, tiles ? xo : y_);
                text_ += " at";
            } else {
                stages_[i].store_root().compute_at(last, tiles ? yo : y_);
                text_ += " window";
            }
        }
    }
};

} // namespace

int main(int count, char **arguments) {
    const int seeds = count > 1 ? std::atoi(arguments[1]) : 100;
    for (int seed = 0; seed < seeds; seed++) {
        std::string required;
        try {
            Chain pipeline(static_cast<unsigned>(seed));
            std::printf("%d %s\n", seed, pipeline.text().c_str());
            required = pipeline.required();
        } catch (const Error &error) {
            required = std::string(" refused ") + error.what();
            std::replace(required.begin(), required.end(), '\n', ' ');
        }
        std::printf("= %d%s\n", seed, required.c_str());
        std::fflush(stdout);
    }
    return 0;
}
