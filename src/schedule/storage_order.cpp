#include "schedule/storage_order.h"

#include "support/check.h"

#include <algorithm>
#include <numeric>

namespace fluorite::schedule {

std::vector<size_t> storage_order_of(const ir::FuncDef &func, const FuncSchedule &schedule) {
    std::vector<size_t> order(func.dimensions());
    std::iota(order.begin(), order.end(), size_t{0});
    const std::vector<std::string> &names = schedule.storage_order;
    if (names.empty()) {
        return order;
    }
    check(names.size() == order.size(), "reorder_storage names every dimension");
    std::transform(names.begin(), names.end(), order.begin(), [&](const std::string &name) {
        const auto found = std::find(func.arg_names.begin(), func.arg_names.end(), name);
        check(found != func.arg_names.end(), "reorder_storage names dimensions of the Func");
        return position_in(func.arg_names, found);
    });
    return order;
}

} // namespace fluorite::schedule
