// Which loops, lanes and blocks auto_schedule() chooses for programs of one or two Funcs.

#include "tests/autoschedule/request.h"

#include <functional>
#include <string>
#include <vector>

namespace fluorite::chosen_schedules_test {
namespace {

using ChosenSchedules = RequestedSchedules;

TEST_F(ChosenSchedules, BoxFiltersComputeRowsTogether) {
    ImageParam pixels(UInt(16), 2, "pixels");
    Func source = BoundaryConditions::repeat_edge(pixels), across("across"), box("box");
    across(x, y) = cast<uint16_t>((cast<uint32_t>(source(x - 1, y)) + source(x, y) + source(x + 1, y)) / 3);
    box(x, y) = cast<uint16_t>((cast<uint32_t>(across(x, y - 1)) + across(x, y) + across(x, y + 1)) / 3);
    AutoScheduleOptions options;
    options.sizes = {8192, 6144};
    options.parallelism = 2;
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(box).auto_schedule(options);
    // Tiles end with conditions, vectors and rows with whole blocks, as all reads are clamped.
    for (const char *line : {"box.split(x, x, xv, 16, PredicateStores)", "box.split(y, y, yu, 4, PredicateStores)",
                             "box.unroll(yu)", "across.compute_at(box, x)", "across.unroll(y)"}) {
        EXPECT_NE(found.schedule.text().find(line), std::string::npos) << line << "\n" << found.schedule.text();
    }
    // Parts of lines of four rows would be written one by one.
    EXPECT_EQ(found.schedule.text().find("box.stream_stores()"), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.explanation.find("4 y together, across in registers"), std::string::npos) << found.explanation;
    // Where a processor has room for them, vectors fill the lines.
    options.target = Target("x86-64-linux-avx512_sapphirerapids");
    options.from_scratch = true;
    const std::string wide = Pipeline(box).auto_schedule(options).schedule.text();
    for (const char *line : {"box.split(x, x, xv, 32, PredicateStores)", "box.unroll(yu)", "box.stream_stores()"}) {
        EXPECT_NE(wide.find(line), std::string::npos) << line << "\n" << wide;
    }
}

TEST_F(ChosenSchedules, VectorsAreAsLongAsWhatIsMostlyComputed) {
    ImageParam pixels(UInt(16), 2, "pixels");
    const Func source = BoundaryConditions::repeat_edge(pixels);
    const auto schedule_of = [&](bool is_wide) {
        Func sum("sum");
        const Type type = is_wide ? UInt(32) : UInt(16);
        Expr value = cast(type, source(x - 1, y)) * 3 + cast(type, source(x, y)) * 7 + cast(type, source(x + 1, y)) * 5;
        sum(x, y) = cast<uint16_t>(value / 16);
        AutoScheduleOptions options = sized({4096, 3072});
        options.target = Target("x86-64-linux-avx512_zen4");
        return Pipeline(sum).auto_schedule(options).schedule.text();
    };
    EXPECT_NE(schedule_of(true).find("sum.split(x, x, xv, 16, "), std::string::npos) << schedule_of(true);
    EXPECT_NE(schedule_of(false).find("sum.split(x, x, xv, 32, "), std::string::npos) << schedule_of(false);
}

TEST_F(ChosenSchedules, WhatSharesNothingInRegistersIsInlined) {
    ImageParam cells(Float(64), 3, "cells");
    Func flux("flux"), change("change");
    const auto on_face = [&](const Expr &of) {
        return (cells(x, y - 1, of) + cells(x, y, of)) * Expr(0.6) -
               (cells(x, y - 2, of) + cells(x, y + 1, of)) * Expr(0.1);
    };
    flux(x, y, c) = on_face(c) * on_face(2);
    change(x, y, c) = flux(x, y + 1, c) - flux(x, y, c);
    change.bound(c, 0, 5);
    AutoScheduleOptions options = sized({4096, 4096, 5});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(change).auto_schedule(options);
    EXPECT_EQ(found.schedule.text().find("flux.compute_at"), std::string::npos) << found.explanation;
    EXPECT_NE(found.explanation.find("tried: flux, which would stay in registers, inlined: "), std::string::npos)
        << found.explanation;
}

// What is computed for each step of a sum reads a reduction that is computed for all of them: its channels are lanes.
TEST_F(ChosenSchedules, ReductionsAreWholeForWhatStepsReadOfThem) {
    ImageParam pixels(Float(32), 3, "pixels"), filters(Float(32), 4, "filters"), depths(Float(32), 3, "depths"),
        points(Float(32), 2, "points");
    pixels.set_estimates({{0, 16}, {0, 520}, {0, 390}});
    filters.set_estimates({{0, 32}, {0, 3}, {0, 3}, {0, 16}});
    depths.set_estimates({{0, 32}, {0, 3}, {0, 3}});
    points.set_estimates({{0, 32}, {0, 32}});
    Var c("c");
    Func conv("conv"), depth("depth"), above("above"), point("point"), out("out");
    RDom r(0, 16, 0, 3, 0, 3, "r"), s(0, 3, 0, 3, "s"), k(0, 32, "k");
    conv(c, x, y) = 0.1f;
    conv(c, x, y) += filters(c, r.y, r.z, r.x) * pixels(r.x, x + r.y, y + r.z);
    depth(c, x, y) = 0.2f;
    depth(c, x, y) += depths(c, s.x, s.y) * max(conv(c, x + s.x, y + s.y), 0.0f);
    above(c, x, y) = max(depth(c, x, y), 0.0f);
    point(c, x, y) = 0.1f;
    point(c, x, y) += points(c, k) * above(k, x, y);
    out(c, x, y) = max(point(c, x, y), 0.0f);
    out.bound(c, 0, 32);
    AutoScheduleOptions options = sized({32, 512, 384});
    options.parallelism = 1;
    options.target = Target("x86-64-linux-avx512_sapphirerapids");
    const AutoSchedule found = Pipeline(out).auto_schedule(options);
    EXPECT_NE(found.schedule.text().find("conv.split(c, c, cv, 16"), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.schedule.text().find("depth.split(c, c, cv, 16"), std::string::npos) << found.schedule.text();
}

TEST_F(ChosenSchedules, CodeOfLongDefinitionsIsBounded) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    const auto schedule_of = [&](int terms) {
        Func sums("sums");
        Expr value = source(x, y);
        for (int i = 0; i < terms; i++) {
            value = select(value > static_cast<float>(i), value * 1.01f + source(x, y + i % 3),
                           value - source(x, y) * static_cast<float>(i));
        }
        sums(x, y) = value;
        AutoScheduleOptions options = sized({4096, 3072});
        options.target = Target("x86-64-linux-avx512_zen4");
        return Pipeline(sums).auto_schedule(options).schedule.text();
    };
    // Rows share what they read, so blocks of them are faster; but the time to compile them counts as well.
    EXPECT_NE(schedule_of(100).find("unroll(yu)"), std::string::npos);
    EXPECT_EQ(schedule_of(8000).find("unroll("), std::string::npos);
}

TEST_F(ChosenSchedules, TranspositionsFollowTheRowsThatTheyRead) {
    ImageParam pixels(UInt(16), 2, "pixels");
    Func turned("turned");
    turned(x, y) = pixels(y, x);
    AutoScheduleOptions options = sized({8192, 8192});
    options.target = Target("x86-64-linux-avx512_zen4");
    const std::string text = Pipeline(turned).auto_schedule(options).schedule.text();
    // Blocks of 32 x 16 run along y: the rows that a block reads are read on, while few pages are in use.
    EXPECT_NE(text.find("turned.split(y, y, yu, 16, "), std::string::npos) << text;
    EXPECT_NE(text.find("turned.reorder(xv, yu, yi, xi, tiles)"), std::string::npos) << text;
    EXPECT_EQ(text.find("turned.split(y, yo, yi, 256, "), std::string::npos) << text; // more pages than are known
}

TEST_F(ChosenSchedules, PartsOfLinesAreNotStreamedDownColumns) {
    ImageParam pixels(Float(32), 3, "pixels");
    Func turned("turned");
    Var z("z");
    turned(x, y, z) = pixels(y, z, x);
    const auto text_for = [&](const char *target) {
        AutoScheduleOptions options = sized({128, 160, 192});
        options.parallelism = 1;
        options.target = Target(target);
        options.from_scratch = true;
        return Pipeline(turned).auto_schedule(options).schedule.text();
    };
    // Vectors of 32 bytes down a column of 160 rows leave half a line of each, 2.7 times as slow as plain stores.
    const std::string text = text_for("x86-64-linux-avx2");
    EXPECT_EQ(text.find("stream_stores"), std::string::npos) << text;
}

TEST_F(ChosenSchedules, RowsThatLanesReadOnAreTransposedInRegisters) {
    ImageParam rows(Float(32), 2, "rows");
    Func sum("sum"), scaled("scaled");
    RDom k(0, rows.width(), "k");
    sum(y) += rows(k, y);
    scaled(x, y) = rows(x, y) / sum(y);
    rows.set_estimates({{0, 1000}, {0, 512}});
    AutoScheduleOptions options = sized({1000, 512});
    options.parallelism = 1;
    options.target = Target("x86-64-linux-avx2");
    const std::string text = Pipeline(scaled).auto_schedule(options).schedule.text();
    // Eight steps of eight rows; a tile of rows stays in a cache until the second loop reads it.
    for (const char *line : {"sum.update(0).split(k$x, k$x, k$xu, 8, GuardWithIf)", "sum.update(0).unroll(k$xu)",
                             "sum.compute_at(scaled, yo)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    }
}

TEST_F(ChosenSchedules, RowsOfScansTakeTurnsWhereStepsWait) {
    ImageParam pixels(UInt(8), 2, "pixels");
    const auto text_of = [&](bool waits_long) {
        Func level("level"), out("out");
        RDom r(1, pixels.width() - 1, "r");
        level(x, y) = cast<int16_t>(pixels(x, y));
        const Expr before = level(r - 1, y);
        level(r, y) += waits_long ? before - select(before > 127, cast<int16_t>(255), cast<int16_t>(0)) : before;
        out(x, y) = cast<uint8_t>(level(x, y) & 255);
        pixels.set_estimates({{0, 1536}, {0, 1024}});
        return Pipeline(out).auto_schedule(sized({1536, 1024})).schedule.text();
    };
    EXPECT_NE(text_of(true).find("level.update(0).unroll(yu)"), std::string::npos) << text_of(true);
    EXPECT_EQ(text_of(false).find("level.update(0).unroll(yu)"), std::string::npos) << text_of(false);
}

TEST_F(ChosenSchedules, WhatAPureDefinitionAloneReadsIsComputedInItsLoops) {
    ImageParam pixels(UInt(8), 2, "pixels");
    pixels.set_estimates({{0, 1536}, {0, 1024}});
    const auto text_of = [&](bool reads_a_window) {
        Func rows("rows"), integral("integral");
        RDom across(1, pixels.width() - 1, "across"), down(1, pixels.height() - 1, "down");
        rows(x, y) = cast<int>(pixels(x, y));
        rows(across, y) += rows(across - 1, y);
        integral(x, y) = reads_a_window ? rows(x, y) + rows(x, max(y - 1, 0)) : rows(x, y);
        integral(x, down) += integral(x, down - 1);
        return Pipeline(integral).auto_schedule(sized({1536, 1024})).schedule.text();
    };
    EXPECT_NE(text_of(false).find("rows.compute_at(integral, y)"), std::string::npos) << text_of(false);
    EXPECT_NE(text_of(true).find("rows.compute_root()"), std::string::npos) << text_of(true);
}

TEST_F(ChosenSchedules, SumsStayInRegisters) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    Func panel("panel"), product("product"), scaled("scaled");
    RDom k(0, a.width(), "k");
    panel(x, y) = b(x, y);
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * panel(x, k);
    scaled(x, y) = product(x, y) * 2.0f;
    a.set_estimates({{0, 1024}, {0, 1024}});
    AutoScheduleOptions options = sized({1024, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(scaled).auto_schedule(options);
    // Reads are not clamped: blocks move back inside, if the output is as large as one.
    for (const char *line :
         {"scaled.specialize(", "ShiftInwards", "product.update(0).unroll(x)", "product.update(0).unroll(y)",
          "product.update(0).reorder(xv, x, y, k$x)", "panel.compute_at(scaled, "}) {
        EXPECT_NE(found.schedule.text().find(line), std::string::npos) << line << "\n" << found.schedule.text();
    }
    EXPECT_NE(found.explanation.find("product in registers"), std::string::npos) << found.explanation;
}

TEST_F(ChosenSchedules, SumsThatGatherAlongRowsRunAlongColumns) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func weights("weights"), copy("copy"), sums("sums"), shown("shown");
    RDom r(0, 9, "r");
    weights(x, y) = sin(cast<float>(x * 3 + y));
    copy(x, y) = source(x, y) * 0.5f;
    sums(x, y) = 0.0f;
    sums(x, y) += weights(x, r) * copy(cast<int>(floor(cast<float>(x) * 1.75f)) + r, y);
    shown(x, y) = sums(x, y) * 2.0f;
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(shown).auto_schedule(options);
    const std::string text = found.schedule.text();
    EXPECT_NE(found.explanation.find("tried: sums in vectors along y: "), std::string::npos) << found.explanation;
    EXPECT_NE(found.explanation.find(", taken\n"), std::string::npos) << found.explanation;
    // Sixteen rows of a block are the lanes of the sums; what these read is turned, sixteen rows at a time.
    for (const char *line : {"sums.reorder_storage(y, x)", "sums.update(0).vectorize(yv)", "shown.split(y, y, yu, 16, ",
                             "copy.reorder_storage(y, x)", "copy.unroll(yu)", "copy.vectorize(xv)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    }
}

TEST_F(ChosenSchedules, SumsDownRowsFromMemoryDoNotRunInTallColumns) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func sums("sums");
    RDom r(0, 9, "r");
    sums(x, y) = 0.0f;
    sums(x, y) += source(x, 2 * y + r) * cast<float>(r * y);
    AutoScheduleOptions options = sized({4096, 1536});
    options.target = Target("x86-64-linux-avx2-fma-f16c");
    // Columns would keep nine rows in the second cache, but a prefetcher does not follow 3072 rows by turns.
    const std::string text = Pipeline(sums).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("sums.update(0).reorder(xv, xu, yu, r$x, x, y)"), std::string::npos) << text;
}

TEST_F(ChosenSchedules, ReductionsWithManyStepsAskForBlocksOfTheirOwn) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func sum("sum");
    RDom r(-4, 9, -4, 9, "r");
    sum(x, y) += source(x + r.x, y + r.y) * cast<float>(r.x * r.y);
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const std::string text = Pipeline(sum).auto_schedule(options).schedule.text();
    // The block runs inside of the RVars, and these inside of all other loops.
    EXPECT_NE(text.find(", r$x, r$y, x, y)"), std::string::npos) << text;
    EXPECT_NE(text.find("sum.update(0).unroll("), std::string::npos) << text;
    EXPECT_NE(text.find("sum.update(0).parallel("), std::string::npos) << text;
}

TEST_F(ChosenSchedules, ScansRunOverWholeRows) {
    ImageParam picture(Float(32), 2, "picture");
    Func scan("scan"), shown("shown");
    RDom r(1, 1023, "r");
    picture.set_estimates({{0, 2048}, {0, 1024}});
    scan(x, y) = picture(x, y);
    scan(x, r) = scan(x, r - 1) * 0.5f + scan(x, r);
    shown(x, y) = scan(x, y) + 1.0f;
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    options.parallelism = 1;
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("scan.update(0).reorder(xv, x, r$x)"), std::string::npos) << text;
    // Threads have tiles, in which rows are parts of rows.
    options.parallelism = 2;
    Pipeline(shown).apply(Schedule());
    const std::string shared = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(shared.find("scan.update(0).reorder(xv, x, r$x)"), std::string::npos) << shared;
}

TEST_F(ChosenSchedules, ScansAlongRowsHaveNoLanes) {
    ImageParam picture(UInt(8), 2, "picture");
    Func scan("scan"), shown("shown");
    RDom r(1, 1023, "r");
    picture.set_estimates({{0, 1024}, {0, 1024}});
    scan(x, y) = cast<int>(picture(x, y));
    scan(r, y) += scan(r - 1, y);
    shown(x, y) = scan(x, y) * 2;
    AutoScheduleOptions options = sized({1024, 1024});
    options.parallelism = 1;
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    // Lanes would lie a row apart; all of a row is summed, so tiles do not cut it.
    EXPECT_EQ(text.find("scan.update(0).vectorize"), std::string::npos) << text;
    EXPECT_EQ(text.find("shown.split(x, xo"), std::string::npos) << text;
}

TEST_F(ChosenSchedules, VotesAreComputedInLanesAlongTheirOwnLoop) {
    ImageParam picture(UInt(8), 2, "picture");
    Func angle("angle"), votes("votes");
    RDom r(0, 512, 0, 512, "r");
    angle(y) = sin(cast<float>(y));
    votes(x, y) = 0;
    votes(clamp(cast<int>(cast<float>(r.x) * angle(y) + cast<float>(r.y) * (1.0f - angle(y))), 0, 511), y) +=
        cast<int>(picture(r.x, r.y));
    AutoScheduleOptions options = sized({512, 64});
    options.parallelism = 1;
    picture.set_estimates({{0, 512}, {0, 512}});
    const std::string text = Pipeline(votes).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("votes.update(0).vectorize(yv)"), std::string::npos) << text;
}

