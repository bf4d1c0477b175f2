// The schedule tree: its text, its rules, its operators with their inverses, and random walks through schedules.
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "schedule/tree/tree.h"
#include "support/test_errors.h"

#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace fluorite::schedule_tree_test {
namespace {

using schedule::Tree;
using schedule::TreeNode;
using schedule::TreeOp;
using schedule::TreeStep;

struct Blur {
    ImageParam input{UInt(16), 2, "input"};
    Func padded{"padded"}, blur_x{"blur_x"}, blur_y{"blur_y"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Pipeline pipeline;

    Blur() {
        padded(x, y) = input(clamp(x, 0, 63), clamp(y, 0, 47));
        blur_x(x, y) = padded(x - 1, y) + padded(x, y) + padded(x + 1, y);
        blur_y(x, y) = blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1);
        pipeline = Pipeline(blur_y);
    }
    ScheduleTree tree() const { return pipeline.schedule_tree(); }
};

// Two stages that read one producer, an inlined reduction, and an update over an RDom.
struct Diamond {
    Func base{"base"}, left{"left"}, mean{"mean"}, out{"out"};
    Var x{"x"}, y{"y"};
    RDom r{0, 3, "r"}, s{0, 2, 0, 4, "s"};
    Pipeline pipeline;

    Diamond() {
        base(x, y) = x * 3 + y;
        left(x, y) = base(x, y) + base(x + 1, y);
        mean(x, y) = 0;
        mean(x, y) += base(x + r, y);
        out(x, y) = left(x, y) - mean(x, y);
        out(x, y) = max(out(x, y), left(x + s.x, y) * s.y);
        pipeline = Pipeline(out);
    }
};

// ---- Text.

TEST(ScheduleTree, TheDefaultTreeMirrorsTheCalls) {
    EXPECT_EQ(Blur().tree().text(), "root\n"
                                    "  loop blur_y.y\n"
                                    "    loop blur_y.x\n"
                                    "      compute blur_y\n"
                                    "        compute blur_x inline\n"
                                    "          compute padded inline\n");
    EXPECT_EQ(Diamond().pipeline.schedule_tree().text(), "root\n"
                                                         "  stage out\n"
                                                         "    loop out.y\n"
                                                         "      loop out.x\n"
                                                         "        compute out\n"
                                                         "          compute left inline\n"
                                                         "            compute base inline\n"
                                                         "          compute mean inline\n"
                                                         "            compute base inline\n"
                                                         "  stage out.update(0)\n"
                                                         "    loop out.update(0).y\n"
                                                         "      loop out.update(0).x\n"
                                                         "        loop out.update(0).s$y\n"
                                                         "          loop out.update(0).s$x\n"
                                                         "            compute out.update(0)\n"
                                                         "              compute left inline\n"
                                                         "                compute base inline\n");
}

TEST(ScheduleTree, TilesWithSlidingStorage) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8).vectorize(b.xi, 4).parallel(b.yo);
    b.blur_x.store_at(b.blur_y, b.xo).compute_at(b.blur_y, b.yi).vectorize(b.x, 4);
    EXPECT_EQ(b.tree().text(), "root\n"
                               "  loop blur_y.yo parallel\n"
                               "    loop blur_y.xo\n"
                               "      store blur_x\n"
                               "        loop blur_y.yi\n"
                               "          loop blur_x.y\n"
                               "            loop blur_x.x\n"
                               "              loop blur_x.xv vectorized\n"
                               "                compute blur_x\n"
                               "                  compute padded inline\n"
                               "          loop blur_y.xi\n"
                               "            loop blur_y.xiv vectorized\n"
                               "              compute blur_y\n");
    Blur fresh;
    fresh.pipeline.apply(b.tree().schedule());
    EXPECT_EQ(fresh.pipeline.schedule(), b.pipeline.schedule());
    EXPECT_TRUE(fresh.tree() == b.tree());
}

