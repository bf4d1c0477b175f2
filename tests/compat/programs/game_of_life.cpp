// Iterated stencils on bytes: a new pipeline that reads its previous output, and many steps in one reduction.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    const int W = 24, H = 16, steps = 6;
    Var x("x"), y("y"), t("t");
    ImageParam board(UInt(8), 2, "board");
    Func wrapped = BoundaryConditions::repeat_image(board);
    Func count("count"), next("next");
    RDom r(-1, 3, -1, 3);
    r.where(r.x != 0 || r.y != 0);
    count(x, y) += wrapped(x + r.x, y + r.y);
    next(x, y) =
        select(count(x, y) == 3 || (count(x, y) == 2 && wrapped(x, y) == 1), cast<uint8_t>(1), cast<uint8_t>(0));
    count.compute_at(next, y).vectorize(x, 8).update().unroll(r.x).unroll(r.y);
    next.vectorize(x, 8);
    Buffer<uint8_t> now(W, H), start(W, H);
    start.for_each_element([&](int i, int j) { start(i, j) = (i * 7 + j * j * 3) % 5 < 2; });
    now.copy_from(start);
    for (int k = 0; k < steps; k++) {
        Buffer<uint8_t> then(W, H);
        board.set(now);
        next.realize(then);
        now = then;
    }
    Func all("all");
    RDom s(0, W, 0, H, 1, steps);
    all(x, y, t) = undef<uint8_t>();
    all(x, y, 0) = start(x, y);
    Expr around = cast<uint8_t>(0);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx != 0 || dy != 0) {
                around += all((s.x + dx + W) % W, (s.y + dy + H) % H, s.z - 1);
            }
        }
    }
    all(s.x, s.y, s.z) =
        select(around == 3 || (around == 2 && all(s.x, s.y, s.z - 1) == 1), cast<uint8_t>(1), cast<uint8_t>(0));
    Buffer<uint8_t> movie = all.realize({W, H, steps + 1});
    int alive = 0;
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++) {
            alive += now(i, j);
            if (movie(i, j, steps) != now(i, j)) {
                printf("%d %d\n", i, j);
                return 1;
            }
        }
    }
    return alive > 0 && alive < W * H ? 0 : 2;
}