TEST_F(ChosenSchedules, LanesOfTuplesAreThoseOfTheirWidestType) {
    ImageParam picture(UInt(8), 2, "picture");
    Func source = BoundaryConditions::repeat_edge(picture), best("best"), shown("shown");
    RDom r(0, 16, "r");
    best(x, y) = Tuple(cast<uint16_t>(65535), cast<uint8_t>(0));
    const Expr cost = cast<uint16_t>(absd(source(x, y), source(x + r, y))), is_less = cost < best(x, y)[0];
    best(x, y) = Tuple(select(is_less, cost, best(x, y)[0]), select(is_less, cast<uint8_t>(r), best(x, y)[1]));
    shown(x, y) = best(x, y)[1];
    AutoScheduleOptions options = sized({1024, 768});
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("best.split(x, x, xv, 16, "), std::string::npos) << text;
}

TEST_F(ChosenSchedules, SumsOfClampedReadsHaveNoConditions) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func down("down"), across("across"), shown("shown");
    RDom r(-15, 31, "r"), s(-15, 31, "s");
    down(x, y) += source(x, y + r) * cast<float>(r + 1);
    across(x, y) += down(x + s, y) * cast<float>(s + 2);
    shown(x, y) = across(x, y);
    AutoScheduleOptions options = sized({2048, 1536});
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_EQ(text.find("down.update(0).split(x, x, xu, 16, GuardWithIf)"), std::string::npos) << text;
    EXPECT_NE(text.find(", RoundUp)"), std::string::npos) << text;
}