TEST(ScheduleTree, IllegalLevelsHaveNoTree) {
    Diamond d;
    d.left.compute_root();
    d.base.compute_at(d.left, d.x);
    expect_error(
        [&] { d.pipeline.schedule_tree(); }, "no-schedule-tree",
        "in a schedule: base is computed at x of left, which does not hold all its uses; these places do: root; "
        "a tree has a place for each Func that is not inlined; change the level");
}

TEST(ScheduleTree, SvgIsOneFileOfItsOwn) {
    Blur b;
    b.blur_x.compute_at(b.blur_y, b.y).vectorize(b.x, 4);
    const std::string svg = b.tree().svg();
    EXPECT_EQ(svg.find("<svg xmlns="), 0u);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    EXPECT_EQ(svg.find("href"), std::string::npos);
    for (const char *text :
         {">blur_y.y<", ">blur_x.xv<", ">vectorized<", ">store<", ">compute inline<", ">padded<", ">root<"}) {
        EXPECT_NE(svg.find(text), std::string::npos) << text;
    }
    b.tree().save_svg("schedule_tree_test.svg");
    std::remove("schedule_tree_test.svg");
    expect_error(
        [&] { b.tree().save_svg("no/such/folder.svg"); }, "schedule-file",
        "in a ScheduleTree: cannot write the file 'no/such/folder.svg'; its folder must exist and be writable; "
        "give another path");
}

// ---- Each operator and its inverse.

TEST(ScheduleTree, OperatorsUndoEachOther) {
    Blur b;
    const ScheduleTree start = b.tree();

    const ScheduleTree split = start.split("blur_y", "x", "xo", "xi", 8);
    EXPECT_EQ(split.schedule().text(), "fluorite schedule 1\nblur_y.split(x, xo, xi, 8)\nend\n");
    EXPECT_TRUE(split.fuse("blur_y", "xi", "xo", "x") == start);

    const ScheduleTree fused = start.fuse("blur_y", "x", "y", "t");
    EXPECT_EQ(fused.schedule().text(), "fluorite schedule 1\nblur_y.fuse(x, y, t)\nend\n");
    EXPECT_TRUE(fused.split("blur_y", "t", "y", "x", 0) == start);

    const ScheduleTree turned = split.reorder("blur_y", {"y", "xi", "xo"});
    EXPECT_EQ(turned.schedule().text(),
              "fluorite schedule 1\nblur_y.split(x, xo, xi, 8)\nblur_y.reorder(y, xi, xo)\nend\n");
    EXPECT_TRUE(turned.reorder("blur_y", {"xi", "xo", "y"}) == split);

    const ScheduleTree wide = split.loop_type("blur_y", "xi", ForType::Vectorized);
    EXPECT_FALSE(wide == split);
    EXPECT_TRUE(wide.loop_type("blur_y", "xi", ForType::Serial) == split);

    const ScheduleTree placed = start.deinline("blur_x");
    EXPECT_EQ(placed.schedule().text(), "fluorite schedule 1\nblur_x.compute_at(blur_y, x)\nend\n");
    EXPECT_TRUE(placed.inline_func("blur_x") == start);

    const ScheduleTree stored = placed.hoist_storage("blur_x");
    EXPECT_EQ(stored.schedule().text(),
              "fluorite schedule 1\nblur_x.compute_at(blur_y, x)\nblur_x.store_at(blur_y, y)\nend\n");
    EXPECT_TRUE(stored.lower_storage("blur_x") == placed);

    const ScheduleTree rows = stored.hoist_compute("blur_x");
    EXPECT_EQ(rows.schedule().text(), "fluorite schedule 1\nblur_x.compute_at(blur_y, y)\nend\n");
    EXPECT_TRUE(rows.lower_compute("blur_x") == stored);
}

