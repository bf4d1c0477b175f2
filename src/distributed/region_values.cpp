// What the regions of a pipeline depend on.
//
// Method: an entry answers bounds queries by calls of buffer.set_dim. What their operands, and the conditions that they
// are under, use is followed through the values of lets. Cost: linear in the entry's statements.

#include "distributed/region_values.h"

#include "ir/parameter.h"

#include <unordered_set>

namespace fluorite::distributed {

using namespace ir;

namespace {

class Finder {
  public:
    explicit Finder(const LoweredFunc &entry) { note(entry.body); }

    RegionValues find() {
        for (size_t i = 0; i < open_.size(); i++) {
            const Expr expr = open_[i];
            for_each_node(expr, [&](const Expr &node) { use(node); });
        }
        return std::move(found_);
    }

  private:
    RegionValues found_;
    SymbolMap<Expr> lets_;
    std::vector<Expr> conditions_; // of the branches around a statement
    std::vector<Expr> open_;       // to be followed
    std::unordered_set<const ExprNode *> seen_;

    void follow(const Expr &expr) {
        if (seen_.insert(expr.get()).second) {
            open_.push_back(expr);
        }
    }

    void note(const Stmt &stmt) {
        if (const auto *let = stmt.as<LetStmt>()) {
            lets_[let->symbol] = let->value;
        }
        const auto *branch = stmt.as<IfThenElse>();
        if (branch) {
            conditions_.push_back(branch->condition);
        }
        for_each_child_expr(stmt, [&](const Expr &child) {
            for_each_node(child, [&](const Expr &node) {
                if (node->kind() == ExprKind::Let) {
                    lets_[node->symbol()] = node->arg(0);
                } else if (node->kind() == ExprKind::Extern && node->text() == "buffer.set_dim") {
                    follow(node);
                    for (const Expr &condition : conditions_) {
                        follow(condition);
                    }
                }
            });
        });
        for_each_child_stmt(stmt, [&](const Stmt &child) { note(child); });
        if (branch) {
            conditions_.pop_back();
        }
    }

    void use(const Expr &node) {
        switch (node->kind()) {
        case ExprKind::Variable: {
            const auto let = lets_.find(node->symbol());
            if (let != lets_.end()) {
                follow(let->second);
            } else if (const ir::Parameter *parameter = parameter_of(node->symbol());
                       parameter && !parameter->is_buffer) {
                found_.parameters.insert(parameter);
            }
            break;
        }
        case ExprKind::BufferField:
            if (const ir::Parameter *parameter = parameter_of(node->symbol())) {
                found_.parameters.insert(parameter);
            }
            break;
        case ExprKind::Load:
            found_.reads_elements = true;
            break;
        default: // kinds that refer to nothing; loop IR after flattening has no Calls and Images
            break;
        }
    }
};

} // namespace

RegionValues region_values(const LoweredModule &module) { return Finder(module.entry()).find(); }

} // namespace fluorite::distributed
