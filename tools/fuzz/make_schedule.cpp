// Random schedules: directives, or, for some cases, a walk over the schedule tree (apply_walk.cpp) and a few directives
// on memory, or an automatic schedule (apply_automatic.cpp).
//
// Directives are drawn as numbers. Their meaning (which loop, which legal site) is determined when they are applied,
// one after the other, to the loops that exist then (apply_directive.cpp). So schedules are legal by construction,
// except a few that are drawn wild: those must be either refused or correct.

#include "genome.h"

#include <algorithm>

namespace fluorite::fuzz {

namespace {

/// How many cases have a schedule that the library finds.
constexpr int automatic_percent = 4;
constexpr uint64_t automatic_seed = 0x6175746f6d617469ull;
/// How often a Func's loops are skewed.
constexpr int skew_percent = 8;
constexpr uint64_t skew_seed = 0x736b657765647878ull;

class Scheduler {
  public:
    Scheduler(Genome &genome, Random &random) : genome_(genome), random_(random), wild_(random.chance(6)) {}

    void run() {
        Random own = apart(automatic_seed);
        if (own.chance(automatic_percent)) {
            genome_.automatic.push_back({own.chance(15), own.in(1, 4), 1 << 3 * own.in(0, 3), 64 << own.in(0, 3)});
            return;
        }
        if (random_.chance(15)) {
            walk();
            return;
        }
        int funcs = static_cast<int>(genome_.funcs.size());
        // Wrappers come first, so that later directives see the changed calls.
        for (int f = 0; f < funcs; f++) {
            if (random_.chance(7) && !last(f)) {
                Directive in = draw(Directive::Op::In, f);
                if (random_.chance(35)) {
                    in.op = Directive::Op::CloneIn;
                } else {
                    in.consumer = random_.chance(50) ? -1 : in.consumer;
                }
                genome_.schedule.push_back(in);
            }
        }
        size_t wrappers = genome_.schedule.size();
        // Only computed Funcs have loops.
        std::vector<int> kinds, wrapper_kinds, partial;
        for (int f = 0; f < funcs; f++) {
            kinds.push_back(genome_.is_output(f) ? 99 : random_.in(0, 99));
            if (kinds.back() >= inlined || (wild_ && random_.chance(30))) {
                draw_loops(f, -1);
                if (stages(f) > 1 && random_.chance(25)) {
                    Directive rfactor = draw(Directive::Op::RFactor, f);
                    rfactor.stage = random_.in(1, stages(f) - 1);
                    genome_.schedule.push_back(rfactor);
                    partial.push_back(f);
                }
            }
        }
        for (int f : partial) {
            draw_loops(f, 1);
        }
        for (size_t i = 0; i < wrappers; i++) {
            wrapper_kinds.push_back(random_.in(0, 99));
            if (wrapper_kinds.back() >= inlined) {
                draw_loops(genome_.schedule[i].func, 0);
            }
        }
        // Placements come last, when the consumers' loops exist; consumers are placed before producers.
        for (int f = funcs - 1; f >= 0; f--) {
            for (size_t i = 0; i < wrappers; i++) {
                if (genome_.schedule[i].func == f) {
                    place(f, 0, wrapper_kinds[i]);
                }
            }
            if (!genome_.is_output(f)) {
                place(f, -1, kinds[static_cast<size_t>(f)]);
            } else if (random_.chance(10)) {
                genome_.schedule.push_back(draw(Directive::Op::ComputeRoot, f));
            }
            if (std::find(partial.begin(), partial.end(), f) != partial.end()) {
                place(f, 1, random_.in(0, 99));
            }
        }
        // Each specialization needs the loops at which Funcs are computed, so these follow once all loops exist.
        for (int f = 0; f < funcs; f++) {
            if (kinds[static_cast<size_t>(f)] >= inlined) {
                if (random_.chance(70)) {
                    genome_.schedule.push_back(draw(Directive::Op::ComputeWith, f));
                }
                for (int i = random_.chance(8) ? random_.in(1, 3) : 0; i > 0; i--) {
                    genome_.schedule.push_back(draw(Directive::Op::Specialize, f));
                }
            }
        }
        // Directives that depend on where Funcs are stored.
        for (int f = 0; f < funcs; f++) {
            for (size_t i = 0; i < wrappers; i++) {
                if (genome_.schedule[i].func == f) {
                    lay_out(f, 0);
                }
            }
            lay_out(f, -1);
        }
        for (int f = 0; f < funcs; f++) {
            if (random_.chance(40)) {
                genome_.schedule.push_back(draw(Directive::Op::Memoize, f));
            }
            if (random_.chance(15)) {
                genome_.schedule.push_back(draw(Directive::Op::Async, f));
            }
        }
    }