TEST(ScheduleTree, TypesStayInPlaceWhenLoopsTrade) {
    Blur b;
    const ScheduleTree tree = b.tree().loop_type("blur_y", "y", ForType::Parallel).reorder("blur_y", {"y", "x"});
    EXPECT_EQ(tree.text(), "root\n"
                           "  loop blur_y.x parallel\n"
                           "    loop blur_y.y\n"
                           "      compute blur_y\n"
                           "        compute blur_x inline\n"
                           "          compute padded inline\n");
}

TEST(ScheduleTree, WhatIsPlacedInALoopMovesWithIt) {
    Blur b;
    ScheduleTree tree = b.tree().deinline("blur_x").hoist_storage("blur_x").hoist_compute("blur_x");
    tree = tree.split("blur_y", "y", "yo", "yi", 4);
    EXPECT_EQ(tree.schedule().text(), "fluorite schedule 1\n"
                                      "blur_x.compute_at(blur_y, yi)\n"
                                      "blur_y.split(y, yo, yi, 4)\n"
                                      "end\n");
    tree = tree.reorder("blur_y", {"yi", "x", "yo"});
    EXPECT_EQ(tree.schedule().text(), "fluorite schedule 1\n"
                                      "blur_x.compute_at(blur_y, x)\n"
                                      "blur_y.split(y, yo, yi, 4)\n"
                                      "blur_y.reorder(yi, x, yo)\n"
                                      "end\n");
}

TEST(ScheduleTree, OperatorsSayWhyTheyCannotBeUsed) {
    Blur b;
    const ScheduleTree start = b.tree(), placed = start.deinline("blur_x");
    auto refuse = [](const std::function<void()> &run, const std::string &message) {
        expect_error(run, "illegal-tree-step", "in a schedule tree, " + message);
    };
    refuse([&] { start.split("blur_x", "x", "xo", "xi", 4); },
           "split(blur_x, x, xo, xi, 4): blur_x is inlined and has no loops; deinline it first");
    refuse(
        [&] { start.split("blur_y", "x", "xo", "xi", 0); },
        "split(blur_y, x, xo, xi): loop x of blur_y was not fused of xi and xo; a split without a factor takes a fused "
        "loop apart");
    refuse([&] { start.fuse("blur_y", "y", "x", "t"); },
           "fuse(blur_y, y, x, t): loop x of blur_y does not stand around loop y; reorder them first");
    refuse([&] { start.loop_type("blur_y", "x", ForType::Vectorized); },
           "loop_type(blur_y, x, vectorized): vectorized loop x of blur_y has no constant extent; split it first");
    refuse([&] { start.inline_func("blur_y"); },
           "inline(blur_y): blur_y is an output, which is computed and stored at root");
    refuse([&] { start.hoist_compute("blur_x"); }, "hoist_compute(blur_x): blur_x is inlined; deinline it first");
    refuse([&] { placed.deinline("blur_x"); }, "deinline(blur_x): blur_x is not inlined");
    refuse(
        [&] { placed.hoist_compute("blur_x"); },
        "hoist_compute(blur_x): blur_x is stored at loop x of blur_y, where it is computed; hoist its storage first");
    refuse([&] { placed.lower_compute("blur_x"); },
           "lower_compute(blur_x): blur_x is computed at loop x of blur_y; no place further in holds all its uses");
    refuse([&] { placed.lower_storage("blur_x"); },
           "lower_storage(blur_x): blur_x is stored at loop x of blur_y, where it is computed; lower its computation "
           "first");
    refuse([&] { placed.fuse("blur_y", "x", "y", "t").deinline("padded").inline_func("blur_x"); },
           "inline(blur_x): another Func is placed in the loops of blur_x; move or inline it first");
    refuse([&] { placed.hoist_storage("blur_x").loop_type("blur_y", "x", ForType::Parallel); },
           "loop_type(blur_y, x, parallel): blur_x is stored outside of the parallel loop x of blur_y and computed "
           "inside; "
           "iterations that run at once must not share storage");
    expect_error(
        [&] { start.deinline("blurr"); }, "illegal-tree-step",
        "in a schedule tree: it has no Func blurr; operators name its Funcs and stages; these are padded, blur_x, "
        "blur_y");
    expect_error([&] { start.reorder("blur_y.update(0)", {"x"}); }, "illegal-tree-step",
                 "in a schedule tree: it has no stage blur_y.update(0); operators name its Funcs and stages; these are "
                 "padded, blur_x, blur_y");
}

