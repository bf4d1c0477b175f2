// Vars: names of dimensions.

#include "fluorite/var.h"

#include "fluorite/rdom.h"
#include "language/function.h"
#include "schedule/loop_names.h"

#include <cctype>

namespace fluorite {

using namespace language;

const Var _("_");
const Var _0("_0"), _1("_1"), _2("_2"), _3("_3"), _4("_4"), _5("_5"), _6("_6"), _7("_7"), _8("_8"), _9("_9");

Var::Var() : name_(anonymous_name("v")) {}
Var::Var(const std::string &name) : name_(name.empty() ? anonymous_name("v") : name) {}

Var::operator Expr() const { return ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Var, name_)); }

Var Var::implicit(int n) { return Var("_" + std::to_string(n)); }
bool Var::is_implicit() const { return is_implicit(name_); }
bool Var::is_placeholder() const { return name_ == "_"; }
int Var::implicit_index(const std::string &name) {
    if (name.size() < 2 || name.size() > 4 || name[0] != '_') {
        return -1;
    }
    int index = 0;
    for (size_t i = 1; i < name.size(); i++) {
        if (std::isdigit(static_cast<unsigned char>(name[i])) == 0) {
            return -1;
        }
        index = index * 10 + (name[i] - '0');
    }
    return index;
}
Var Var::outermost() { return Var(schedule::outermost_loop); }
Var Var::gpu_blocks() { return Var(schedule::block_loop); }
Var Var::gpu_threads() { return Var(schedule::thread_loop); }

VarOrRVar::VarOrRVar(const RVar &var, const Location &place)
    : name_(var.name()), is_rvar_(true), domain_(var.domain().get()), location_(place) {}

VarOrRVar::VarOrRVar(const RDom &domain, const Location &place) : is_rvar_(true), location_(place) {
    name_ = RVar(domain).name();
    domain_ = domain.domain().get();
}

} // namespace fluorite
