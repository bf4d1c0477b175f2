// Members of Generators: they find the Generator that is being constructed, and say what they are declared as.

#include "generator/state.h"
#include "support/check.h"

namespace fluorite {

namespace generators {

void refuse(const char *slug, const std::string &generator, const std::string &text) {
    throw CompileError(slug, (generator.empty() ? "in a generator: " : "in generator " + generator + ": ") + text);
}

/// The Generator whose constructor runs on this thread.
GeneratorBase *&under_construction() {
    static thread_local GeneratorBase *generator = nullptr;
    return generator;
}

} // namespace generators

namespace detail::generators {

using fluorite::generators::name_of;
using fluorite::generators::refuse;

GeneratorBase *Member::under_construction() { return fluorite::generators::under_construction(); }

Member::Member(std::string name, Role role) : name_(std::move(name)), role_(role), generator_(under_construction()) {
    if (generator_) {
        generator_->add(this);
    }
}

// ---- Ports.

Port::Port(Role role, const std::string &name, ArgInfoKind kind, std::vector<fluorite::Type> types, int dimensions,
           bool is_array, int size)
    : Member(name, role), kind_(kind), types_(std::move(types)), dimensions_(dimensions), is_array_(is_array),
      size_(size), has_open_types_(types_.empty()), has_open_dimensions_(dimensions < 0),
      has_open_size_(is_array && size < 0) {}

size_t Port::array_size() const {
    if (!array_size_defined()) {
        refuse("generator-open", name_of(generator()),
               concat(name(), " is an array of open size; an array has one before it is used; give it as ", name(),
                      ".size=N, in the type, or by set_array_size() in configure()"));
    }
    return is_array_ ? static_cast<size_t>(size_) : 1;
}

std::vector<fluorite::Type> Port::types() const {
    const std::vector<fluorite::Type> known = types_.empty() ? types_of_values() : types_;
    if (known.empty()) {
        refuse("generator-open", name_of(generator()),
               concat("the type of ", name(), " is open; values have one before they are used; give it as ", name(),
                      ".type=uint8, in the declaration, or by set_type() in configure()"));
    }
    return known;
}

fluorite::Type Port::type() const {
    const std::vector<fluorite::Type> all = types();
    if (all.size() != 1) {
        refuse("tuple-size", name_of(generator()),
               concat("the type of ", name(), " is asked for, and it is a Tuple of ", all.size(),
                      " values; type() is for one value; use types()"));
    }
    return all[0];
}

int Port::dimensions() const {
    const int known = dimensions_ < 0 ? dimensions_of_values() : dimensions_;
    if (known < 0) {
        refuse("generator-open", name_of(generator()),
               concat("the number of dimensions of ", name(),
                      " is open; values have one before they are used; give it "
                      "as ",
                      name(), ".dim=2, in the declaration, or by set_dimensions() in configure()"));
    }
    return known;
}

void Port::check_settable(const char *what, bool is_open) const {
    if (!is_open) {
        refuse("generator-fixed", name_of(generator()),
               concat("the ", what, " of ", name(),
                      " is set, and its declaration says it; only what a declaration "
                      "leaves open is set; remove it there or here"));
    }
    if (generator() && !generator()->state_->is_settable()) {
        refuse("generator-phase", name_of(generator()),
               concat("the ", what, " of ", name(),
                      " is set while or after generate() runs; inputs and outputs are "
                      "made before it; set it in configure()"));
    }
}

void Port::set_type(const fluorite::Type &type) { set_types({type}); }
void Port::set_types(const std::vector<fluorite::Type> &types) {
    check_settable("type", has_open_types_);
    types_ = types;
}
void Port::set_dimensions(int dimensions) {
    check_settable("number of dimensions", has_open_dimensions_);
    dimensions_ = dimensions;
}
void Port::set_array_size(int size) {
    if (is_array_ && size_ == size) {
        return;
    }
    const bool is_first = generator() && generator()->state_->phase == GeneratorBase::State::Phase::Generating &&
                          size_ < 0; // Output::resize
    if (!is_first) {
        check_settable("size", has_open_size_);
    }
    size_ = size;
}

std::string Port::element_name(size_t index) const { return is_array_ ? concat(name(), "_", index) : name(); }

// ---- Outputs.

void OutputFunc::make(const std::string &name, const std::vector<fluorite::Type> &types, int dimensions) {
    Func::operator=(Func(types, dimensions, name));
}

std::vector<fluorite::Type> OutputMember::types_of_values() const {
    const std::vector<Func> all = funcs();
    return all.empty() || !all[0].defined() ? std::vector<fluorite::Type>() : all[0].types();
}
int OutputMember::dimensions_of_values() const {
    const std::vector<Func> all = funcs();
    return all.empty() || !all[0].defined() ? -1 : all[0].dimensions();
}

} // namespace detail::generators
} // namespace fluorite