  private:
    Genome &genome_;
    Random &random_;
    bool wild_;
    static constexpr int inlined = 18; // kinds of placement below this are inlined

    /// What is drawn apart, so that the other draws of a seed do not depend on it.
    Random apart(uint64_t seed) const { return Random(Random(random_).next() ^ seed); }

    bool last(int func) const { return func + 1 == static_cast<int>(genome_.funcs.size()); }

    int stages(int func) const { return 1 + static_cast<int>(genome_.funcs[static_cast<size_t>(func)].updates.size()); }

    Directive draw(Directive::Op op, int func, int wrapper = -1) {
        static const int factors[] = {1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 16, 32};
        static const TailStrategy tails[] = {TailStrategy::Auto,
                                             TailStrategy::Auto,
                                             TailStrategy::Auto,
                                             TailStrategy::RoundUp,
                                             TailStrategy::GuardWithIf,
                                             TailStrategy::ShiftInwards,
                                             TailStrategy::ShiftInwards,
                                             TailStrategy::Predicate,
                                             TailStrategy::PredicateLoads,
                                             TailStrategy::PredicateStores,
                                             TailStrategy::RoundUpAndBlend,
                                             TailStrategy::ShiftInwardsAndBlend};
        Directive directive;
        directive.op = op;
        directive.func = func;
        directive.wrapper = wrapper;
        directive.stage = wrapper < 0 ? random_.in(0, stages(func) - 1) : wrapper > 0 ? random_.in(0, 1) : 0;
        directive.loop = random_.in(0, 11);
        directive.other = random_.in(0, 11);
        directive.factor = factors[random_.in(0, 13)];
        directive.factor2 = factors[random_.in(0, 10)];
        directive.tail = tails[random_.in(0, 11)];
        if (!last(func)) {
            directive.consumer = random_.in(func + 1, static_cast<int>(genome_.funcs.size()) - 1);
            directive.consumer_stage = random_.in(0, stages(directive.consumer) - 1);
        }
        directive.wild = wild_ && random_.chance(50);
        return directive;
    }

    void draw_loops(int func, int wrapper) {
        int total = 0;
        for (int op = 0; op < directive_count; op++) {
            total += op_weight(static_cast<Directive::Op>(op));
        }
        int loops = random_.in(0, 4);
        for (int i = 0; i < loops; i++) {
            int at = random_.in(0, total - 1), op = 0;
            while ((at -= op_weight(static_cast<Directive::Op>(op))) >= 0) {
                op++;
            }
            genome_.schedule.push_back(draw(static_cast<Directive::Op>(op), func, wrapper));
        }
        Random own = apart(skew_seed);
        if (own.chance(skew_percent)) {
            const Directive skew = Scheduler(genome_, own).draw(Directive::Op::Skew, func, wrapper);
            genome_.schedule.insert(genome_.schedule.end() - own.in(0, loops), skew);
        }
    }

    void lay_out(int func, int wrapper) {
        using Op = Directive::Op;
        static constexpr std::pair<Op, int> chances[] = {{Op::StoreIn, 12},      {Op::FoldStorage, 12},
                                                         {Op::HoistStorage, 25}, {Op::RingBuffer, 40},
                                                         {Op::Prefetch, 20},     {Op::StreamStores, 12}};
        for (const auto &[op, percent] : chances) {
            if (random_.chance(percent)) {
                genome_.schedule.push_back(draw(op, func, wrapper));
            }
        }
    }

