#include "ir/closure.h"

#include <algorithm>
#include <bit>

namespace fluorite::ir {

using Part = ClosureField::Part;

int64_t closure_bytes(Type type) { return int64_t{type.lanes()} * type.bytes(); }

int64_t closure_alignment(Type type) {
    const auto rounded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(closure_bytes(type))));
    return std::min(rounded, ClosureLayout::alignment);
}

namespace {

/// The components of an argument that its closure has.
std::vector<std::pair<Part, Type>> parts_of(const LoweredArg &arg, bool is_checked) {
    switch (arg.kind) {
    case LoweredArg::Kind::Scalar:
        return arg.symbol.kind() == SymbolKind::Loop ? std::vector{std::pair(Part::Wide, Int(64))}
                                                     : std::vector{std::pair(Part::Value, arg.type)};
    case LoweredArg::Kind::Allocation:
        return is_checked ? std::vector{std::pair(Part::Host, Handle()), std::pair(Part::Last, Int(64))}
                          : std::vector{std::pair(Part::Host, Handle())};
    case LoweredArg::Kind::InputBuffer:
    case LoweredArg::Kind::OutputBuffer:
        return {std::pair(Part::Host, Handle()), std::pair(Part::Header, Handle())};
    }
    unreachable("an argument of no kind");
}

} // namespace

ClosureLayout closure_layout(const LoweredFunc &task, bool is_checked) {
    ClosureLayout layout;
    for (size_t i = 0; i < task.args.size(); i++) {
        for (const auto &[part, type] : parts_of(task.args[i], is_checked)) {
            const int64_t alignment = closure_alignment(type);
            const int64_t offset = (layout.size + alignment - 1) / alignment * alignment;
            layout.fields.push_back({i, part, type, offset});
            layout.size = offset + closure_bytes(type);
        }
    }
    return layout;
}

} // namespace fluorite::ir
