// A plan as a picture.
//
// Layout: for each array two maps of the same coordinates, what the rank receives and what it sends. A map shows the
// slices of the rank and its peers, what the rank has and needs, the boxes that travel where they arrive (or leave),
// and an arrow for each from its owner. Further dimensions are projected onto the first two; an array of one dimension
// is a strip. Cost: linear in the boxes of the plan.

#include "ranks/plan/plan_text.h"

#include "support/check.h"
#include "support/markup.h"
#include "support/printed.h"

#include <array>
#include <cmath>
#include <map>

namespace fluorite::distribute {

namespace {

constexpr double side = 420, margin = 24, caption = 56;
constexpr std::array colours = {"#3b78b8", "#c8502a", "#2f8a46", "#7a4bb0", "#b7791f", "#00838f", "#ad1457", "#5d6d1e"};

struct Rectangle {
    double x = 0, y = 0, width = 0, height = 0;
    double middle_x() const { return x + width / 2; }
    double middle_y() const { return y + height / 2; }
};

/// From coordinates to rectangles of the picture.
class Map {
  public:
    Map(Span across, Span down, double left, double top)
        : across_(across), down_(down), left_(left), top_(top),
          scale_(side / static_cast<double>(std::max(across.extent(), down.extent()))) {}

    Rectangle to_picture(const Box &box) const {
        const Span down = box.size() > 1 ? box[1] : down_;
        return {left_ + scale_ * static_cast<double>(box[0].begin - across_.begin),
                top_ + scale_ * static_cast<double>(down.begin - down_.begin),
                scale_ * static_cast<double>(box[0].extent()), scale_ * static_cast<double>(down.extent())};
    }

  private:
    Span across_, down_;
    double left_, top_, scale_;
};

void include(Span &span, Span other) {
    if (!other.empty()) {
        span = span.empty() ? other : Span{std::min(span.begin, other.begin), std::max(span.end, other.end)};
    }
}

class Picture {
  public:
    Picture(const DistributedProgram &program, const RankPlan &rank, const RankPlan::Exchange &exchange)
        : program_(program), rank_(rank), exchange_(exchange), plan_(exchange.plan) {
        for (const auto *messages : {&plan_.receives, &plan_.sends}) {
            for (const Message &message : *messages) {
                colour_of_.emplace(message.peer, colours[colour_of_.size() % colours.size()]);
            }
        }
    }

    std::string svg() {
        const double width = 2 * side + 3 * margin;
        double top = caption;
        for (size_t i = 0; i < exchange_.flows.size(); i++) {
            draw_map(i, margin, top, plan_.receives, true);
            draw_map(i, 2 * margin + side, top, plan_.sends, false);
            top += side + caption;
        }
        const std::string title = concat("exchange ", plan_.name, ": rank ", plan_.rank, " of ", plan_.ranks);
        return svg_picture(
            width, top, "font-family=\"sans-serif\" font-size=\"12\"", "white",
            "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"6\" refY=\"3\" orient=\"auto\">"
            "<path d=\"M0,0 L6,3 L0,6 z\"/></marker></defs>\n" +
                svg_text(margin, 20, SvgAnchor::Start, title, "font-size=\"15\"") + body_);
    }

  private:
    void rectangle(const Rectangle &at, const std::string &style) {
        body_ += svg_rectangle(at.x, at.y, at.width, at.height, style);
    }
    void text(double x, double y, const std::string &words, SvgAnchor anchor = SvgAnchor::Start,
              const std::string &style = "") {
        body_ += svg_text(x, y, anchor, words, style);
    }

    const Array &array_of(size_t flow) const { return program_.arrays[exchange_.flows[flow]]; }

    /// What the peer owns, where a box comes from: where a periodic array wraps, the slice is shown there too.
    Box peer_slice(size_t flow, const Transfer &transfer, int64_t peer) const {
        Box slice = rank_.layouts[exchange_.flows[flow]].slice(peer);
        for (size_t d = 0; d < slice.size(); d++) {
            slice[d] = shifted(slice[d], transfer.destination[d].begin - transfer.source[d].begin);
        }
        return slice;
    }

