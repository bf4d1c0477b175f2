// serialize_pipeline and deserialize_pipeline: bytes, files and streams.
#include <Halide.h>

#include <fstream>
#include <stdio.h>
#include <vector>

using namespace Halide;

int main() {
    Var x("x"), y("y"), xo("xo"), xi("xi");
    Buffer<uint8_t> input(24, 16);
    for (int j = 0; j < 16; j++) {
        for (int i = 0; i < 24; i++) {
            input(i, j) = (uint8_t)(i * 7 + j * 3);
        }
    }
    RDom r(0, 3, 0, 2, "r");
    Func f("f"), g("g");
    f(x, y) = Tuple(cast<int>(input(x, y)) + 1, cast<float>(x - y));
    g(x, y) = 0;
    g(x, y) += f(x + r.x, y + r.y)[0] * (r.x + 1) + cast<int>(f(x, y)[1]);
    f.compute_root().split(x, xo, xi, 8).vectorize(xi);
    g.parallel(y);
    g.update().reorder(x, r.x, r.y, y);
    Pipeline pipeline(g);

    std::vector<uint8_t> data;
    serialize_pipeline(pipeline, data);
    serialize_pipeline(pipeline, "serialized_pipelines.hlpipe");
    std::ifstream stream("serialized_pipelines.hlpipe", std::ios::binary);
    Pipeline read[] = {deserialize_pipeline(data, {}), deserialize_pipeline("serialized_pipelines.hlpipe", {}),
                       deserialize_pipeline(stream, {})};

    Buffer<int> expected = pipeline.realize({20, 12});
    int sum = 0;
    for (Pipeline &again : read) {
        Buffer<int> seen = again.realize({20, 12});
        for (int j = 0; j < 12; j++) {
            for (int i = 0; i < 20; i++) {
                sum += seen(i, j) % 1000;
                if (seen(i, j) != expected(i, j)) {
                    printf("at %d, %d: %d in place of %d\n", i, j, seen(i, j), expected(i, j));
                    return 1;
                }
            }
        }
    }
    printf("sum %d\nSuccess!\n", sum);
    return 0;
}
