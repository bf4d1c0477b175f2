#include "backends/llvm/archives.h"

#include "backends/llvm/triples.h"
#include "support/check.h"

#include <llvm/Object/Archive.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Triple.h>

namespace fluorite::backends {

static llvm::object::Archive::Kind kind_of(const Target &target) {
    const llvm::Triple triple(llvm_target_of(target).triple);
    return triple.isOSDarwin()    ? llvm::object::Archive::K_DARWIN
           : triple.isOSWindows() ? llvm::object::Archive::K_COFF
                                  : llvm::object::Archive::K_GNU;
}

std::string archive_of(const std::vector<ArchiveMember> &members, const Target &target) {
    std::vector<llvm::NewArchiveMember> files;
    for (const ArchiveMember &member : members) {
        files.emplace_back(llvm::MemoryBufferRef(member.bytes, member.name));
    }
    auto archive = llvm::writeArchiveToBuffer(files, llvm::SymtabWritingMode::NormalSymtab, kind_of(target),
                                              /*Deterministic=*/true, /*Thin=*/false);
    if (!archive) {
        internal_error(concat("no archive: ", llvm::toString(archive.takeError())), {});
    }
    return (*archive)->getBuffer().str();
}

std::optional<std::vector<ArchiveMember>> members_of(const std::string &archive) {
    auto file = llvm::object::Archive::create(llvm::MemoryBufferRef(archive, "archive"));
    if (!file) {
        llvm::consumeError(file.takeError());
        return std::nullopt;
    }
    std::vector<ArchiveMember> members;
    llvm::Error stopped = llvm::Error::success();
    bool is_whole = true;
    for (const llvm::object::Archive::Child &child : (*file)->children(stopped)) {
        llvm::Expected<llvm::StringRef> name = child.getName(), bytes = child.getBuffer();
        if (!name || !bytes) {
            is_whole = false;
            llvm::consumeError(name.takeError());
            llvm::consumeError(bytes.takeError());
        } else {
            members.push_back({name->str(), bytes->str()});
        }
    }
    if (stopped) {
        is_whole = false;
        llvm::consumeError(std::move(stopped));
    }
    return is_whole ? std::optional(members) : std::nullopt;
}

} // namespace fluorite::backends
