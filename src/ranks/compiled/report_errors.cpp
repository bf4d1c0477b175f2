#include "ranks/compiled/report_errors.h"

#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"
#include "support/reporting.h"

#include <new>

namespace fluorite::distribute {

namespace {

int report(void *context, int code, const std::string &message, const std::string &slug) {
    return fluorite_error(context, code, (message + " [" + slug + "]").c_str());
}

} // namespace

int with_reports(void *context, const std::function<void()> &run) {
    try {
        const NoReports guard;
        run();
        return fluorite_error_code_success;
    } catch (const SegmentFailed &failed) {
        return failed.code;
    } catch (const InternalError &error) {
        return report(context, fluorite_error_code_internal_error, error.what(), error.slug());
    } catch (const Error &error) {
        return report(context, fluorite_error_code_generic_error, error.message(), error.slug());
    } catch (const std::bad_alloc &) {
        return report(
            context, fluorite_error_code_out_of_memory,
            "in a pipeline on ranks: memory for arrays or messages cannot be had; each rank has memory for its "
            "parts and what it receives; use more ranks, or smaller images",
            "out-of-memory");
    } catch (const std::exception &error) {
        return report(context, fluorite_error_code_internal_error, error.what(), "internal-error");
    }
}

} // namespace fluorite::distribute
