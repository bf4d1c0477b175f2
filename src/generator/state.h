#pragma once
// What a Generator holds: its members in the order of their declarations, and the phase that it is in.

#include "fluorite/generator.h"
#include "generator/refuse.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite {

struct GeneratorBase::State {
    /// Each is entered once, in this order.
    enum class Phase { Constructing, Created, Configuring, Configured, Generating, Generated, Scheduled };

    Phase phase = Phase::Constructing;
    std::string name, stub;
    AutoschedulerParams autoscheduler;
    std::vector<detail::generators::Member *> members; // those that configure() adds are last
    std::vector<std::unique_ptr<detail::generators::Port>> added;
    /// Params and ImageParams that are members: arguments of the form with build().
    std::vector<detail::Ref<ir::Parameter>> parameters;
    Pipeline pipeline; // of build(), or made of the outputs
    struct Requirement {
        Expr condition;
        std::vector<Expr> parts;
    };
    std::vector<Requirement> requirements;
    bool trace_pipeline = false;

    /// What was under construction before, and is again afterwards.
    GeneratorBase *outer = nullptr;
    std::vector<detail::Ref<ir::Parameter>> *outer_parameters = nullptr;

    /// The members of a class.
    template <typename Kind> std::vector<Kind *> all() const {
        std::vector<Kind *> found;
        for (detail::generators::Member *member : members) {
            if (Kind::has(member->role())) {
                found.push_back(static_cast<Kind *>(member));
            }
        }
        return found;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (const detail::generators::Member *member : members) {
            list.push_back(member->name());
        }
        return list;
    }
    bool is_settable() const { return phase < Phase::Generating; }
};

namespace generators {
/// The registered name, for messages; empty for none.
inline std::string name_of(GeneratorBase *generator) { return generator ? generator->name() : ""; }
} // namespace generators

} // namespace fluorite
