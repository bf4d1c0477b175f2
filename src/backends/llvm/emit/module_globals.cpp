#include "backends/llvm/emit/module_globals.h"

#include <llvm/IR/IRBuilder.h>

namespace fluorite::backends {

llvm::Function *ModuleGlobals::new_function(const std::string &name, llvm::FunctionType *type, bool is_public) {
    const auto linkage = is_public ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
    auto *function = llvm::Function::Create(type, linkage, name, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->setDSOLocal(true);
    function->addFnAttr("prefer-vector-width", "512");
    function->addFnAttr("min-legal-vector-width", "512");
    return function;
}

llvm::FunctionCallee ModuleGlobals::declare(const std::string &name, llvm::Type *result,
                                            llvm::ArrayRef<llvm::Type *> params) {
    auto *type = llvm::FunctionType::get(result, params, false);
    return module_.getOrInsertFunction(name, type);
}

llvm::Constant *ModuleGlobals::text(const std::string &text) {
    llvm::Constant *&found = texts_[text];
    if (!found) {
        found = llvm::IRBuilder<>(context_).CreateGlobalString(text, "text", 0, &module_);
    }
    return found;
}

llvm::Constant *ModuleGlobals::embedded_buffer(const ir::Parameter &parameter) {
    llvm::IRBuilder<> b(context_);
    llvm::Constant *&found = embedded_[&parameter];
    if (found) {
        return found;
    }
    const fluorite_buffer_t &source = *parameter.buffer;
    const auto global = [&](llvm::Constant *value, bool is_constant, uint64_t alignment) {
        auto *made = new llvm::GlobalVariable(module_, value->getType(), is_constant, llvm::GlobalValue::PrivateLinkage,
                                              value, parameter.name);
        made->setAlignment(llvm::Align(alignment));
        return made;
    };
    const llvm::StringRef bytes(reinterpret_cast<const char *>(source.begin()), source.size_in_bytes());
    llvm::Constant *data = global(llvm::ConstantDataArray::getString(context_, bytes, /*AddNull=*/false), true, 128);
    const int64_t to_host = -source.begin_offset() * source.type.bytes();
    llvm::Constant *host =
        llvm::ConstantExpr::getGetElementPtr(b.getInt8Ty(), data, b.getInt64(static_cast<uint64_t>(to_host)));
    std::vector<uint32_t> fields;
    for (int32_t d = 0; d < source.dimensions; d++) {
        const fluorite_dimension_t &dim = source.dim[d];
        for (int32_t field : {dim.min, dim.extent, dim.stride, 0}) {
            fields.push_back(static_cast<uint32_t>(field));
        }
    }
    llvm::Constant *dims = global(llvm::ConstantDataArray::get(context_, fields), true, 16);
    llvm::Constant *null = llvm::Constant::getNullValue(b.getPtrTy());
    llvm::Constant *header =
        llvm::ConstantStruct::getAnon({b.getInt64(0), null, host, b.getInt64(0), b.getInt32(source.type.as_u32()),
                                       b.getInt32(static_cast<uint32_t>(source.dimensions)), dims, null});
    static_assert(sizeof(fluorite_buffer_t) == 56);
    found = global(header, false, 16); // the runtime may set its flags
    return found;
}

llvm::GlobalVariable *ModuleGlobals::lock(const std::string &func) {
    const std::string name = "fluorite.lock." + func;
    llvm::IRBuilder<> b(context_);
    llvm::GlobalVariable *lock = module_.getNamedGlobal(name);
    if (!lock) {
        lock = new llvm::GlobalVariable(module_, b.getInt32Ty(), false, llvm::GlobalValue::InternalLinkage,
                                        b.getInt32(0), name);
        lock->setAlignment(llvm::Align(64));
    }
    return lock;
}

llvm::MDNode *ModuleGlobals::alias_tag(const std::string &name) {
    llvm::MDBuilder metadata(context_);
    if (!alias_root_) {
        alias_root_ = metadata.createTBAARoot("fluorite");
    }
    llvm::MDNode *&tag = alias_tags_[name];
    if (!tag) {
        llvm::MDNode *type = metadata.createTBAAScalarTypeNode(name, alias_root_);
        tag = metadata.createTBAAStructTagNode(type, type, 0);
    }
    return tag;
}

} // namespace fluorite::backends