    WalkStep draw_step(WalkStep::Op op, int func) {
        static constexpr int factors[] = {1, 2, 3, 4, 4, 5, 7, 8};
        WalkStep step;
        step.op = op;
        step.func = func;
        step.stage = random_.in(0, stages(func) - 1);
        step.loop = random_.in(0, 11);
        step.other = random_.in(0, 11);
        step.factor = factors[random_.in(0, 7)];
        step.tail = static_cast<TailStrategy>(random_.in(0, static_cast<int>(TailStrategy::Auto)));
        return step;
    }

    // Consumers first, so that their loops exist when producers are placed in them; then steps of any kind.
    void walk() {
        using Op = WalkStep::Op;
        static constexpr Op loop_ops[] = {Op::Split,    Op::Split,    Op::Split,   Op::Split,  Op::Fuse,    Op::Reorder,
                                          Op::LoopType, Op::LoopType, Op::Reorder, Op::Rename, Op::LoopType};
        const auto add = [&](Op op, int func, int count) {
            for (int i = 0; i < count; i++) {
                genome_.walk.push_back(draw_step(op, func));
            }
        };
        const int funcs = static_cast<int>(genome_.funcs.size());
        for (int f = funcs - 1; f >= 0; f--) {
            const bool is_output = genome_.is_output(f);
            if (!is_output && random_.chance(15)) {
                continue;
            }
            add(Op::Deinline, f, is_output ? 0 : 1);
            const int hoists = is_output ? 0 : random_.in(0, 4);
            add(Op::HoistStorage, f, hoists);
            add(Op::HoistCompute, f, hoists == 0 ? 0 : random_.in(0, hoists - 1));
            for (int i = random_.in(0, 4); i > 0; i--) {
                add(loop_ops[random_.in(0, 10)], f, 1);
                if (genome_.walk.back().op == Op::Split && random_.chance(40)) {
                    add(Op::LoopType, f, 1);
                }
                Random own = apart(skew_seed);
                if (own.chance(skew_percent)) {
                    genome_.walk.insert(genome_.walk.end() - own.in(0, 1),
                                        Scheduler(genome_, own).draw_step(Op::Skew, f));
                }
            }
        }
        static constexpr Op any_ops[] = {Op::Split,        Op::Fuse,         Op::Reorder,      Op::LoopType,
                                         Op::HoistCompute, Op::LowerCompute, Op::LowerCompute, Op::LowerCompute,
                                         Op::HoistStorage, Op::LowerStorage, Op::LowerStorage, Op::Inline,
                                         Op::Inline,       Op::Deinline,     Op::Deinline,     Op::Rename};
        for (int i = random_.in(0, 8); i > 0; i--) {
            add(any_ops[random_.in(0, 15)], random_.in(0, funcs - 1), 1);
            genome_.walk.back().helper = random_.chance(30) ? random_.in(0, 3) : -1;
        }
        static constexpr Directive::Op memory[] = {Directive::Op::StoreIn,      Directive::Op::AlignStorage,
                                                   Directive::Op::BoundStorage, Directive::Op::ReorderStorage,
                                                   Directive::Op::FoldStorage,  Directive::Op::StreamStores,
                                                   Directive::Op::PartitionAll, Directive::Op::AlignBounds};
        for (int i = random_.in(0, 3); i > 0; i--) {
            genome_.schedule.push_back(draw(memory[random_.in(0, 7)], random_.in(0, funcs - 1)));
        }
    }

    void place(int func, int wrapper, int kind) {
        if (kind < inlined) {
            if (random_.chance(15)) {
                genome_.schedule.push_back(draw(Directive::Op::ComputeInline, func, wrapper));
            }
            return;
        }
        genome_.schedule.push_back(
            draw(kind < 40 ? Directive::Op::ComputeRoot : Directive::Op::ComputeAt, func, wrapper));
        if (kind >= 40 && random_.chance(50)) {
            genome_.schedule.push_back(draw(Directive::Op::ComputeInStages, func, wrapper));
        }
        if (kind >= 70) {
            genome_.schedule.push_back(
                draw(kind < 78 ? Directive::Op::StoreRoot : Directive::Op::StoreAt, func, wrapper));
        }
    }
};

} // namespace

void make_schedule(Genome &genome, Random &random) { Scheduler(genome, random).run(); }

} // namespace fluorite::fuzz
