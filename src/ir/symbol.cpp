// A symbol owns the user's object behind it (a Param, a Buffer, an unfrozen Func), unless the reference is weak: a Func
// that calls itself must not keep itself alive.

#include "ir/symbol.h"

#include "support/numeric.h"

namespace fluorite::ir {

SymbolData::SymbolData(SymbolKind kind, std::string name, SymbolOwner owner, const RefCounted *object, bool weak)
    : kind(kind), name(std::move(name)), owner(owner),
      hash(combine_hash(hash_text(this->name), static_cast<uint64_t>(kind))), object(object), weak(weak) {
    if (object && !weak) {
        object->retain();
    }
}

SymbolData::~SymbolData() {
    if (object && !weak) {
        object->release();
    }
}

} // namespace fluorite::ir
