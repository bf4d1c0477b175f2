#include "ranks/plan/halo_plan.h"

namespace fluorite::distribute {

static int64_t total(const std::vector<Message> &messages) {
    int64_t bytes = 0;
    for (const Message &message : messages) {
        bytes += message.bytes;
    }
    return bytes;
}

int64_t HaloPlan::bytes_sent() const { return total(sends); }
int64_t HaloPlan::bytes_received() const { return total(receives); }

} // namespace fluorite::distribute
