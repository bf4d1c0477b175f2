#include "verify/witnesses/refute.h"

#include "verify/terms/evaluate.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fluorite::verify {

namespace {

const int samples = 24; // a guess: most conditions that do not follow fail at one of the first four

void add_names(const Index &index, std::set<std::string> &names) {
    if (index.kind() == Index::Kind::Name) {
        names.insert(index.name());
    } else if (!index.is_leaf()) {
        add_names(index.a(), names);
        add_names(index.b(), names);
    }
}
void add_names(const Condition &condition, std::set<std::string> &names) {
    for (const Index &index : condition.indices) {
        add_names(index, names);
    }
    for (const Condition &operand : condition.operands) {
        add_names(operand, names);
    }
}

void add_equations(const Condition &condition, std::vector<std::pair<std::string, int64_t>> &equations) {
    if (condition.kind == Condition::Kind::Eq && condition.indices[0].kind() == Index::Kind::Name &&
        condition.indices[1].is_number()) {
        equations.emplace_back(condition.indices[0].name(), condition.indices[1].value());
    }
    for (const Condition &operand : condition.operands) {
        add_equations(operand, equations);
    }
}

// Values that obey the facts more often than arbitrary ones: sizes first, then loops within their extents. Facts of
// inner loops stand before those of outer ones.
class Sample {
  public:
    Sample(const Facts &facts, const Condition &goal, uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {
        for (const Condition &fact : facts) {
            if (fact.kind == Condition::Kind::Le && fact.indices[0].is_number() &&
                fact.indices[1].kind() == Index::Kind::Name) {
                int64_t &least = least_.try_emplace(fact.indices[1].name(), fact.indices[0].value()).first->second;
                least = std::max(least, fact.indices[0].value());
            }
        }
        for (auto fact = facts.rbegin(); fact != facts.rend(); ++fact) {
            if (fact->kind == Condition::Kind::Lt && fact->indices[0].kind() == Index::Kind::Name) {
                within(fact->indices[0].name(), fact->indices[1]);
            }
        }
        std::set<std::string> names;
        for (const Condition &fact : facts) {
            add_names(fact, names);
        }
        add_names(goal, names);
        for (const std::string &name : names) {
            choose(name);
        }
    }
    Values values;

  private:
    uint64_t next(uint64_t count) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state_ >> 33) % count;
    }
    int64_t least(const std::string &name, int64_t otherwise) const {
        auto found = least_.find(name);
        return found == least_.end() ? otherwise : found->second;
    }
    void choose(const std::string &name) {
        static const uint64_t reach[] = {1, 3, 12, 70, 400};
        const int64_t from = least(name, -int64_t(next(40)));
        values.try_emplace(name, from + int64_t(next(reach[next(5)])));
    }
    void within(const std::string &name, const Index &end) {
        if (values.contains(name)) {
            return;
        }
        std::set<std::string> names;
        add_names(end, names);
        names.erase(name);
        for (const std::string &other : names) {
            choose(other);
        }
        const int64_t from = least(name, 0), extent = evaluate(end, values) - from;
        if (extent > 0) {
            const uint64_t at = next(3);
            values[name] = from + (at == 0 ? 0 : at == 1 ? extent - 1 : int64_t(next(uint64_t(extent))));
        }
    }
    uint64_t state_;
    std::map<std::string, int64_t> least_;
};

} // namespace

bool is_refuted(const Facts &facts, const Condition &goal) {
    for (uint64_t seed = 0; seed < samples; seed++) {
        try {
            const Values values = Sample(facts, goal, seed).values;
            if (!evaluate(goal, values) &&
                std::ranges::all_of(facts, [&](const Condition &fact) { return evaluate(fact, values); })) {
                return true;
            }
        } catch (const Unsupported &) { // a divisor is not positive there
        }
    }
    return false;
}

// Whether the facts hold for the values, or for others in which names have the numbers that a fact equates them with.
static bool obey(const Facts &facts, Values &values) {
    for (size_t changes = 0; changes <= facts.size(); changes++) {
        const auto wrong = std::ranges::find_if(facts, [&](const Condition &fact) { return !evaluate(fact, values); });
        if (wrong == facts.end()) {
            return true;
        }
        std::vector<std::pair<std::string, int64_t>> equations;
        add_equations(*wrong, equations);
        const bool is_mended = std::ranges::any_of(equations, [&](const auto &equation) {
            int64_t &value = values[equation.first];
            const int64_t before = std::exchange(value, equation.second);
            const bool holds = evaluate(*wrong, values);
            value = holds ? value : before;
            return holds;
        });
        if (!is_mended) {
            return false;
        }
    }
    return false;
}

bool add_if_possible(const Condition &condition, Facts &facts) {
    Facts more = facts;
    more.push_back(condition);
    std::set<std::string> names, sizes;
    for (const Condition &fact : more) {
        add_names(fact, names);
        const bool is_size = fact.kind == Condition::Kind::Le && fact.indices[0].is_number() &&
                             fact.indices[0].value() > 0 && fact.indices[1].kind() == Index::Kind::Name;
        if (is_size) {
            sizes.insert(fact.indices[1].name());
        }
    }
    // Sizes that hold many pieces and are multiples of most factors, those of inputs greater than those of outputs.
    for (const int64_t size : {64, 1024, 10'080, 645'120}) { // the last ones are 2520 times a power of two
        Values values;
        for (const std::string &name : names) {
            values[name] = !sizes.contains(name) ? -size : name.find(".e") == std::string::npos ? size : size * 4;
        }
        try {
            if (obey(more, values)) {
                facts = more;
                return true;
            }
        } catch (const Unsupported &) { // a divisor is not positive there
        }
    }
    return false;
}

} // namespace fluorite::verify
