// Prices by Lagrangian relaxation of the partition.
//
// That each stage is in exactly one group is priced: with prices p, a group has the excess e(H) = cost(H) - p(H), and
// any grouping costs p(all stages) plus the excesses of its groups. What is kept of the constraint is that the groups
// have n stages together, so the bound is p(all) + E(n) with E(m) the least sum of excesses of groups with m stages
// together, from the least excess of each size. The bound holds for any prices. For graphs that are nearly chains the
// best prices make it exact.
//
// The first prices divide the cost of each group of a known grouping among its stages. Then subgradient steps: the
// price falls of a stage that the relaxed solution covers more than once, and rises of one that it leaves out. Most
// steps look at the groups of least excess alone; a bound counts only where all groups were looked at. Prices are
// integers and the bound is exact; the lengths of steps are computed in floating point in a fixed order, so the result
// is deterministic.
//
// Cost: rounds * (all groups) + steps * (active groups), each with a look-up for every eight stages.
#include "autoschedule/grouping/stage_bounds.h"

#include "autoschedule/costs.h"
#include <algorithm>
#include <array>
#include <limits>

namespace fluorite::autoschedule {

namespace {

constexpr Cost none = std::numeric_limits<Cost>::max() / 4; // no groups have so many stages together

/// Sums of prices over sets, eight stages at a time.
class PriceSums {
  public:
    explicit PriceSums(const std::vector<Cost> &prices) : sums_((prices.size() + 63) / 64 * 8) {
        for (size_t byte = 0; byte < sums_.size(); ++byte) {
            for (size_t bits = 1; bits < 256; ++bits) {
                const size_t low = static_cast<size_t>(std::countr_zero(bits)), stage = byte * 8 + low;
                sums_[byte][bits] = sums_[byte][bits & (bits - 1)] + (stage < prices.size() ? prices[stage] : 0);
            }
        }
    }
    Cost of(std::span<const uint64_t> words) const {
        Cost sum = 0;
        size_t byte = 0;
        for (uint64_t word : words) {
            for (int at = 0; at < 8; ++at, word >>= 8) {
                sum += sums_[byte++][word & 255];
            }
        }
        return sum;
    }

  private:
    std::vector<std::array<Cost, 256>> sums_;
};

size_t size_of(std::span<const uint64_t> words) {
    size_t size = 0;
    for (uint64_t word : words) {
        size += static_cast<size_t>(std::popcount(word));
    }
    return size;
}

/// The least excess of some groups of each size, and of groups with each number of stages together.
class Relaxed {
  public:
    explicit Relaxed(size_t stages) : cheapest_(stages + 1), of_size_(stages + 1, none) {}

    void offer(size_t group, size_t size, Cost excess) {
        if (excess < of_size_[size]) {
            of_size_[size] = excess;
            cheapest_[size] = group;
        }
    }
    void put_together() {
        together.assign(of_size_.size(), none);
        last_.assign(of_size_.size(), 0);
        together[0] = 0;
        for (size_t count = 1; count < together.size(); ++count) {
            for (size_t size = 1; size <= count; ++size) {
                if (of_size_[size] != none && together[count - size] != none &&
                    of_size_[size] + together[count - size] < together[count]) {
                    together[count] = of_size_[size] + together[count - size];
                    last_[count] = size;
                }
            }
        }
    }
    /// How often the cheapest groups with all stages together hold each stage more than once; -1 where never.
    std::vector<Cost> surplus(const GroupTable &table) const {
        std::vector<Cost> surplus(of_size_.size() - 1, -1);
        for (size_t left = surplus.size(); left > 0; left -= last_[left]) {
            for (size_t stage : table.stages(cheapest_[last_[left]])) {
                ++surplus[stage];
            }
        }
        return surplus;
    }
    std::vector<Cost> together;

  private:
    std::vector<size_t> cheapest_; // by size
    std::vector<Cost> of_size_;
    std::vector<size_t> last_; // by number together: the size of one of the groups
};

Cost sum_of(const std::vector<Cost> &prices) {
    Cost sum = 0;
    for (Cost price : prices) {
        sum += price;
    }
    return sum;
}

class PriceSearch {
  public:
    PriceSearch(size_t stages, const GroupTable &table, Cost known) : stages_(stages), table_(table), known_(known) {
        sizes_.reserve(table.size());
        for (size_t group = 0; group < table.size(); ++group) {
            sizes_.push_back(static_cast<uint32_t>(size_of(table.words(group))));
        }
    }

