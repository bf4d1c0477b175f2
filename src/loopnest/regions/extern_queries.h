#pragma once
// The bounds queries of extern stages: what the C functions are asked, where, and the symbols of what they answer.

#include "analysis/interval.h"
#include "ir/extern_stage.h"
#include "loopnest/lowering_graph.h"
#include "loopnest/regions/func_loops.h"
#include "loopnest/regions/lifted_ends.h"
#include "loopnest/site.h"

#include <map>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Coordinates that an extern stage asks for lie in [-most_queried, most_queried], so that what is computed from them
/// fits into 32 bits. Chosen, not measured: images have far less, and factors of 8 remain.
constexpr int64_t most_queried = int64_t{1} << 27;

/// A value to bind at a site, or (if the symbol is undefined) a condition to assert there.
struct SiteLet {
    ir::Symbol symbol;
    Expr value;
    Expr error;            // of an assertion
    bool in_order = false; // an assertion that must hold before later values are computed
    SharedEnd end = {};    // of a lifted end, which several Funcs may bind; the first counts
};

/// Whether the symbol is an end of the box that an extern stage asks for in a bounds query. The owner has the Func, the
/// operand (as input), dimension and side, and (as level) the number of the query.
inline bool is_queried(const ir::Symbol &symbol) {
    return symbol.kind() == ir::SymbolKind::Bound && symbol.owner().level >= 0;
}

class ExternQueries {
  public:
    /// The boxes of the operands in the query of the Func at the site; null if there is no such query.
    const std::vector<analysis::Box> *find(FuncId func, const Site &site) const;
    /// Adds a query that asks what the Func reads for this box of it.
    const std::vector<analysis::Box> &ask(const LoweringGraph &graph, FuncId func, const Site &site,
                                          const analysis::Box &output);
    /// Null if the symbol is none of these queries.
    const RegionValue *value_of(const ir::Symbol &symbol) const;
    /// Returns what has been added since the last call.
    std::vector<std::pair<Site, SiteLet>> take_lets() { return std::exchange(lets_, {}); }
    /// Adds a let of something else, after those of the queries so far.
    void add_let(const Site &site, SiteLet let) { lets_.push_back({site, std::move(let)}); }

  private:
    std::map<std::pair<FuncId, Site>, std::vector<analysis::Box>> boxes_;
    std::map<FuncId, int> counts_;
    ir::SymbolMap<RegionValue> values_;
    std::vector<std::pair<Site, SiteLet>> lets_;

    void bind(const Site &site, const ir::Symbol &symbol, const Expr &value);
    Expr bind_named(const Site &site, const std::string &name, const Expr &value);
    analysis::Box read_answer(const ir::FuncDef &func, const Site &site, int operand, const Expr &header,
                              const std::string &prefix, int query);
};

/// The headers of the outputs of an extern stage in a bounds query for this box, densely stored.
std::vector<ir::HeaderDim> queried_dims(const analysis::Box &box);
/// The name of what an operand accesses.
const std::string &name_of_operand(const Expr &access);
/// Whether a buffer operand is asked for what is read of it: all but Buffers that the program has bound, which are
/// passed as they are.
bool is_asked_for(const Expr &access);

} // namespace fluorite::loopnest
