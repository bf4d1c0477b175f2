// Names of frozen graphs.

#include "language/freeze/names.h"

#include "language/function.h"

namespace fluorite::language {

namespace {

/// The prefix itself, or the prefix with the first number that makes it unique.
std::string numbered(const std::string &prefix, const std::string &separator, int &count,
                     const std::unordered_set<std::string> &taken) {
    std::string name;
    do {
        name = prefix + separator + std::to_string(count++);
    } while (taken.count(name) != 0);
    return name;
}

} // namespace

std::vector<std::string> GlobalNames::assign(const std::vector<std::string> &wanted, std::vector<size_t> first) {
    std::vector<std::string> names(wanted.size());
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, int> counts;
    // Users' names come first, so that no generated name takes one of them.
    for (size_t i = 0; i < wanted.size(); i++) {
        first.push_back(i);
    }
    for (const size_t i : first) {
        if (names[i].empty() && !is_anonymous(wanted[i]) && taken.insert(wanted[i]).second) {
            names[i] = wanted[i];
        }
    }
    for (size_t i = 0; i < wanted.size(); i++) {
        if (names[i].empty()) {
            const bool made_up = is_anonymous(wanted[i]);
            const std::string prefix = shown_name(wanted[i]);
            int &count = counts.try_emplace(prefix + (made_up ? "" : "_"), made_up ? 0 : 1).first->second;
            names[i] = numbered(prefix, made_up ? "" : "_", count, taken);
            taken.insert(names[i]);
        }
    }
    return names;
}

void LoopNames::reserve(const std::string &user_name) {
    if (!is_anonymous(user_name)) {
        taken_.insert(user_name);
    }
}

const std::string &LoopNames::of(const std::string &name) {
    if (!is_anonymous(name)) {
        return name;
    }
    const auto known = names_.find(name);
    if (known != names_.end()) {
        return known->second;
    }
    const std::string prefix = shown_name(name);
    return names_[name] = numbered(prefix, "", counts_[prefix], taken_);
}

} // namespace fluorite::language
