#include "distribute/halo_plan.h"

#include "support/check.h"

#include <cstdio>

namespace fluorite::distribute {

namespace {

/// `in [0, 5), [9, 10) as [-1, 0)`: a name once, then its boxes.
std::string boxes_text(const ExchangePoint &point, const std::vector<Transfer> &transfers) {
    std::string text;
    for (size_t i = 0; i < transfers.size(); i++) {
        const Transfer &transfer = transfers[i];
        const bool names = i == 0 || transfer.flow != transfers[i - 1].flow;
        text += i == 0 ? "" : names ? "; " : ", ";
        text += (names ? point.flows[transfer.flow].name + " " : "") + to_string(transfer.source);
        if (transfer.source != transfer.destination) {
            text += " as " + to_string(transfer.destination);
        }
    }
    return text;
}

std::string line(const char *what, int64_t bytes, const std::string &peer, const std::string &boxes, int width) {
    char head[80];
    std::snprintf(head, sizeof head, "  %-8s %*lld bytes", what, width, static_cast<long long>(bytes));
    return concat(head, peer, ": ", boxes, "\n");
}

} // namespace

std::string to_string(const ExchangePoint &point, const HaloPlan &plan) {
    std::string text =
        concat("exchange ", plan.name, ", tag ", plan.tag, ": rank ", plan.rank, " of ", plan.ranks, "\n");
    for (size_t i = 0; i < point.flows.size(); i++) {
        text += concat("  ", point.flows[i].name, ": has ", to_string(plan.has[i]), ", needs ",
                       to_string(plan.needs[i]), "\n");
    }
    int64_t local = 0, most = 0;
    for (const Transfer &transfer : plan.local) {
        local += transfer.bytes;
    }
    for (const auto *messages : {&plan.receives, &plan.sends}) {
        for (const Message &message : *messages) {
            most = std::max(most, message.bytes);
        }
    }
    const int width = static_cast<int>(std::to_string(std::max(most, local)).size());
    if (!plan.local.empty()) {
        text += line("local", local, "", boxes_text(point, plan.local), width);
    }
    for (const Message &message : plan.receives) {
        text += line("receive", message.bytes, concat(" from rank ", message.peer),
                     boxes_text(point, message.transfers), width);
    }
    for (const Message &message : plan.sends) {
        text +=
            line("send", message.bytes, concat(" to rank ", message.peer), boxes_text(point, message.transfers), width);
    }
    return text;
}

} // namespace fluorite::distribute
