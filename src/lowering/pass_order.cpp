// Properties of statements as words, and the search for what lacks them.
//
// Most properties say that a pass has looked for something, which no statement shows: a gather that was not split may
// be one that cannot be. What later passes cannot work without can be seen: a prefetch of a box, an unrolled loop.
// Folded addresses are checked by folding them again (verify_simplified.h).
//
// Cost: linear in the statements; expressions are not visited.

#include "lowering/pass_order.h"

#include "ir/stmt.h"
#include "support/check.h"

#include <iterator>

namespace fluorite::lowering {

using namespace ir;

const char *to_words(Property property) {
    static const char *const words[] = {"inlined Funcs",
                                        "sites",
                                        "regions",
                                        "checks of arguments",
                                        "no prefetches",
                                        "no unrolled loops",
                                        "outlined kernels",
                                        "folded addresses",
                                        "trace events",
                                        "padded rows",
                                        "whole vectors",
                                        "hoisted reductions",
                                        "no dead memory",
                                        "strided loads",
                                        "dense accesses",
                                        "carried values",
                                        "transposed columns",
                                        "accumulators in registers",
                                        "hints of streams",
                                        "hoisted invariants",
                                        "placed copies",
                                        "early frees",
                                        "placed memory"};
    static_assert(std::size(words) == property_count, "each property has words");
    return words[index_of(property)];
}

std::string Properties::words() const {
    std::string text;
    for (size_t i = 0; i < property_count; i++) {
        if (const auto property = static_cast<Property>(i); contains(property)) {
            text += (text.empty() ? "" : ", ") + std::string(to_words(property));
        }
    }
    return text;
}

std::optional<std::string> find_lack(const Stmt &stmt, Properties properties) {
    class Finder : public Visitor {
      public:
        explicit Finder(Properties properties) : properties_(properties) {}
        std::optional<std::string> found;

        using Visitor::visit;
        void visit(const Expr &) override {}
        void visit(const Stmt &part) override {
            const For *loop = part.as<For>();
            const Prefetch *prefetch = part.as<Prefetch>();
            if (loop && loop->for_kind == ForKind::Unrolled && properties_.contains(Property::NoUnrolledLoops)) {
                found = concat("the loop ", loop->var.name(), " is unrolled");
            } else if (loop && properties_.contains(Property::OutlinedKernels) &&
                       (loop->for_kind == ForKind::GPUThread || loop->for_kind == ForKind::GPULane)) {
                found = concat("the loop ", loop->var.name(), " over threads of a device is in no kernel");
            } else if (prefetch && properties_.contains(Property::NoPrefetches)) {
                found = concat("a box of ", prefetch->func.name(), " is prefetched");
            }
            if (!found) {
                recurse(part);
            }
        }

      private:
        Properties properties_;
    };
    Finder finder(properties);
    if (stmt.defined()) {
        finder.visit(stmt);
    }
    return finder.found;
}

} // namespace fluorite::lowering
