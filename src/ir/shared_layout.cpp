// The division of the memory of a block.
//
//   allocate a { store a; barrier; load a;                    a and b are needed at the same time: they have bytes of
//     allocate b { store b; barrier; load b, load a } }       their own. c begins when both have ended, behind a barrier:
//   barrier; allocate c { store c ... }                       c takes the bytes of a
//
// Two allocations share bytes if, in every execution, the accesses to one of them all come before those to the other,
// with a barrier in between. Two walks through the body find this, with back edges:
// - Segments. A barrier begins a segment; an access is in each segment that may have begun last when it happens. At the
//   start of an iteration these are those before the loop and those at the end of any iteration. Accesses with a segment
//   in common have no barrier in between, on some path.
// - Ranges. The positions of statements are numbered. The range of a buffer reaches from its first access to its last,
//   and takes in each loop that is inside of its allocation and around an access, as an iteration may read what the one
//   before has stored. Buffers whose ranges are disjoint hold values at different times: an allocation inside of a loop
//   is another one in each iteration.
//
// Then each buffer takes the first place where it overlaps with none that it conflicts with; those of constant size
// first, the largest first, and after their end those whose size is known before the launch only, in groups without
// conflicts.
// Relies on: barriers are executed by all threads of a block or by none. Cost: linear in statements and in loops around
// an access; the squared number of allocations.

#include "ir/device_code.h"
#include "ir/memory.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fluorite::ir {

namespace {

Expr int64_const(int64_t value) { return make_const(Int(64), value); }

/// The bytes of an allocation, rounded up to the alignment.
Expr padded_bytes(const Allocate &allocate) {
    constexpr int64_t alignment = SharedLayout::alignment;
    const int64_t element = allocate.type.bytes();
    if (const std::optional<int64_t> elements = constant_elements(allocate)) {
        return int64_const((*elements * element + alignment - 1) / alignment * alignment);
    }
    Expr bytes = int64_const(element);
    for (const Expr &extent : allocate.extents) {
        bytes = mul(bytes, make_cast(Int(64), max_of(extent, make_const(extent.type(), 0))));
    }
    return mul(div(add(bytes, int64_const(alignment - 1)), int64_const(alignment)), int64_const(alignment));
}

Expr greater_of(const Expr &a, const Expr &b) {
    int64_t left = 0, right = 0;
    return equal(a, b)                                         ? a
           : is_const_int(a, &left) && is_const_int(b, &right) ? int64_const(std::max(left, right))
                                                               : max_of(a, b);
}

Expr sum(const Expr &a, const Expr &b) {
    int64_t left = 0, right = 0;
    return is_const_int(a, &left) && is_const_int(b, &right) ? int64_const(left + right) : add(a, b);
}

using Segments = std::set<int>;

/// The segments that a statement begins and that may be the last ones at its end, and whether the one before it may be.
struct Flow {
    Segments ends;
    bool passes = true;

    void then(const Flow &next) {
        ends = next.passes ? ends : Segments();
        ends.insert(next.ends.begin(), next.ends.end());
        passes = passes && next.passes;
    }
    void either(const Flow &other) {
        ends.insert(other.ends.begin(), other.ends.end());
        passes = passes || other.passes;
    }
};

/// Finds which segments may be the last ones at the end of an iteration of each loop. Loops and barriers are numbered
/// in the order of their texts.
class IterationEnds {
  public:
    explicit IterationEnds(const Stmt &body) { flow(body); }
    std::vector<Segments> of_loops;

  private:
    int barriers_ = 0;

    Flow flow(const Stmt &stmt) {
        if (stmt.kind() == StmtKind::Barrier) {
            return {{++barriers_}, false};
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            Flow both = flow(branch->then_case);
            both.either(branch->else_case.defined() ? flow(branch->else_case) : Flow());
            return both;
        }
        if (const auto *loop = stmt.as<For>()) {
            const size_t number = of_loops.size();
            of_loops.emplace_back();
            Flow iterations = flow(loop->body);
            of_loops[number] = iterations.ends;
            iterations.passes = true;
            return iterations;
        }
        Flow whole;
        for_each_child_stmt(stmt, [&](const Stmt &part) { whole.then(flow(part)); });
        return whole;
    }
};

/// A buffer in the memory of a block.
struct Tenant {
    Symbol buffer;
    Expr bytes;
    size_t loops = 0; // around its allocation
    Segments segments;
    int first = -1, last = -1; // positions