TEST(ScheduleTree, DeinlineTakesTheInnermostPlaceOfAllUses) {
    Diamond d;
    const ScheduleTree tree = d.pipeline.schedule_tree();
    EXPECT_EQ(tree.deinline("left").schedule().text(), "fluorite schedule 1\nleft.compute_root()\nend\n");
    EXPECT_EQ(tree.deinline("mean").schedule().text(), "fluorite schedule 1\nmean.compute_at(out, x, 0)\nend\n");
}

// ---- The rules, on trees that no operator produces.

Tree internal_tree(const Pipeline &pipeline) {
    schedule::ScheduledGraph frozen = language::freeze(*pipeline.contents());
    return schedule::tree_of(std::make_shared<const ir::Graph>(frozen.graph), frozen.schedule, {});
}

std::string first_objection(const Tree &tree) {
    const auto found = schedule::objections(tree);
    return found.empty() ? "legal" : std::string(found[0].rule) + ": " + found[0].reason;
}

// The first node of a kind, in the order of the text.
TreeNode *find(TreeNode &node, TreeNode::Kind kind, const std::string &var = "") {
    if (node.kind == kind && node.var == var) {
        return &node;
    }
    for (TreeNode &child : node.children) {
        if (TreeNode *found = find(child, kind, var)) {
            return found;
        }
    }
    return nullptr;
}

TEST(ScheduleTreeRules, EachIsBroken) {
    Blur b;
    b.blur_x.compute_root();
    const Tree legal = internal_tree(b.pipeline);
    using Kind = TreeNode::Kind;
    EXPECT_EQ(first_objection(legal), "legal");

    Tree tree = legal; // root { store blur_x { stage blur_x, stage blur_y } }
    TreeNode &store = tree.root.children[0];
    std::swap(store.children[0], store.children[1]);
    EXPECT_EQ(first_objection(tree), "before: blur_x is computed after blur_y, which reads it");

    tree = legal;
    TreeNode stage_y = tree.root.children[0].children[1];
    tree.root.children[0].children.pop_back();
    tree.root.children.push_back(stage_y);
    EXPECT_EQ(first_objection(tree), "scope: blur_x is read by blur_y outside of its storage");

    tree = legal;
    TreeNode stage_x = tree.root.children[0].children[0];
    tree.root.children[0].children.erase(tree.root.children[0].children.begin());
    tree.root.children.insert(tree.root.children.begin(), stage_x);
    EXPECT_EQ(first_objection(tree), "scope: blur_x is computed outside of its storage");

    tree = legal;
    const std::vector<TreeNode> below = tree.root.children[0].children;
    tree.root.children = below;
    EXPECT_EQ(first_objection(tree), "nodes: blur_x has 0 store nodes; a Func that is computed has one");

    tree = legal;
    tree.root.children[0].children.pop_back();
    EXPECT_EQ(first_objection(tree), "nodes: blur_y is an output and has no stage node; an output is never inlined");

    tree = legal;
    find(tree.root, Kind::Loop, "x")->var = "z";
    EXPECT_EQ(first_objection(tree), "nodes: blur_x has the loops y, z; its definition and splits make x, y");

    tree = legal;
    find(tree.root, Kind::Compute)->children.clear();
    EXPECT_EQ(first_objection(tree),
              "inlined: padded is not computed in loops, and does not stand below the compute node "
              "of blur_x, which reads it");

    tree = legal;
    find(tree.root, Kind::Loop, "x")->type = ForType::Unrolled;
    EXPECT_EQ(first_objection(tree), "width: unrolled loop x of blur_x has no constant extent; split it first");

    tree = legal;
    schedule::Split split;
    split.old_var = "q", split.outer = "qo", split.inner = "qi", split.factor = Expr(4);
    tree.rest.funcs[2].stages[0].splits.push_back(split);
    EXPECT_EQ(first_objection(tree),
              "steps: in blur_y, stage 0: split names q; a directive names loops of the stage it is "
              "called on; its loops are x, y");
}

