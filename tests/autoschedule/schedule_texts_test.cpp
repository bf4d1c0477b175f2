// Automatic schedules of programs of all kinds on three processors, as whole texts: tests/autoschedule/schedules.
//
// A text has the directives, those of one Func on a line, and the costs that led to them. A change of a cost, of a
// limit or of a rule shows in them, where the values that a schedule computes show nothing. `./dev test --update`
// rewrites them; read in the difference whether a predicted time has grown, and whether a program is computed in
// another way than one would write by hand.

#include "fluorite/fluorite.h"
#include "support/test_golden.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::schedule_texts_test {
namespace {

const Var x("x"), y("y"), z("z"), c("c");

struct Program {
    const char *name;
    std::vector<int32_t> sizes;
    std::function<Func()> make;
    const char *model = "roofline";
};

void PrintTo(const Program &program, std::ostream *stream) { *stream << program.name; }

Func held(const char *name, Type type = Float(32)) {
    return BoundaryConditions::repeat_edge(ImageParam(type, 2, name));
}

Func point() {
    ImageParam in(UInt(8), 2, "in");
    Func out("out");
    out(x, y) = cast<uint8_t>(255 - in(x, y) / 2);
    return out;
}

/// A product of matrices of one size, which the program promises: blocks are parts of its rows.
Func promised_matrices() {
    ImageParam a(Int(16), 2, "a"), b(Int(16), 2, "b");
    Func sum("sum"), out("out");
    const RDom r(0, 384, "r");
    sum(x, y) = 0;
    sum(x, y) += cast<int32_t>(a(r, y)) * b(x, r);
    out(x, y) = sum(x, y);
    out.bound(x, 0, 384).bound(y, 0, 384);
    return out;
}

/// Four channels that lie side by side, in another order: a block of rows stores those of a pixel one after the other.
Func swapped_channels() {
    ImageParam in(UInt(8), 3, "in");
    in.dim(0).set_stride(4).dim(2).set_stride(1).set_bounds(0, 4);
    Func out("out");
    out(x, y, c) = mux(c, {in(x, y, 2), in(x, y, 1), in(x, y, 0), in(x, y, 3)});
    out.output_buffer().dim(0).set_stride(4).dim(2).set_stride(1).set_bounds(0, 4);
    out.bound(c, 0, 4);
    return out;
}

Func box_filter() {
    const Func in = held("in", UInt(16));
    Func across("across"), out("out");
    across(x, y) = cast<uint16_t>((cast<uint32_t>(in(x - 1, y)) + in(x, y) + in(x + 1, y)) / 3);
    out(x, y) = cast<uint16_t>((cast<uint32_t>(across(x, y - 1)) + across(x, y) + across(x, y + 1)) / 3);
    return out;
}

Func unclamped() {
    ImageParam in(Float(32), 2, "in");
    Func across("across"), out("out");
    across(x, y) = sqrt(in(x, y)) + sqrt(in(x + 1, y)) + in(x + 2, y) * 0.5f;
    out(x, y) = across(x, y) + across(x, y + 1) * across(x, y + 2);
    return out;
}

Func corners() {
    const Func in = held("in");
    Func dx("dx"), dy("dy"), xx("xx"), yy("yy"), xy("xy"), out("out");
    dx(x, y) = in(x + 1, y - 1) - in(x - 1, y - 1) + (in(x + 1, y) - in(x - 1, y)) * 2.0f + in(x + 1, y + 1) -
               in(x - 1, y + 1);
    dy(x, y) = in(x - 1, y + 1) - in(x - 1, y - 1) + (in(x, y + 1) - in(x, y - 1)) * 2.0f + in(x + 1, y + 1) -
               in(x + 1, y - 1);
    const auto box = [](const Func &a, const Func &b) {
        Expr sum = 0.0f;
        for (int v = -1; v <= 1; v++) {
            for (int u = -1; u <= 1; u++) {
                sum += a(x + u, y + v) * b(x + u, y + v);
            }
        }
        return sum;
    };
    xx(x, y) = box(dx, dx);
    yy(x, y) = box(dy, dy);
    xy(x, y) = box(dx, dy);
    out(x, y) = xx(x, y) * yy(x, y) - xy(x, y) * xy(x, y) - pow(xx(x, y) + yy(x, y), 2.0f) * 0.04f;
    return out;
}

Func pyramid() {
    const Func in = held("in");
    Func down1("down1"), down2("down2"), up1("up1"), out("out");
    down1(x, y) = (in(2 * x, 2 * y) + in(2 * x + 1, 2 * y) + in(2 * x, 2 * y + 1)) / 3.0f;
    down2(x, y) = (down1(2 * x, 2 * y) + down1(2 * x + 1, 2 * y + 1)) * 0.5f;
    up1(x, y) = down2(x / 2, y / 2) * 0.75f + down2((x + 1) / 2, (y + 1) / 2) * 0.25f + down1(x, y);
    out(x, y) = up1(x / 2, y / 2) - in(x, y);
    return out;
}

Func matrices() {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    a.set_estimates({{0, 1024}, {0, 1024}});
    Func product("product"), out("out");
    RDom k(0, a.width(), "k");
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    out(x, y) = max(product(x, y), 0.0f);
    return out;
}

Func convolution() {
    ImageParam in(Float(32), 3, "in"), weights(Float(32), 4, "weights");
    Func sum("sum"), out("out");
    RDom r(0, 32, 0, 3, 0, 3, "r");
    sum(c, x, y) = 0.0f;
    sum(c, x, y) += weights(c, r.y, r.z, r.x) * in(r.x, x + r.y, y + r.z);
    out(c, x, y) = max(sum(c, x, y), 0.0f);
    return out;
}

Func bytes_convolved() {
    const Func in = held("in", UInt(8));
    Func sum("sum"), out("out");
    RDom r(-2, 5, -2, 5, "r");
    sum(x, y) = 0;
    sum(x, y) += cast<int>(in(x + r.x, y + r.y)) * (r.x + r.y);
    out(x, y) = cast<uint8_t>(clamp(sum(x, y) / 25, 0, 255));
    return out;
}

Func histogram() {
    ImageParam in(UInt(8), 2, "in");
    Func counts("counts"), sums("sums"), out("out");
    RDom r(0, 1920, 0, 1080, "r"), k(1, 255, "k");
    counts(x) = 0;
    counts(cast<int>(in(r.x, r.y))) += 1;
    sums(x) = counts(x);
    sums(k) += sums(k - 1);
    out(x, y) = cast<uint8_t>(sums(cast<int>(in(x, y))) * 255 / (1920 * 1080));
    return out;
}

Func scans() {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, 2048}, {0, 1024}});
    Func down("down"), out("out");
    RDom r(1, 1023, "r");
    down(x, y) = in(x, y);
    down(x, r) = down(x, r - 1) * 0.5f + down(x, r);
    out(x, y) = down(x, y) + 1.0f;
    return out;
}

