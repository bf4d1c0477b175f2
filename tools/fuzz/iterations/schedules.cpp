#include "iterations/schedules.h"

#include <algorithm>

namespace fluorite::fuzz::iterations {

namespace {

/// What the part reads cannot be computed in the loops of the consumer any more.
void forbid(const std::vector<Part> &parts, size_t i, std::vector<bool> &free) {
    for (const size_t read : parts[i].reads) {
        free[read] = false;
    }
}

} // namespace

ScheduleDrawing::Tail ScheduleDrawing::tail() {
    static const std::vector<Tail> tails = {{TailStrategy::Auto, "Auto"},
                                            {TailStrategy::GuardWithIf, "GuardWithIf"},
                                            {TailStrategy::Predicate, "Predicate"},
                                            {TailStrategy::ShiftInwards, "ShiftInwards"}}; // outputs are not rounded up
    const Tail &drawn = draw_.any_of(tails);
    return {drawn.strategy, "TailStrategy::" + drawn.text};
}

ScheduleDrawing::Loops ScheduleDrawing::split_loops(Func &func, const std::string &name,
                                                    std::set<std::string> &unrolled) {
    Loops loops;
    for (size_t d = 0; d < draw_.vars().size(); d++) {
        const Var &var = draw_.vars()[d];
        const std::string &var_name = draw_.var_names()[d];
        if (!draw_.chance(35)) {
            loops.emplace_back(var, var_name);
            continue;
        }
        const std::string outer = draw_.fresh("o"), inner = draw_.fresh("i");
        const Tail how = tail();
        const int factor = draw_.in(1, 9);
        draw_.line("Var " + outer + "(\"" + outer + "\"), " + inner + "(\"" + inner + "\");");
        draw_.line(name + ".split(" + var_name + ", " + outer + ", " + inner + ", " + number_text(factor) + ", " +
                   how.text + ");");
        func.split(var, Var(outer), Var(inner), factor, how.strategy);
        loops.emplace_back(Var(inner), inner);
        loops.emplace_back(Var(outer), outer);
        if (draw_.chance(20)) {
            draw_.line(name + ".unroll(" + inner + ");");
            func.unroll(Var(inner));
            unrolled.insert(inner);
        }
    }
    return loops;
}

/// Schedules the loops of the pure definition; returns loops in which other Funcs may be computed.
ScheduleDrawing::Loops ScheduleDrawing::schedule_loops(Func &func, const std::string &name) {
    draw_.feature("schedules");
    std::set<std::string> unrolled;
    Loops loops = split_loops(func, name, unrolled);
    if (loops.size() > 1 && draw_.chance(25)) {
        std::swap(loops[0], loops.back());
        std::vector<VarOrRVar> order;
        std::vector<std::string> texts;
        for (const auto &[var, text] : loops) {
            order.emplace_back(var);
            texts.push_back(text);
        }
        draw_.line(name + ".reorder(" + list_text(texts) + ");");
        func.reorder(order);
    }
    if (draw_.chance(50) && loops[0].second == draw_.var_names()[0]) {
        const int width = 1 << draw_.in(1, 4);
        const Tail how = tail();
        draw_.line(name + ".vectorize(" + loops[0].second + ", " + number_text(width) + ", " + how.text + ");");
        func.vectorize(loops[0].first, width, how.strategy);
    }
    if (draw_.chance(50) && loops.size() > 1 && !unrolled.contains(loops.back().second)) {
        draw_.line(name + ".parallel(" + loops.back().second + ");");
        func.parallel(loops.back().first);
    }
    return loops;
}

void ScheduleDrawing::schedule_all(Func &next, const std::string &name, std::vector<Part> &parts,
                                   const std::vector<size_t> &reads) {
    const auto loops = schedule_loops(next, name);
    std::vector<bool> free(parts.size(), true); // whether all that read it are computed in the loops of `next`
    for (size_t i = parts.size(); i-- > 0;) {
        Part &part = parts[i];
        const int kind = draw_.in(0, 2);
        bool is_read = std::find(reads.begin(), reads.end(), i) != reads.end();
        for (size_t j = i + 1; j < parts.size(); j++) {
            is_read |= std::find(parts[j].reads.begin(), parts[j].reads.end(), i) != parts[j].reads.end();
        }
        if (!is_read || kind == 0) {
            if (part.has_update || !free[i]) { // computed by itself, or inlined into what is
                forbid(parts, i, free);
            }
            continue;
        }
        if (kind == 1 || !free[i]) {
            draw_.line(part.name + ".compute_root();");
            part.func.compute_root();
            forbid(parts, i, free);
        } else {
            const auto &loop = draw_.any_of(loops);
            draw_.line(part.name + ".compute_at(" + name + ", " + loop.second + ");");
            part.func.compute_at(next, loop.first);
            forbid(parts, i, free); // its own loops may be further in than those of what it reads
            draw_.feature("compute_at");
        }
    }
}

} // namespace fluorite::fuzz::iterations