TEST(ScheduleTreeRules, OfPlacesInLoops) {
    Blur b;
    b.blur_x.compute_at(b.blur_y, b.y);
    using Kind = TreeNode::Kind;
    Tree tree = internal_tree(b.pipeline);
    EXPECT_EQ(first_objection(tree), "legal");
    find(tree.root, Kind::Loop, "y")->type = ForType::Parallel;
    EXPECT_EQ(first_objection(tree), "legal") << "each task has its own storage";
    TreeNode inside = *find(tree.root, Kind::Store);
    *find(tree.root, Kind::Store) = inside.children[0];
    TreeNode &loop = *find(tree.root, Kind::Loop, "y");
    loop.children.push_back(inside.children[1]);
    inside.children = {tree.root.children[0]};
    tree.root.children = {inside};
    EXPECT_EQ(first_objection(tree), "shared: blur_x is stored outside of the parallel loop y of blur_y and computed "
                                     "inside; iterations that run at once must not share storage");
}

TEST(ScheduleTreeRules, OfUpdates) {
    Diamond d;
    d.left.compute_root();
    d.mean.compute_root();
    d.base.compute_root();
    using Kind = TreeNode::Kind;
    const Tree legal = internal_tree(d.pipeline);
    EXPECT_EQ(first_objection(legal), "legal");

    Tree tree = legal;
    std::function<TreeNode *(TreeNode &)> last_store = [&](TreeNode &node) -> TreeNode * {
        for (TreeNode &child : node.children) {
            if (child.kind == Kind::Store) {
                return last_store(child);
            }
        }
        return &node;
    };
    TreeNode *inner = last_store(tree.root); // store mean { stage mean, stage mean.update(0), stage out, ... }
    std::swap(inner->children[0], inner->children[1]);
    EXPECT_EQ(first_objection(tree),
              "stages: the stages of mean do not stand side by side in the order of its definitions");

    tree = legal;
    find(tree.root, Kind::Loop, "r$x")->type = ForType::Parallel;
    EXPECT_EQ(first_objection(tree),
              "reductions: in mean, stage 1: parallel of RVar loop r.x; its iterations update the same points at once, "
              "which is a "
              "race; call atomic() first, make partial results with rfactor(), or parallel a loop over a pure Var");

    tree = legal;
    tree.root.children[0].children.erase(tree.root.children[0].children.begin());
    EXPECT_EQ(first_objection(tree), "nodes: base has 1 store nodes; an inlined Func has none");
}

// ---- Properties of many random trees.

void expect_same(const Tree &seen, const Tree &wanted, const std::string &what) {
    EXPECT_TRUE(schedule::same_tree(seen, wanted))
        << what << "\nseen:\n"
        << to_text(seen) << schedule::to_text(directives_of(*seen.graph, schedule_of(seen))) << "wanted:\n"
        << to_text(wanted) << schedule::to_text(directives_of(*wanted.graph, schedule_of(wanted)));
}

Tree walked(const Tree &start, uint64_t seed, int steps) {
    std::mt19937_64 engine(seed);
    return schedule::random_walk(start, [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); }, steps);
}

