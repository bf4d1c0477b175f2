#include "language/freeze/symbols.h"

#include "language/freeze/names.h"

#include <algorithm>

namespace fluorite::language {

using ir::Symbol;
using ir::SymbolKind;
using ir::SymbolOwner;

/// The names of Funcs, inputs and parameters, in this order.
std::vector<std::string> GraphSymbols::names() const {
    std::vector<std::string> wanted;
    for (const Function *function : order_) {
        wanted.push_back(function->name);
    }
    for (const std::vector<ir::Parameter *> *list : {&objects_.inputs(), &objects_.params()}) {
        for (const ir::Parameter *parameter : *list) {
            wanted.push_back(parameter->name);
        }
    }
    std::vector<size_t> outputs; // they claim their names before inner objects do
    for (const RefPtr<Function> &output : outputs_) {
        outputs.push_back(id_of(output.get()).index());
    }
    return GlobalNames::assign(wanted, outputs);
}

void GraphSymbols::make() {
    for (size_t i = 0; i < order_.size(); i++) {
        ids_[order_[i]] = FuncId(i);
    }
    const std::vector<std::string> all = names();
    for (size_t i = 0; i < order_.size(); i++) {
        SymbolOwner owner;
        owner.func = FuncId(i);
        funcs_.emplace_back(SymbolKind::Func, all[i], owner);
        make_output_buffers(*order_[i], all[i], owner);
    }
    size_t next = order_.size();
    for (size_t i = 0; i < objects_.inputs().size(); i++) {
        SymbolOwner owner;
        owner.input = InputId(i);
        inputs_.emplace_back(SymbolKind::Buffer, all[next++], owner, objects_.inputs()[i]);
    }
    for (ir::Parameter *param : objects_.params()) {
        params_.emplace_back(SymbolKind::Param, all[next++], SymbolOwner(), param);
    }
}

void GraphSymbols::make_output_buffers(const Function &function, const std::string &name, SymbolOwner owner) {
    for (size_t k = 0; k < function.output_parameters.size(); k++) {
        owner.dim = DimId(k);
        const std::string value_name = function.def.types.size() == 1 ? name : name + "." + std::to_string(k);
        output_buffers_[function.output_parameters[k].get()] = Symbol(SymbolKind::Buffer, value_name, owner);
    }
}

bool GraphSymbols::is_output(const Function &function) const {
    return std::any_of(outputs_.begin(), outputs_.end(),
                       [&](const RefPtr<Function> &output) { return output.get() == &function; });
}

const Symbol &GraphSymbols::parameter(const Symbol &user) const {
    const ir::Parameter *parameter = ir::parameter_of(user);
    const auto output = output_buffers_.find(parameter);
    if (output != output_buffers_.end()) {
        return output->second;
    }
    const size_t index = objects_.index_of(parameter);
    return parameter->is_buffer ? inputs_[index] : params_[index];
}

const Symbol *GraphSymbols::find_func(const Symbol &user) const {
    const auto found = ids_.find(user.object());
    const bool is_known = found != ids_.end() && order_[found->second.index()]->def.symbol == user;
    return is_known ? &funcs_[found->second.index()] : nullptr;
}

const Symbol *GraphSymbols::find_input(const Symbol &user) const {
    for (size_t i = 0; i < inputs_.size(); i++) {
        if (objects_.inputs()[i] == user.object() && objects_.inputs()[i]->name == user.name()) {
            return &inputs_[i];
        }
    }
    return nullptr;
}

} // namespace fluorite::language
