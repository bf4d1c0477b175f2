// Libraries that a program of Generators loads first.

#include "fluorite/generator.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <dlfcn.h>

namespace fluorite {
namespace generators {

namespace {

bool is_autoscheduler(const std::string &name) {
    for (const char *each : {"autoschedule_mullapudi2016", "autoschedule_adams2019", "autoschedule_li2018",
                             "autoschedule_anderson2021", "auto_schedule"}) {
        if (name.find(each) != std::string::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

} // namespace generators

void load_plugin(const std::string &name) {
    if (generators::is_autoscheduler(name)) {
        return;
    }
    const bool is_path = name.find('/') != std::string::npos || name.find(".so") != std::string::npos;
    const std::string file = is_path ? name : "lib" + name + ".so";
    if (!dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) { // NOLINT(concurrency-mt-unsafe)
        const char *reason = dlerror();                  // NOLINT(concurrency-mt-unsafe)
        throw CompileError("generator-plugin",
                           concat("in the command line of a generator: -p names ", name, ", which cannot be loaded (",
                                  reason ? reason : "no reason given", "); it is a shared library; give its path"));
    }
}

} // namespace fluorite