    StageBounds run(std::vector<Cost> prices) {
        double length = 1;
        for (int round = 0; round < costs::price_rounds; ++round) {
            const Cost reached = rate(prices);
            if (round == 0 || reached > bound_) {
                bound_ = reached;
                best_ = {prices, relaxed_together_};
            } else {
                length /= 2;
            }
            if (bound_ >= known_ || (active_.size() == table_.size() && round > 0)) {
                break;
            }
            prices = climb(best_.of_stage, length);
        }
        return best_;
    }

  private:
    const size_t stages_;
    const GroupTable &table_;
    const Cost known_;
    std::vector<uint32_t> sizes_;
    std::vector<uint32_t> active_; // groups of least excess, and all that were active before
    std::vector<Cost> relaxed_together_;
    StageBounds best_;
    Cost bound_ = 0;

    /// The bound, from all groups; the groups of least excess get active.
    Cost rate(const std::vector<Cost> &prices) {
        const PriceSums sums(prices);
        Relaxed relaxed(stages_);
        std::vector<Cost> excess(table_.size());
        for (size_t group = 0; group < table_.size(); ++group) {
            excess[group] = table_.cost(group) - sums.of(table_.words(group));
            relaxed.offer(group, sizes_[group], excess[group]);
        }
        relaxed.put_together();
        relaxed_together_ = relaxed.together;
        activate(excess);
        return sum_of(prices) + relaxed_together_[stages_];
    }

    void activate(const std::vector<Cost> &excess) {
        std::vector<uint32_t> order(table_.size());
        for (size_t group = 0; group < order.size(); ++group) {
            order[group] = static_cast<uint32_t>(group);
        }
        const auto is_less = [&](uint32_t a, uint32_t b) {
            return excess[a] != excess[b] ? excess[a] < excess[b] : a < b;
        };
        if (order.size() > costs::most_active_groups) {
            std::nth_element(order.begin(), order.begin() + costs::most_active_groups, order.end(), is_less);
            order.resize(costs::most_active_groups);
            for (uint32_t group = 0; group < table_.size(); ++group) {
                if (sizes_[group] == 1) { // so that any number of stages can be put together
                    order.push_back(group);
                }
            }
        }
        order.insert(order.end(), active_.begin(), active_.end());
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end()), order.end());
        active_ = std::move(order);
    }

    /// Subgradient steps on the active groups; the prices of their highest bound.
    std::vector<Cost> climb(std::vector<Cost> prices, double length) const {
        std::vector<Cost> best = prices;
        Cost bound = std::numeric_limits<Cost>::min();
        int without_gain = 0;
        const bool is_only_round = active_.size() == table_.size();
        const size_t steps = is_only_round ? std::min<size_t>(20 + table_.size() / 20, 360) : costs::price_steps;
        for (size_t step = 0; step < steps && length > costs::least_price_step; ++step) {
            const PriceSums sums(prices);
            Relaxed relaxed(stages_);
            for (uint32_t group : active_) {
                relaxed.offer(group, sizes_[group], table_.cost(group) - sums.of(table_.words(group)));
            }
            relaxed.put_together();
            const Cost reached = sum_of(prices) + relaxed.together[stages_];
            if (reached > bound) {
                bound = reached;
                best = prices;
                without_gain = 0;
            } else if (++without_gain == costs::price_patience) {
                without_gain = 0;
                length /= 2;
                prices = best;
                continue;
            }
            const std::vector<Cost> surplus = relaxed.surplus(table_);
            double norm = 0;
            for (Cost component : surplus) {
                norm += static_cast<double>(component * component);
            }
            if (norm == 0 || reached >= known_) {
                break; // the relaxed solution holds each stage once, or is as good as what is known
            }
            const double scale = length * static_cast<double>(known_ - reached) / norm;
            for (size_t stage = 0; stage < stages_; ++stage) {
                prices[stage] -= static_cast<Cost>(scale * static_cast<double>(surplus[stage]));
            }
        }
        return best;
    }
};

} // namespace

Cost StageBounds::sum(const StageSet &stages) const {
    Cost sum = 0;
    for (size_t stage : stages) {
        sum += of_stage[stage];
    }
    return sum;
}

Cost StageBounds::bound(const StageSet &left) const {
    const Cost excess = least_excess[left.size()];
    return excess >= none ? none : sum(left) + excess;
}

StageBounds find_stage_bounds(const Precedence &graph, const GroupTable &table, const Grouping &known,
                              Cost known_cost) {
    std::vector<Cost> prices(graph.size());
    for (size_t group = 0; group < table.size(); ++group) {
        const StageSet stages = table.stages(group);
        if (std::find(known.groups.begin(), known.groups.end(), stages) != known.groups.end()) {
            for (size_t stage : stages) {
                prices[stage] = table.cost(group) / static_cast<Cost>(stages.size());
            }
        }
    }
    return PriceSearch(graph.size(), table, known_cost).run(std::move(prices));
}

} // namespace fluorite::autoschedule
