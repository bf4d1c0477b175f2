// The tree as a picture: one SVG file without external references.
//
// Layout: a subtree is as wide as the wider of its node's text and its children side by side; a node is above the
// middle of its children. Colours denote kinds of nodes, as the legend below shows. Cost: linear.

#include "schedule/tree/tree.h"

#include "support/markup.h"
#include "support/printed.h"

#include <algorithm>
#include <array>

namespace fluorite::schedule {

namespace {

using Kind = TreeNode::Kind;

constexpr double letter = 7.8, row = 64, box_height = 38, gap = 14, margin = 16;

struct Look {
    const char *caption, *fill, *stroke;
};
constexpr std::array looks = {
    Look{"root", "#37474f", "#263238"},           Look{"store", "#ffe0a3", "#b7791f"},
    Look{"stage", "#eceff1", "#78909c"},          Look{"loop", "#d7e8fb", "#3b78b8"},
    Look{"parallel", "#ffd3c2", "#c8502a"},       Look{"vectorized", "#c9efcf", "#2f8a46"},
    Look{"unrolled", "#e5d5f7", "#7a4bb0"},       Look{"compute", "#ffffff", "#263238"},
    Look{"compute inline", "#ffffff", "#90a4ae"},
};

size_t look_of(const TreeNode &node) {
    switch (node.kind) {
    case Kind::Root:
        return 0;
    case Kind::Store:
        return 1;
    case Kind::Stage:
        return 2;
    case Kind::Loop:
        return 3 + static_cast<size_t>(node.type);
    case Kind::Compute:
        break;
    }
    return node.inlined ? 8 : 7;
}

/// The visible nodes.
struct Drawn {
    size_t look = 0;
    std::string text;
    std::vector<Drawn> children;
    double width = 0, x = 0; // the width of the subtree, the x of the node's middle

    double own_width() const {
        const size_t letters = std::max(text.size(), std::string(looks[look].caption).size());
        return letter * static_cast<double>(letters) + 18;
    }
};

class Drawing {
  public:
    explicit Drawing(const Tree &tree) : tree_(tree) {}

    std::string run() {
        std::vector<Drawn> roots;
        collect(tree_.root, roots);
        Drawn &root = roots[0];
        measure(root);
        const double width = std::max(root.width, legend_width()) + 2 * margin;
        place(root, (width - root.width) / 2);
        draw_edges(root, 0);
        draw_nodes(root, 0);
        const double tree_height = margin * 2 + row * static_cast<double>(depth_) + box_height;
        draw_legend((width - legend_width()) / 2, tree_height);
        const double height = tree_height + 40;
        return svg_picture(width, height, "font-family=\"monospace\"", "#fafafa", body_);
    }

  private:
    const Tree &tree_;
    std::string body_;
    int depth_ = 0;

    std::string name_of(const TreeNode &node) const {
        if (node.kind == Kind::Root) {
            return "root";
        }
        const std::string &func = tree_.graph->func(node.func).name();
        if (node.kind == Kind::Store) {
            return func;
        }
        return stage_text(func, node.stage) + (node.kind == Kind::Loop ? "." + node.var : "");
    }

    void collect(const TreeNode &node, std::vector<Drawn> &out) const {
        std::vector<Drawn> *children = &out;
        if (is_shown(tree_, node)) {
            out.emplace_back();
            out.back().look = look_of(node);
            out.back().text = name_of(node);
            children = &out.back().children;
        }
        for (const TreeNode &child : node.children) {
            collect(child, *children);
        }
    }

    static void measure(Drawn &node) {
        double below = node.children.empty() ? 0 : gap * static_cast<double>(node.children.size() - 1);
        for (Drawn &child : node.children) {
            measure(child);
            below += child.width;
        }
        node.width = std::max(node.own_width(), below);
    }

    static void place(Drawn &node, double left) {
        double below = node.children.empty() ? 0 : gap * static_cast<double>(node.children.size() - 1);
        for (const Drawn &child : node.children) {
            below += child.width;
        }
        double at = left + (node.width - below) / 2;
        for (Drawn &child : node.children) {
            place(child, at);
            at += child.width + gap;
        }
        node.x = node.children.empty() ? left + node.width / 2 : (node.children.front().x + node.children.back().x) / 2;
    }

    static double top(int depth) { return margin + row * depth; }

    void draw_edges(const Drawn &node, int depth) {
        depth_ = std::max(depth_, depth);
        for (const Drawn &child : node.children) {
            const double from = top(depth) + box_height, to = top(depth + 1), middle = (from + to) / 2;
            body_ += printed("<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"#90a4ae\" "
                             "stroke-width=\"1.5\"/>\n",
                             node.x, from, node.x, middle, child.x, middle, child.x, to);
            draw_edges(child, depth + 1);
        }
    }

    void draw_box(size_t look, double x, double y, double width, double height) {
        const bool is_compute = look >= 7;
        body_ += svg_rectangle(x - width / 2, y, width, height,
                               printed("rx=\"%d\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"%s", is_compute ? 18 : 5,
                                       looks[look].fill, looks[look].stroke, is_compute ? "2" : "1.2",
                                       look == 8 ? " stroke-dasharray=\"4 3\"" : ""));
    }

    void write(double x, double y, int size, const char *colour, const std::string &text) {
        body_ += svg_text(x, y, SvgAnchor::Middle, text, printed("font-size=\"%d\" fill=\"%s\"", size, colour));
    }

    void draw_nodes(const Drawn &node, int depth) {
        const double y = top(depth);
        draw_box(node.look, node.x, y, node.own_width(), box_height);
        if (node.look == 0) {
            write(node.x, y + 23, 13, "#ffffff", "root");
        } else {
            write(node.x, y + 14, 10, "#546e7a", looks[node.look].caption);
            write(node.x, y + 29, 13, "#263238", node.text);
        }
        for (const Drawn &child : node.children) {
            draw_nodes(child, depth + 1);
        }
    }

    static double width_of(const Look &look) {
        return 6.2 * static_cast<double>(std::string(look.caption).size()) + 16;
    }

    static double legend_width() {
        double width = -8;
        for (size_t look = 1; look < looks.size(); look++) {
            width += width_of(looks[look]) + 8;
        }
        return width;
    }

    void draw_legend(double x, double y) {
        for (size_t look = 1; look < looks.size(); look++) {
            const double width = width_of(looks[look]);
            draw_box(look, x + width / 2, y, width, 20);
            write(x + width / 2, y + 14, 10, "#263238", looks[look].caption);
            x += width + 8;
        }
    }
};

} // namespace

std::string to_svg(const Tree &tree) { return Drawing(tree).run(); }

} // namespace fluorite::schedule
