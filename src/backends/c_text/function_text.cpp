#include "backends/c_text/function_text.h"

#include "backends/c_text/c_text.h"
#include "support/check.h"

namespace fluorite::backends::c_text {

void FunctionText::open(const std::string &head) {
    line(head + " {");
    indent_ += 4;
}

void FunctionText::close(const std::string &tail) {
    indent_ -= 4;
    line(tail);
}

std::string FunctionText::fresh(const std::string &hint) {
    return concat("v", names_++, hint.empty() ? "" : "_" + letters_of(hint));
}

std::string FunctionText::define(const std::string &type, const std::string &value, const std::string &hint) {
    const std::string name = fresh(hint);
    line(concat("const ", type, " ", name, " = ", value, ";"));
    return name;
}

const Value &FunctionText::value(const ir::Symbol &symbol) const {
    const auto found = values_.find(symbol);
    check(found != values_.end(), concat("the variable '", symbol.name(), "' is in scope"));
    return found->second;
}

const Value &FunctionText::coordinate(const ir::Symbol &symbol) const {
    const auto found = coordinates_.find(symbol);
    return found == coordinates_.end() ? value(symbol) : found->second;
}

const Array &FunctionText::array(const ir::Symbol &symbol) const {
    const auto found = arrays_.find(symbol);
    check(found != arrays_.end(), concat("the buffer '", symbol.name(), "' is in scope"));
    return found->second;
}

const Value *FunctionText::find_known(const Key &key) const {
    for (size_t k = known_.size(); k-- > 0;) {
        const auto found = known_[k].values.find(key);
        if (found != known_[k].values.end()) {
            return &found->second;
        }
        if (known_[k].is_statement) {
            break;
        }
    }
    return nullptr;
}

} // namespace fluorite::backends::c_text
