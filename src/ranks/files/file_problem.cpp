#include "ranks/files/file_problem.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fluorite::distribute {

FileProblem open_problem() {
    return {"image-missing", concat("it cannot be opened: ", std::strerror(errno), // NOLINT: one thread of the rank
                                    "; all ranks read one file; put it where all of them see it")};
}

FileProblem write_problem(const std::string &what) {
    return {"image-write-failed",
            concat(what, ": ", std::strerror(errno), // NOLINT: one thread of the rank
                   "; an earlier file is as it was; look for space and rights on the disk of all ", "ranks")};
}

void agree(const std::string &path, const FileProblem &problem, Transport &transport) {
    const std::vector<uint64_t> all = transport.gather(problem.slug ? 1 : 0);
    const auto first = std::find(all.begin(), all.end(), uint64_t{1});
    if (first == all.end()) {
        return;
    }
    const FileProblem other = {"image-truncated",
                               concat("rank ", first - all.begin(), " could not do its part; all ranks ",
                                      "read and write one file; look at that rank's error")};
    const FileProblem &told = problem.slug ? problem : other;
    throw RuntimeError(told.slug, concat("in the file ", path, ": ", told.text));
}

void put_in_place(const std::string &unfinished, const std::string &path, Transport &transport) {
    const bool is_renamed = transport.rank() != 0 || std::rename(unfinished.c_str(), path.c_str()) == 0;
    agree(path, is_renamed ? FileProblem{} : write_problem("it cannot be renamed"), transport);
}

} // namespace fluorite::distribute
