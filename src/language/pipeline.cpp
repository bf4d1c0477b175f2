// Pipelines of several outputs.

#include "fluorite/pipeline.h"

#include "fluorite/errors.h"
#include "fluorite/ops.h"
#include "language/iteration.h"
#include "language/operands.h"
#include "language/pipeline_contents.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <variant>

namespace fluorite {

using namespace language;

namespace {

/// The set of visited Functions. Every run queries it, so a few Functions are kept in a plain list.
class Seen {
  public:
    bool insert(Function *function) {
        if (!many_.empty()) {
            return many_.insert(function).second;
        }
        if (std::find(few_.begin(), few_.end(), function) != few_.end()) {
            return false;
        }
        few_.push_back(function);
        if (few_.size() > 16) {
            many_.insert(few_.begin(), few_.end());
        }
        return true;
    }

  private:
    std::vector<Function *> few_;
    std::unordered_set<Function *> many_;
};

/// Adds the edit counts of this Function and of those that it reaches.
void add_edits(Function &function, Seen &seen, uint64_t &edits) {
    std::vector<Function *> work{&function};
    while (!work.empty()) {
        Function *next = work.back();
        work.pop_back();
        if (!seen.insert(next)) {
            continue;
        }
        edits += next->edits;
        for (const auto &level : {next->compute_level, next->store_level, next->hoist_level}) {
            edits += level ? level->edits : 0;
        }
        for (const ir::Parameter *image : next->images) {
            if (const Function *function = image_function(*image)) {
                work.push_back(const_cast<Function *>(function));
            }
            if (const IterationResult *result = result_of(*image)) {
                edits += result->iteration->edits;
                for (const RefPtr<Function> &part : result->iteration->functions()) {
                    work.push_back(part.get());
                }
            }
        }
        for (Function *callee : next->callees) {
            work.push_back(callee);
        }
        for (const Wrapper &wrapper : next->wrappers) {
            work.push_back(wrapper.function.get());
        }
    }
}

} // namespace

uint64_t PipelineContents::edits() const {
    uint64_t total = 0;
    Seen seen;
    for (const RefPtr<Function> &output : outputs) {
        add_edits(*output, seen, total);
    }
    return total;
}

Pipeline::Pipeline() = default;
Pipeline::Pipeline(const Func &output, const Location &location) : Pipeline(std::vector<Func>{output}, location) {}

Pipeline::Pipeline(const std::vector<Func> &outputs, const Location &location)
    : contents_(std::make_shared<PipelineContents>()) {
    if (outputs.empty()) {
        fail("no-outputs", "a Pipeline", "it has no outputs; a Pipeline has one or more; give Funcs", location);
    }
    for (const Func &output : outputs) {
        if (!output.defined()) {
            fail("undefined-func", *output.function(), -1,
                 "it is an output of a Pipeline but has no definition; a Func is defined before it is run; define it "
                 "first",
                 location);
        }
        if (std::find(contents_->outputs.begin(), contents_->outputs.end(), output.function().get()) !=
            contents_->outputs.end()) {
            fail("duplicate-output", *output.function(), -1,
                 "it stands twice among the outputs of a Pipeline; each output is written once; name it once",
                 location);
        }
        contents_->outputs.push_back(RefPtr<Function>(output.function().get()));
    }
}

std::vector<Func> Pipeline::outputs() const {
    std::vector<Func> result;
    if (contents_) {
        for (const RefPtr<Function> &output : contents_->outputs) {
            result.push_back(Func(detail::Ref<Function>(output.get())));
        }
    }
    return result;
}

/// A requirement is checked once, before any loop.
static void check_is_invariant(const Expr &expr, const Location &location) {
    ir::for_each_node(expr, [&](const Expr &node) {
        const bool moves = node->kind() == ir::ExprKind::Variable && (node->symbol().kind() == ir::SymbolKind::Var ||
                                                                      node->symbol().kind() == ir::SymbolKind::RVar);
        if (moves) {
            throw CompileError(
                "undefined-variable",
                "a requirement of the pipeline uses the variable " + node->symbol().name() +
                    "; it is checked once, before any loop runs; use Params and sizes of inputs, or call "
                    "require() in a definition",
                location);
        }
        if (node->kind() == ir::ExprKind::Call) {
            throw CompileError("directive-value",
                               "a requirement of the pipeline uses a value of " + shown_name(node->symbol().name()) +
                                   "; it is checked once, before any Func is computed; use Params and sizes of "
                                   "inputs, or call require() in a definition",
                               location);
        }
    });
}

void Pipeline::add_requirement(const LocatedExpr &condition, const std::vector<Expr> &parts) {
    checked({"add_requirement", condition.location}, condition);
    check_is_invariant(condition.expr, condition.location);
    for (const Expr &part : parts) {
        if (part.defined()) {
            check_is_invariant(part, condition.location);
        }
    }
    std::vector<Expr> operands{ir::make_bool(true)};
    operands.insert(operands.end(), parts.begin(), parts.end());
    needed(condition.location).requirements.push_back(require(condition.expr, operands, condition.location));
}

Pipeline &Pipeline::trace_pipeline(const Location &location) {
    needed(location).trace_pipeline = true;
    return *this;
}

PipelineContents &Pipeline::needed(const Location &location) const {
    if (!contents_ || contents_->outputs.empty()) {
        fail("no-outputs", "a Pipeline", "it has no outputs; a Pipeline has one or more; give Funcs", location);
    }
    return *contents_;
}

namespace {

/// The Funcs and images of a pipeline, each behind those that it calls, which are in the order of their names.
class NumberedFuncs {
  public:
    explicit NumberedFuncs(const std::vector<Func> &outputs) {
        for (const Func &output : outputs) {
            add(*output.function());
        }
    }
    struct Entry {
        std::string name;
        Function *function; // null for an image
    };
    const std::vector<Entry> &entries() const { return entries_; }