Func resized() {
    const Func in = held("in");
    Func weights("weights"), rows("rows"), out("out");
    RDom r(0, 6, "r");
    weights(x, z) = sin(cast<float>(x * 3 + z));
    rows(x, y) = 0.0f;
    rows(x, y) += weights(x, r) * in(cast<int>(floor(cast<float>(x) * 1.75f)) + r, y);
    out(x, y) = rows(x, y) + rows(x, y + 1);
    return out;
}

/// Sums that gather along rows: as many rows as a vector has lanes are a block, and what they read is turned.
Func turned_sums() {
    const Func in = held("in", UInt(16));
    Func weights("weights"), copy("copy"), sums("sums"), out("out");
    RDom r(0, 9, "r");
    weights(x, y) = cast<uint16_t>(x * 3 + y);
    copy(x, y) = in(x, y) / 2;
    sums(x, y) = cast<uint16_t>(0);
    sums(x, y) += weights(x, r) * copy(cast<int>(floor(cast<float>(x) * 1.75f)) + r, y);
    out(x, y) = sums(x, y) * 2;
    return out;
}

/// Sums of inputs without boundary conditions, which no tile may read beyond.
Func sums_of_exact_inputs() {
    ImageParam in(Float(32), 2, "in");
    Func sums("sums"), out("out");
    RDom r(0, 7, 0, 3, "r");
    sums(x, y) = 0.0f;
    sums(x, y) += in(x + r.x, y + r.y) * cast<float>(r.x - r.y);
    out(x, y) = sqrt(abs(sums(x, y)));
    return out;
}

