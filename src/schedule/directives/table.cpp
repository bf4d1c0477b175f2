// Collects the rows of all directives, and has the words of their arguments. No directive is named here.

#include "schedule/directives/table.h"

#include "ir/schedule_names.h"
#include "ir/text_names.h"
#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

static std::vector<DirectiveRow> collect_rows() {
    std::vector<DirectiveRow> rows;
    const auto add = [&](DirectiveName id, const char *name, const char *summary, DirectiveRow row) {
        row.id = id, row.name = name, row.summary = summary;
        rows.push_back(std::move(row));
    };
#define FLUORITE_DIRECTIVE(name, summary, arguments) add(DirectiveName::name, #name, summary, row_of_##name());
#include "schedule/directives/directives.def"
#undef FLUORITE_DIRECTIVE
    return rows;
}

std::span<const DirectiveRow> directive_rows() {
    static const std::vector<DirectiveRow> rows = collect_rows();
    return rows;
}

const DirectiveRow *find_directive(const std::string &name) {
    const std::span<const DirectiveRow> rows = directive_rows();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const DirectiveRow &row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

const DirectiveRow &row_of(DirectiveName name) { return directive_rows()[index_of(name)]; }

AppliedDirective applied(const Mark &mark) { return {row_of(mark.name).name, mark.location}; }

// ---- Marks.

Verdict set_mark(const FuncRef &func, DirectiveName name, const Expr &value, Location location) {
    const DirectiveRow &row = row_of(name);
    const Result<Expr> checked = row.check_func ? row.check_func(func, value, location) : Result<Expr>(value);
    if (!checked) {
        return checked.refusal();
    }
    if (row.subject == Subject::Storage || row.subject == Subject::Time) {
        note_applied(func.schedule->on_storage, row.name, location);
    }
    func.schedule->marks.set({name, *checked, location});
    return {};
}

Verdict set_mark(const StageRef &stage, DirectiveName name, const Expr &value, Location location) {
    const DirectiveRow &row = row_of(name);
    const Result<Expr> checked = row.check_stage ? row.check_stage(stage, value, location) : Result<Expr>(value);
    if (!checked) {
        return checked.refusal();
    }
    if (Verdict legal = require_scheduled(stage, row.name, location); !legal) {
        return legal;
    }
    note_edit(stage, row.name, location);
    stage.schedule->marks.set({name, *checked, location});
    return {};
}

Verdict apply_mark(DirectiveContext &context, const Directive &d) {
    const DirectiveRow &row = *find_directive(d.name);
    const Expr value = has(d, 0) ? context.expr(d, text(d, 0)) : Expr();
    return row.on_stage ? set_mark(context.stage(d), row.id, value, context.location())
                        : set_mark(context.func(d), row.id, value, context.location());
}

// ---- Arguments.

TailStrategy tail(const Directive &d, size_t i) {
    return has(d, i) ? word_of(text(d, i), tail_word, TailStrategy::Auto) : TailStrategy::Auto;
}

std::vector<Expr> exprs(DirectiveContext &context, const Directive &d, size_t i) {
    std::vector<Expr> result;
    for (const std::string &one : list(d, i)) {
        result.push_back(context.expr(d, one));
    }
    return result;
}

std::vector<ArgSpec> level_args() { return {{ArgKind::Func}, {ArgKind::Loop}, {ArgKind::Integer, Arity::Optional}}; }

// ---- Words.

const char *tail_word(TailStrategy tail) { return ir::enumerator_name(tail); }
const char *partition_word(Partition partition) { return ir::enumerator_name(partition); }
const char *type_word(ForType type) { return ir::to_word(type); }
const char *outside_word(PrefetchBoundStrategy strategy) { return ir::enumerator_name(strategy); }
const char *memory_word(MemoryType memory) { return ir::enumerator_name(memory); }
const char *align_word(LoopAlignStrategy align) { return ir::enumerator_name(align); }

const char *shape_word(TimeTileShape shape) {
    static const char *const words[] = {"Overlapped", "Wavefront", "Diamond"};
    return words[index_of(shape)];
}

} // namespace fluorite::schedule