  private:
    void add(Function &function) {
        if (!seen_.insert(&function).second) {
            return;
        }
        std::multimap<std::string, std::variant<Function *, const ir::Parameter *>> called;
        for (Function *callee : function.callees) {
            called.emplace(callee->name, callee);
        }
        for (const ir::Parameter *image : function.images) {
            called.emplace(image->name + "_im", image);
        }
        for (const auto &[name, callee] : called) {
            if (Function *const *func = std::get_if<Function *>(&callee)) {
                add(**func);
            } else if (seen_.insert(std::get<const ir::Parameter *>(callee)).second) {
                entries_.push_back({name, nullptr});
            }
        }
        entries_.push_back({function.name, &function});
    }
    std::set<const void *> seen_;
    std::vector<Entry> entries_;
};

} // namespace

Func Pipeline::get_func(const LocatedIndex &index) const {
    const NumberedFuncs numbered(outputs());
    const auto &all = numbered.entries();
    if (index.value < 0 || static_cast<size_t>(index.value) >= all.size()) {
        fail("no-outputs", "a Pipeline",
             concat("Func ", index.value, " is asked for; it has ", all.size(),
                    ", numbered from 0, each behind those that it calls; ask for one of them"),
             index.location);
    }
    const NumberedFuncs::Entry &entry = all[static_cast<size_t>(index.value)];
    if (!entry.function) {
        fail("no-outputs", "a Pipeline",
             concat("Func ", index.value, " is asked for, which is the image ", entry.name,
                    "; images are counted and have no schedule; ask for another number"),
             index.location);
    }
    return Func(detail::Ref<Function>(entry.function));
}

Pipeline Func::pipeline(const Location &location) const {
    if (!defined()) {
        fail("undefined-func", *function(), -1,
             "it is run but has no definition; a Func is defined before it is run; define it first", location);
    }
    return Pipeline(pipeline_);
}

} // namespace fluorite