/// A depthwise and a pointwise layer of inputs with margins: both sums stay in registers, the first in a Func that is
/// no output, whose last blocks move back inside as well.
Func layers() {
    ImageParam in(Float(32), 3, "in"), first(Float(32), 3, "first"), second(Float(32), 2, "second");
    Var c("c");
    Func depth("depth"), limited("limited"), point("point"), out("out");
    RDom s(0, 3, 0, 3, "s"), k(0, first.dim(0).extent(), "k");
    depth(c, x, y) += first(c, s.x, s.y) * in(c, x + s.x, y + s.y);
    limited(c, x, y) = clamp(depth(c, x, y), 0.0f, 6.0f);
    point(c, x, y) += second(c, k) * limited(k, x, y);
    out(c, x, y) = max(point(c, x, y), 0.0f);
    first.dim(0).set_estimate(0, 64);
    return out;
}

/// A product whose second operand lies along the sum: it is turned in the tiles, in blocks of rows.
Func turned_operand() {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    Func turned("turned"), product("product"), out("out");
    RDom k(0, 512, "k");
    turned(x, y) = b(y, x);
    product(x, y) += turned(x, k) * a(k, y);
    out(x, y) = product(x, y) * 2.0f;
    return out;
}

/// Sums of which neighbours read the same ones, or none: how many a block needs depends on where it begins.
Func magnified_sums() {
    const Func in = held("in");
    Func sums("sums"), out("out");
    RDom r(-2, 5, -2, 5, "r");
    sums(x, y) = 0.0f;
    sums(x, y) += in(x + r.x, y + r.y) * cast<float>(r.x - r.y);
    out(x, y) = sums(x / 2, y / 2) * 0.5f;
    return out;
}

/// Sums under conditions of which each step computes some.
Func conditional_sums() {
    const Func in = held("in");
    Func sums("sums"), out("out");
    RDom r(-4, 9, -4, 9, "r");
    r.where(in(x + r.x, y) < in(x, y + r.y) * 2.0f && r.x * r.x + r.y * r.y < 20);
    sums(x, y) += in(x + r.x, y + r.y);
    out(x, y) = sums(x, y) * 0.5f;
    return out;
}

/// Sums in pieces, which are added up.
Func whole_sum() {
    ImageParam in(UInt(16), 2, "in");
    in.set_estimates({{0, 4096}, {0, 3072}});
    Func sum("sum");
    RDom r(in);
    sum() += cast<uint32_t>(in(r.x, r.y));
    return sum;
}

Func row_sums() {
    ImageParam in(UInt(16), 2, "in");
    in.set_estimates({{0, 4096}, {0, 3072}});
    Func sums("sums"), out("out");
    RDom r(0, in.width(), "r");
    sums(y) += cast<uint32_t>(in(r, y));
    out(y) = max(sums(y), 7);
    return out;
}

Func transposed() {
    ImageParam in(UInt(16), 2, "in");
    Func out("out");
    out(x, y) = in(y, x);
    return out;
}

Func channels() {
    const Func in = held("in", UInt(16));
    Func across("across"), out("out");
    across(x, y) = (cast<int>(in(x - 1, y)) + in(x + 1, y)) / 3;
    out(x, y, c) = cast<uint16_t>(
        mux(c, {across(x, y) * 2, across(x, y - 1) + across(x, y), (across(x, y) + across(x, y + 1)) / 5}));
    out.bound(c, 0, 3);
    return out;
}

Func weighted() {
    const Func in = held("in");
    Func apart("apart"), weight("weight"), total("total"), out("out");
    Var dx("dx"), dy("dy");
    RDom s(-3, 7, -3, 7, "s");
    apart(x, y, dx, dy) = abs(in(x, y) - in(x + dx, y + dy));
    weight(x, y, dx, dy) = exp(apart(x - 1, y, dx, dy) + apart(x + 1, y, dx, dy));
    total(x, y) += weight(x, y, s.x, s.y) * in(x + s.x, y + s.y);
    out(x, y) = sqrt(total(x, y));
    return out;
}

