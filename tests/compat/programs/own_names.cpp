// A program's own names beside `using namespace Halide`: the namespace contains only Halide's.
#include "Halide.h"

#include <cstdio>
#include <string>

using namespace Halide;

namespace own_names {

struct Location {
    int line;
};
struct Dimension {
    int extent;
};
enum class Schedule { Inline, Root };
namespace detail {
int answer = 42;
} // namespace detail

} // namespace own_names

using namespace own_names;

static void schedule(Func f, Schedule how) {
    if (how == Schedule::Root) {
        f.compute_root();
    }
}
static int load_image(const char *) { return 3; }
static std::string to_string(const Location &place) { return std::to_string(place.line); }

int main() {
    Var x("x"), y("y");
    Func f("f"), g("g");
    RDom r(0, 4);
    f(x, y) = cast<uint8_t>(x + y) + cast<uint8_t>(1);
    g(x, y) = sum(cast<int>(f(x + r, y))) + select(x > 3 && y < 2, 1, 0) + ((x << 1) % 3);
    schedule(f, Schedule::Root);
    const Buffer<int> result = g.realize({8, 8});
    const Dimension width{result.width()};
    // f(1..4, 1) is 3 + 4 + 5 + 6, and 2 % 3 is 2.
    const bool right = result(1, 1) == 20 && width.extent == 8 && load_image("none") == 3 &&
                       to_string(Location{7}) == "7" && detail::answer == 42;
    std::printf("%s\n", right ? "Success!" : "The program's own names are not its own.");
    return right ? 0 : 1;
}
