#include "ranks/plan/plan_text.h"

#include "support/check.h"

#include <cstdio>

namespace fluorite::distribute {

namespace {

/// `in [0, 5), [9, 10) as [-1, 0)`: a name once, then its boxes.
std::string boxes_text(const std::vector<std::string> &names, const std::vector<Transfer> &transfers) {
    std::string text;
    for (size_t i = 0; i < transfers.size(); i++) {
        const Transfer &transfer = transfers[i];
        const bool is_named = i == 0 || transfer.flow != transfers[i - 1].flow;
        text += i == 0 ? "" : is_named ? "; " : ", ";
        text += (is_named ? names[transfer.flow] + " " : "") + to_string(transfer.source);
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

std::string text_of(const std::vector<std::string> &names, const HaloPlan &plan) {
    std::string text =
        concat("exchange ", plan.name, ", tag ", plan.tag, ": rank ", plan.rank, " of ", plan.ranks, "\n");
    for (size_t i = 0; i < names.size(); i++) {
        text += concat("  ", names[i], ": has ", to_string(plan.has[i]), ", needs ", to_string(plan.needs[i]), "\n");
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
        text += line("local", local, "", boxes_text(names, plan.local), width);
    }
    for (const Message &message : plan.receives) {
        text += line("receive", message.bytes, concat(" from rank ", message.peer),
                     boxes_text(names, message.transfers), width);
    }
    for (const Message &message : plan.sends) {
        text +=
            line("send", message.bytes, concat(" to rank ", message.peer), boxes_text(names, message.transfers), width);
    }
    return text;
}

bool is_nothing(const HaloPlan &plan) {
    const auto all_empty = [](const std::vector<Box> &boxes) {
        return std::all_of(boxes.begin(), boxes.end(), [](const Box &box) { return empty(box); });
    };
    return all_empty(plan.has) && all_empty(plan.needs);
}

} // namespace

std::string to_string(const DistributedProgram &program, const RankPlan::Exchange &exchange) {
    std::vector<std::string> names;
    for (const size_t a : exchange.flows) {
        names.push_back(program.arrays[a].name);
    }
    return text_of(names, exchange.plan);
}

std::string to_string(const DistributedProgram &program, const RankPlan &plan) {
    std::string text;
    for (const RankPlan::Exchange &exchange : plan.exchanges) {
        text += is_nothing(exchange.plan) ? "" : to_string(program, exchange);
    }
    return text;
}

} // namespace fluorite::distribute