template <typename Program> void expect_ways(int trees, int steps) {
    const Program program;
    const Tree start = internal_tree(program.pipeline);
    for (int seed = 0; seed < trees && !testing::Test::HasFailure(); seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Tree tree = walked(start, static_cast<uint64_t>(seed), steps);
        EXPECT_EQ(first_objection(tree), "legal");
        expect_same(schedule::tree_of(tree.graph, schedule_of(tree), {}), tree, "from the schedule");
        const Tree wanted = tree;
        std::vector<TreeStep> back;
        for (const TreeStep &step : schedule::path_to_default(tree)) {
            const std::vector<TreeStep> undo = inverse(tree, step);
            const Tree next = apply(tree, step);
            Tree again = next;
            for (const TreeStep &one : undo) {
                again = apply(again, one);
            }
            expect_same(again, tree, "the inverse of " + to_text(tree, step));
            back.insert(back.begin(), undo.begin(), undo.end());
            tree = next;
        }
        expect_same(tree, start, "the default");
        for (const TreeStep &step : back) {
            tree = apply(tree, step);
        }
        expect_same(tree, wanted, "back from the default");
    }
}

TEST(ScheduleTreeWays, FromEveryTreeToTheDefaultAndBack) {
    expect_ways<Blur>(60, 25);
    expect_ways<Diamond>(60, 25);
}

TEST(ScheduleTreeWays, AnyLegalStepHasAnInverse) {
    const Diamond program;
    Tree tree = internal_tree(program.pipeline);
    std::mt19937_64 engine(5);
    const schedule::RandomBelow random = [&](uint32_t n) { return static_cast<uint32_t>(engine() % n); };
    for (int i = 0; i < 300 && !testing::Test::HasFailure(); i++) {
        tree = schedule::random_walk(tree, random, 1);
        if (i % 40 == 0) {
            tree = schedule::random_walk(schedule::default_tree(tree.graph), random, 4);
        }
        for (const ir::FuncDef &func : tree.graph->funcs) {
            for (TreeOp op : {TreeOp::HoistCompute, TreeOp::LowerCompute, TreeOp::HoistStorage, TreeOp::LowerStorage,
                              TreeOp::Inline, TreeOp::Deinline}) {
                const TreeStep step{op, {func.id(), 0}};
                Tree next = tree;
                try {
                    next = apply(tree, step);
                } catch (const CompileError &) {
                    continue;
                }
                for (const TreeStep &back : inverse(tree, step)) {
                    next = apply(next, back);
                }
                expect_same(next, tree, "the inverse of " + to_text(tree, step));
            }
        }
    }
}

TEST(ScheduleTree, MemoryAndPrefetchesGoAlongWithSteps) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8);
    b.blur_x.store_at(b.blur_y, b.xo).compute_at(b.blur_y, b.yi).hoist_storage(b.blur_y, b.yo);
    b.blur_y.prefetch(b.input, b.yi, b.yo, 2);
    const ScheduleTree start = b.tree();
    const std::string text = start.split("blur_y", "xo", "a", "b", 2).schedule().text();
    EXPECT_NE(text.find("blur_x.hoist_storage(blur_y, yo)"), std::string::npos) << text;
    EXPECT_NE(text.find("blur_y.prefetch(input, yi, yo, 2)"), std::string::npos) << text;
    const std::string rest = "; a tree has a place for each Func that is not inlined; change the level";
    EXPECT_NO_THROW(start.hoist_storage("blur_x"));
    expect_error(
        [&] { start.hoist_storage("blur_x").hoist_storage("blur_x"); }, "illegal-tree-step",
        "in a schedule tree, hoist_storage(blur_x): in a schedule: blur_x is hoisted at loop yo of several stages of "
        "blur_y, and a node of a tree has one place" +
            rest);
    expect_error(
        [&] { start.loop_type("blur_y", "xo", ForType::Parallel); }, "illegal-tree-step",
        "in a schedule tree, loop_type(blur_y, xo, parallel): in a schedule: the memory of blur_x is taken outside "
        "of the parallel loop xo of blur_y, whose iterations each need their own" +
            rest);
    expect_error(
        [&] { start.split("blur_y", "yi", "a", "b", 2); }, "illegal-tree-step",
        "in a schedule tree, split(blur_y, yi, a, b, 2): in blur_y, stage 0: split of yi, which prefetch names; a "
        "loop is cut before it is marked; call split first");
}

} // namespace
} // namespace fluorite::schedule_tree_test