    bool is_used() const { return first >= 0; }
    bool conflicts_with(const Tenant &other) const {
        const bool overlaps = first <= other.last && other.first <= last;
        const bool meets = std::any_of(segments.begin(), segments.end(),
                                       [&](int segment) { return other.segments.contains(segment); });
        return is_used() && other.is_used() && (overlaps || meets);
    }
};

class Tenants : public Visitor {
  public:
    explicit Tenants(const Stmt &body) : ends_(body) { visit(body); }
    std::vector<Tenant> all;

    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [this](const Expr &node) {
            if (node->kind() == ExprKind::Load) {
                access(node->symbol());
            }
        });
    }
    void visit(const Stmt &stmt) override {
        position_++;
        if (const auto *allocate = stmt.as<Allocate>(); allocate && allocate->memory == MemoryType::GPUShared) {
            open(*allocate);
        } else if (const auto *store = stmt.as<Store>()) {
            access(store->buffer);
        } else if (stmt.kind() == StmtKind::Barrier) {
            now_ = {++barriers_};
        }
        if (const auto *loop = stmt.as<For>()) {
            return visit_loop(*loop);
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            return visit_branch(*branch);
        }
        recurse(stmt);
    }

  private:
    struct Loop {
        int first;
        std::set<size_t> tenants; // that are allocated outside and accessed inside
    };
    IterationEnds ends_;
    std::map<Symbol, size_t> numbers_;
    std::vector<Loop> loops_;
    size_t seen_loops_ = 0;
    int barriers_ = 0, position_ = 0;
    Segments now_ = {0}; // that may have begun last

    void open(const Allocate &allocate) {
        const Expr bytes = padded_bytes(allocate);
        const auto [known, is_new] = numbers_.emplace(allocate.buffer, all.size());
        if (is_new) {
            all.push_back({allocate.buffer, bytes, loops_.size(), {}});
            return;
        }
        Tenant &tenant = all[known->second]; // one of two copies of a statement
        tenant.bytes = greater_of(tenant.bytes, bytes);
        tenant.loops = loops_.size();
    }

    void access(const Symbol &buffer) {
        const auto known = numbers_.find(buffer);
        if (known == numbers_.end()) {
            return;
        }
        Tenant &tenant = all[known->second];
        tenant.segments.insert(now_.begin(), now_.end());
        tenant.first = tenant.is_used() ? tenant.first : position_;
        tenant.last = position_;
        for (size_t depth = tenant.loops; depth < loops_.size(); depth++) {
            loops_[depth].tenants.insert(known->second);
        }
    }

    void visit_loop(const For &loop) {
        visit(loop.min);
        visit(loop.extent);
        const Segments &ends = ends_.of_loops[seen_loops_++];
        now_.insert(ends.begin(), ends.end());
        const Segments at_start = now_; // there may be no iteration
        loops_.push_back({position_, {}});
        visit(loop.body);
        now_.insert(at_start.begin(), at_start.end());
        const Loop iterations = std::move(loops_.back());
        loops_.pop_back();
        position_++;
        for (const size_t number : iterations.tenants) {
            all[number].first = std::min(all[number].first, iterations.first);
            all[number].last = position_;
        }
    }

    void visit_branch(const IfThenElse &branch) {
        visit(branch.condition);
        const Segments before = now_;
        visit(branch.then_case);
        Segments after = std::exchange(now_, before);
        if (branch.else_case.defined()) {
            visit(branch.else_case);
        }
        now_.insert(after.begin(), after.end());
    }
};

/// Gives each buffer its place.
class Places {
  public:
    explicit Places(const std::vector<Tenant> &tenants) : tenants_(tenants), offsets_(tenants.size()) {
        place_constant();
        place_others();
    }

    SharedLayout layout() const {
        SharedLayout result{{}, bytes_};
        for (size_t i = 0; i < tenants_.size(); i++) {
            result.parts.push_back({tenants_[i].buffer, offsets_[i]});
        }
        return result;
    }

  private:
    const std::vector<Tenant> &tenants_;
    std::vector<Expr> offsets_;
    Expr bytes_ = int64_const(0);

    /// At the lowest offset where nothing is that it conflicts with.
    void place_constant() {
        struct Placed {
            size_t number;
            int64_t begin, end;
        };
        std::vector<Placed> order, placed; // by decreasing size; by offset
        for (size_t i = 0; i < tenants_.size(); i++) {
            if (int64_t bytes = 0; is_const_int(tenants_[i].bytes, &bytes)) {
                order.push_back({i, 0, bytes});
            }
        }
        std::stable_sort(order.begin(), order.end(), [](const Placed &a, const Placed &b) { return a.end > b.end; });
        int64_t all = 0;
        for (Placed next : order) {
            for (const Placed &other : placed) {
                const bool is_in_the_way = other.begin < next.end && next.begin < other.end;
                if (is_in_the_way && tenants_[next.number].conflicts_with(tenants_[other.number])) {
                    next = {next.number, other.end, other.end + next.end - next.begin};
                }
            }
            placed.push_back(next);
            std::sort(placed.begin(), placed.end(), [](const Placed &a, const Placed &b) { return a.begin < b.begin; });
            offsets_[next.number] = int64_const(next.begin);
            all = std::max(all, next.end);
        }
        bytes_ = int64_const(all);
    }

    /// Behind them, those that conflict with none of a group at the offset of the group.
    void place_others() {
        std::vector<std::vector<size_t>> groups;
        for (size_t i = 0; i < tenants_.size(); i++) {
            if (offsets_[i].defined()) {
                continue;
            }
            const auto fits = [&](const std::vector<size_t> &group) {
                return std::none_of(group.begin(), group.end(),
                                    [&](size_t other) { return tenants_[i].conflicts_with(tenants_[other]); });
            };
            const auto group = std::find_if(groups.begin(), groups.end(), fits);
            if (group == groups.end()) {
                groups.push_back({i});
            } else {
                group->push_back(i);
            }
        }
        for (const std::vector<size_t> &group : groups) {
            Expr most = tenants_[group.front()].bytes;
            for (const size_t i : group) {
                offsets_[i] = bytes_;
                most = greater_of(most, tenants_[i].bytes);
            }
            bytes_ = sum(bytes_, most);
        }
    }
};

} // namespace

const SharedLayout::Part *SharedLayout::find(const Symbol &buffer) const {
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part &part) { return part.buffer == buffer; });
    return at == parts.end() ? nullptr : &*at;
}

SharedLayout shared_layout(const LoweredFunc &kernel) {
    const std::vector<Tenant> tenants = kernel.body.defined() ? Tenants(kernel.body).all : std::vector<Tenant>();
    return Places(tenants).layout();
}

} // namespace fluorite::ir