Func warped() {
    const Func in = held("in", UInt(8));
    Func u("u"), out("out");
    u(x, y) = cast<int>(cast<float>(x) + sin(cast<float>(y) * 0.01f) * 20.0f);
    out(x, y) = cast<uint8_t>((cast<int>(in(u(x, y), y)) + in(u(x, y) + 1, y + 1)) / 2);
    return out;
}

// Places that floats say are shared by all channels.
Func warped_channels() {
    ImageParam image(UInt(8), 3, "in");
    const Func in = BoundaryConditions::repeat_edge(image, {{0, image.width()}, {0, image.height()}, {Expr(), Expr()}});
    Func out("out");
    const Expr u = cast<float>(x) * cast<float>(y) * 0.001f, v = cast<float>(y) + sin(u);
    const Expr column = cast<int>(floor(u)), row = cast<int>(floor(v));
    out(x, y, c) = cast<uint8_t>(
        lerp(cast<float>(in(column, row, c)), cast<float>(in(column + 1, row, c)), u - cast<float>(column)));
    out.bound(c, 0, 3);
    return out;
}

// Rows of eight, which vectors of sixteen would store one by one.
Func short_rows() {
    ImageParam in(UInt(8), 2, "in"), basis(Float(32), 2, "basis");
    Func rows("rows"), out("out");
    RDom r(0, 8, "r");
    rows(x, y, z, c) += basis(x, r) * cast<float>(in(z * 8 + r, c * 8 + y));
    out(x, y, z, c) = cast<int16_t>(round(rows(x, y, z, c)));
    out.bound(x, 0, 8).bound(y, 0, 8);
    return out;
}

Func planes() {
    ImageParam in(Float(64), 3, "in");
    const Func source = BoundaryConditions::repeat_edge(in);
    Func once("once"), out("out");
    once(x, y, z) = source(x, y, z - 1) + source(x, y, z + 1) + source(x - 1, y, z) * source(x, y + 1, z);
    out(x, y, z) = once(x, y, z - 1) + once(x, y, z + 1) + once(x, y - 1, z);
    return out;
}

Func pairs() {
    const Func in = held("in", Int(16));
    Func ends("ends"), out("out");
    ends(x, y) = {min(in(x - 1, y), in(x + 1, y)), max(in(x, y - 1), in(x, y + 1))};
    out(x, y) = {cast<int>(ends(x - 1, y)[0]) * ends(x + 1, y)[1], ends(x, y + 1)[1] - ends(x, y)[0]};
    return out;
}

/// Two sums in a tuple, each of which takes registers.
Func moments() {
    const Func in = held("in");
    Func sums("sums"), out("out");
    RDom r(-7, 15, "r");
    sums(x, y) = {0.0f, 0.0f};
    sums(x, y) = {sums(x, y)[0] + in(x, y + r), sums(x, y)[1] + in(x, y + r) * in(x, y + r)};
    out(x, y) = sums(x, y)[1] - sums(x, y)[0] * sums(x, y)[0];
    return out;
}

/// Pixels of a mosaic: lanes take turns in two of the cells' planes.
Func mosaic() {
    const Func in = held("in", UInt(16));
    Func cell("cell"), out("out");
    cell(x, y, c) = mux(c, {in(2 * x, 2 * y), absd(in(2 * x, 2 * y), in(2 * x + 2, 2 * y)),
                            absd(in(2 * x, 2 * y), in(2 * x, 2 * y + 2)), in(2 * x + 1, 2 * y + 1)});
    out(x, y) = cell(x / 2, y / 2, x % 2 + 2 * (y % 2)) + cell(x / 2 + 1, y / 2, x % 2 + 2 * (y % 2));
    return out;
}

/// A median of bytes, whose columns are sorted once for each row.
Func median() {
    const Func in = held("in", UInt(8));
    Func columns("columns"), out("out");
    const Expr a = in(x, y - 1), b = in(x, y), d = in(x, y + 1);
    columns(x, y) = {min(min(a, b), d), max(min(a, b), min(max(a, b), d)), max(max(a, b), d)};
    const auto of = [&](int at, int value) { return columns(x + at, y)[value]; };
    const Expr low = max(max(of(-1, 0), of(0, 0)), of(1, 0)), high = min(min(of(-1, 2), of(0, 2)), of(1, 2));
    const Expr middle = max(min(of(-1, 1), of(0, 1)), min(max(of(-1, 1), of(0, 1)), of(1, 1)));
    out(x, y) = max(min(low, middle), min(max(low, middle), high));
    return out;
}

