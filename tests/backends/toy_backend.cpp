// Prints the loops of each function with the memory it allocates and its stores, one per line:
//   entry filter(__user_context, in, f)
//     parallel f.s0.y over 48
//       run filter.par_for.f.s0.y.0
//   task filter.par_for.f.s0.y.0(f, in) of f.s0.y
//     loop f.s0.x over 4
//       store f: 16 lanes of uint8

#include "toy_backend.h"

#include "ir/print.h"
#include "support/check.h"

namespace fluorite::backends {

namespace {

using namespace ir;

class LoopWriter {
  public:
    std::string text;

    void function(const LoweredFunc &func) {
        text += (func.kind == LoweredFunc::Kind::Entry ? "entry " : "task ") + func.name + names(func.args);
        text += func.index.defined() ? " of " + func.index.name() + "\n" : "\n";
        inside([&] { stmt(func.body); });
    }

  private:
    int indent_ = 0;

    template <typename Walk> void inside(const Walk &walk) {
        indent_++;
        walk();
        indent_--;
    }
    void line(const std::string &what) { text += std::string(static_cast<size_t>(indent_) * 2, ' ') + what + "\n"; }

    static std::string names(const std::vector<LoweredArg> &args) {
        std::string list;
        for (const LoweredArg &arg : args) {
            list += (list.empty() ? "" : ", ") + arg.symbol.name();
        }
        return "(" + list + ")";
    }
    static const char *word(ForKind kind) {
        switch (kind) {
        case ForKind::Serial:
            return "loop ";
        case ForKind::Parallel:
            return "parallel ";
        case ForKind::Forked:
            return "forked ";
        case ForKind::Vectorized:
        case ForKind::Unrolled:
            break;
        }
        unreachable("vectorized and unrolled loops do not occur in a lowered module");
    }

    void stmt(const Stmt &stmt) {
        switch (stmt.kind()) {
        case StmtKind::For: {
            const For &loop = *stmt.as<For>();
            line(word(loop.for_kind) + loop.var.name() + " over " + to_text(loop.extent));
            break;
        }
        case StmtKind::Launch:
            line("run " + stmt.as<Launch>()->task);
            break;
        case StmtKind::Allocate:
            line("allocate " + stmt.as<Allocate>()->buffer.name());
            break;
        case StmtKind::Store: {
            const Store &store = *stmt.as<Store>();
            const Type type = store.value.type();
            line(concat("store ", store.buffer.name(), ": ", type.lanes(), " lanes of ", type.element_of()));
            break;
        }
        case StmtKind::IfThenElse:
            line("branch");
            break;
        case StmtKind::LetStmt:
        case StmtKind::Assert:
        case StmtKind::ProducerConsumer:
        case StmtKind::Free:
        case StmtKind::Block:
        case StmtKind::Evaluate:
        case StmtKind::Atomic:
            break; // they print nothing themselves
        case StmtKind::Provide:
        case StmtKind::Realize:
        case StmtKind::Prefetch:
            unreachable("the statement does not occur in a lowered module");
        }
        const bool is_line = stmt.kind() == StmtKind::For || stmt.kind() == StmtKind::IfThenElse;
        indent_ += is_line ? 1 : 0;
        for_each_child_stmt(stmt, [this](const Stmt &child) { this->stmt(child); });
        indent_ -= is_line ? 1 : 0;
    }
};

class ToyBackend : public Backend {
  public:
    std::string name() const override { return "toy"; }
    std::string file(const LoweredModule &module, const Target &target, OutputKind kind) const override {
        if (kind != OutputKind::Source) {
            refuse(module, to_word(kind));
        }
        LoopWriter writer;
        writer.text = concat("loops for vectors of ", target.natural_vector_bytes(), " bytes\n");
        for (const LoweredFunc &func : module.funcs) {
            writer.function(func);
        }
        return writer.text;
    }
};

} // namespace

const Backend &toy_backend() {
    static const ToyBackend backend;
    return backend;
}

} // namespace fluorite::backends