    void draw_map(size_t index, double left, double top, const std::vector<Message> &messages, bool receives) {
        const Box &has = plan_.has[index], &needs = plan_.needs[index];
        int64_t bytes = 0, peers = 0;
        Span across, down{0, 0};
        const auto include_box = [&](const Box &box) {
            if (!empty(box)) {
                include(across, box[0]);
                include(down, box.size() > 1 ? box[1] : Span{0, 0});
            }
        };
        include_box(has);
        include_box(needs);
        for_transfers(index, messages, [&](const Message &message, const Transfer &transfer, bool first) {
            include_box(receives ? peer_slice(index, transfer, message.peer) : transfer.source);
            bytes += transfer.bytes;
            peers += first ? 1 : 0;
        });
        if (down.empty()) { // one dimension: a strip of an eighth of its length
            down = {0, std::max<int64_t>(1, across.extent() / 8)};
        }
        text(left, top - 8,
             concat(array_of(index).name, receives ? ": receives " : ": sends ", bytes,
                    receives ? " bytes from " : " bytes to ", peers, " ranks"));
        if (across.empty()) {
            text(left, top + 20, "nothing here");
            return;
        }
        const Map map(across, down, left, top);
        draw_boxes(index, map, messages, receives);
    }

    void draw_boxes(size_t index, const Map &map, const std::vector<Message> &messages, bool receives) {
        const Box &has = plan_.has[index], &needs = plan_.needs[index];
        if (!empty(has)) {
            rectangle(map.to_picture(has), "fill=\"#eceff1\" stroke=\"#263238\" stroke-width=\"1.5\"");
            text(map.to_picture(has).middle_x(), map.to_picture(has).middle_y(), concat("rank ", plan_.rank),
                 SvgAnchor::Middle);
        }
        std::string arrows;
        for_transfers(index, messages, [&](const Message &message, const Transfer &transfer, bool) {
            const char *colour = colour_of_.at(message.peer);
            const Rectangle box = map.to_picture(receives ? transfer.destination : transfer.source);
            rectangle(box, printed("fill=\"%s\" fill-opacity=\"0.45\" stroke=\"%s\"", colour, colour));
            const std::string label = concat(message.peer, ": ", transfer.bytes);
            if (!receives) {
                text(box.middle_x(), box.middle_y(), concat("to ", label), SvgAnchor::Middle, "font-size=\"9\"");
                return;
            }
            const Rectangle owner = map.to_picture(peer_slice(index, transfer, message.peer));
            rectangle(owner, printed("fill=\"none\" stroke=\"%s\"", colour));
            arrows += svg_line(owner.middle_x(), owner.middle_y(), box.middle_x(), box.middle_y(),
                               printed("stroke=\"%s\" marker-end=\"url(#tip)\"", colour));
            text(owner.middle_x(), owner.middle_y(), concat("from ", label), SvgAnchor::Middle, "font-size=\"9\"");
        });
        if (receives && !empty(needs)) {
            rectangle(map.to_picture(needs),
                      "fill=\"none\" stroke=\"#c62828\" stroke-dasharray=\"5 3\" stroke-width=\"1.5\"");
        }
        body_ += arrows;
    }

    /// Calls visit(message, transfer, whether it is the first of its message) for the transfers of one array.
    template <typename Visit>
    static void for_transfers(size_t index, const std::vector<Message> &messages, const Visit &visit) {
        for (const Message &message : messages) {
            bool first = true;
            for (const Transfer &transfer : message.transfers) {
                if (transfer.flow == index) {
                    visit(message, transfer, first);
                    first = false;
                }
            }
        }
    }

    const DistributedProgram &program_;
    const RankPlan &rank_;
    const RankPlan::Exchange &exchange_;
    const HaloPlan &plan_;
    std::map<int64_t, const char *> colour_of_;
    std::string body_;
};

} // namespace

std::string draw(const DistributedProgram &program, const RankPlan &plan, const RankPlan::Exchange &exchange) {
    return Picture(program, plan, exchange).svg();
}

std::string draw(const DistributedProgram &program, const RankPlan &plan) {
    const RankPlan::Exchange *drawn = nullptr;
    for (const RankPlan::Exchange &exchange : plan.exchanges) {
        if (!exchange.plan.sends.empty() || !exchange.plan.receives.empty()) {
            return draw(program, plan, exchange);
        }
        drawn = drawn == nullptr && !exchange.flows.empty() ? &exchange : drawn;
    }
    return drawn == nullptr ? "" : draw(program, plan, *drawn);
}

} // namespace fluorite::distribute
