#include "checker.h"

#include "fluorite/certify.h"

#include <cstdlib>
#include <ctime>

namespace fluorite::certify_tool {

Verdict check(const std::string &certificate) {
    const CertificateVerdict said = check_certificate(certificate);
    Verdict verdict{said.checked(), said.accepted(), 0,
                    (said.accepted()  ? "accepted: "
                     : said.checked() ? "rejected at "
                                      : "") +
                        said.text};
    const std::string time = "checked in ";
    if (const size_t at = verdict.text.find(time); at != std::string::npos) {
        verdict.milliseconds = std::atof(verdict.text.c_str() + at + time.size());
    }
    return verdict;
}

double processor_milliseconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}
double processor_milliseconds(const std::function<void()> &run) {
    const double begin = processor_milliseconds();
    run();
    return processor_milliseconds() - begin;
}

} // namespace fluorite::certify_tool