Func vector() {
    Func f("f"), out("out");
    f(x) = x * x + (x % 7);
    out(x) = f(x) * f(x + 1) + f(x - 1) / 3;
    return out;
}

const Program programs[] = {{"point", {8192, 4096}, point},
                            {"box_filter", {8192, 6144}, box_filter},
                            {"box_filter_small", {64, 48}, box_filter},
                            {"box_filter_polymage", {8192, 6144}, box_filter, "polymage"},
                            {"unclamped", {1001, 303}, unclamped},
                            {"corners", {1920, 1080}, corners},
                            {"pyramid", {2048, 1536}, pyramid},
                            {"matrices", {1024, 1024}, matrices},
                            {"convolution", {64, 56, 56}, convolution},
                            {"bytes_convolved", {1920, 1080}, bytes_convolved},
                            {"histogram", {1920, 1080}, histogram},
                            {"scans", {2048, 1024}, scans},
                            {"resized", {2048, 1024}, resized},
                            {"turned_sums", {2048, 1024}, turned_sums},
                            {"sums_of_exact_inputs", {1921, 1081}, sums_of_exact_inputs},
                            {"layers", {128, 192, 160}, layers},
                            {"turned_operand", {512, 256}, turned_operand},
                            {"magnified_sums", {1920, 1080}, magnified_sums},
                            {"conditional_sums", {1920, 1080}, conditional_sums},
                            {"whole_sum", {}, whole_sum},
                            {"row_sums", {3072}, row_sums},
                            {"transposed", {8192, 8192}, transposed},
                            {"channels", {1920, 1080, 3}, channels},
                            {"weighted", {800, 600}, weighted},
                            {"warped", {1920, 1080}, warped},
                            {"warped_channels", {1920, 1080, 3}, warped_channels},
                            {"short_rows", {8, 8, 256, 192}, short_rows},
                            {"planes", {256, 256, 256}, planes},
                            {"pairs", {1921, 1081}, pairs},
                            {"moments", {2000, 1500}, moments},
                            {"mosaic", {2048, 1536}, mosaic},
                            {"median", {4001, 2999}, median},
                            {"promised_matrices", {384, 384}, promised_matrices},
                            {"swapped_channels", {1920, 1080, 4}, swapped_channels},
                            {"vector", {10'000'000}, vector}};

/// The lines of a schedule, with those of one Func or stage joined.
std::string joined(const Schedule &schedule) {
    std::string result, last;
    std::istringstream lines(schedule.text());
    for (std::string line; std::getline(lines, line);) {
        const size_t bracket = line.find('('), dot = line.rfind('.', bracket);
        if (bracket == std::string::npos || dot == std::string::npos) {
            continue; // the first line and the last
        }
        const std::string stage = line.substr(0, dot);
        result += (stage == last ? "" : (last.empty() ? "" : "\n") + stage) + line.substr(dot);
        last = stage;
    }
    return result + "\n";
}

class AutomaticSchedule : public testing::TestWithParam<Program> {};

TEST_P(AutomaticSchedule, HasTheTextOfItsFile) {
    const Program &program = GetParam();
    std::string seen;
    for (const auto &[target, threads] :
         {std::pair("x86-64-linux-sse41", 1), std::pair("x86-64-linux-avx2-fma-f16c", 4),
          std::pair("x86-64-linux-avx512_sapphirerapids", 16)}) {
        AutoScheduleOptions options;
        options.sizes = program.sizes;
        options.parallelism = threads;
        options.model = program.model;
        options.target = Target(target);
        const AutoSchedule found = Pipeline(program.make()).auto_schedule(options);
        seen += (seen.empty() ? "" : "\n") + found.explanation + joined(found.schedule);
    }
    expect_golden(seen, "tests/autoschedule/schedules/" + std::string(program.name) + ".txt");
}

INSTANTIATE_TEST_SUITE_P(Of, AutomaticSchedule, testing::ValuesIn(programs),
                         [](const auto &test) { return std::string(test.param.name); });

} // namespace
} // namespace fluorite::schedule_texts_test