TEST_F(ChosenSchedules, RowsOfPartsOfLinesAreNotStreamed) {
    Func shown("shown");
    shown(x, y, c) = cast<float>(x + y) * select(c == 0, 1.0f, c == 1, 2.0f, 3.0f);
    shown.bound(c, 0, 3);
    AutoScheduleOptions options;
    options.sizes = {8192, 8192, 3};
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_EQ(text.find("unroll(c)") != std::string::npos && text.find("stream_stores") != std::string::npos, false)
        << text;
}

// Coordinates of floats are clamped at every point, and clamped neighbours share no addresses; a copy with its edges is
// read without either. One read does not pay for a copy.
TEST_F(ChosenSchedules, PicturesThatAreWarpedAreCopiedWithTheirEdges) {
    ImageParam picture(UInt(8), 2, "picture");
    const auto schedule_of = [&](int corners, const char *target) {
        const Func source = BoundaryConditions::repeat_edge(picture);
        Func warped("warped");
        const Expr u = cast<float>(x) * 0.9f - cast<float>(y) * 0.1f, v = cast<float>(x) * 0.1f + cast<float>(y) * 0.9f;
        const Expr column = cast<int>(floor(u)), row = cast<int>(floor(v));
        Expr sum = cast<int>(source(column, row));
        for (int i = 1; i < corners; i++) {
            sum += cast<int>(source(column + i % 2, row + i / 2));
        }
        warped(x, y) = cast<uint8_t>(sum / corners);
        AutoScheduleOptions options = sized({1280, 1024});
        options.target = Target(target);
        return Pipeline(warped).auto_schedule(options).schedule.text();
    };
    for (const char *target : {"x86-64-linux-sse41", "x86-64-linux-avx2-fma", "x86-64-linux-avx512_zen4"}) {
        EXPECT_NE(schedule_of(4, target).find("repeat_edge.compute_"), std::string::npos) << target;
        EXPECT_EQ(schedule_of(1, target).find("repeat_edge.compute_"), std::string::npos) << target;
    }
}

} // namespace
} // namespace fluorite::chosen_schedules_test
