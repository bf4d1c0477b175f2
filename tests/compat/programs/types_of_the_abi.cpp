// Type and halide_type_t stand for each other; names that describe loops, levels and buffers.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

int main() {
    const halide_type_t words = halide_type_of<uint16_t>();
    const Type type = words;
    CHECK(type == UInt(16) && type == words && words == type && !(type != words));
    CHECK(type.code() == Type::UInt && type.code() != Type::Float && Type(Type::BFloat, 16) == BFloat(16));
    const halide_type_t back = Float(32, 4);
    CHECK(back.code == halide_type_float && back.bits == 32 && back.lanes == 4);
    CHECK(Type(halide_type_handle, 64, 1) == Handle() && Int(32).with_code(halide_type_float) == Float(32));
    Var x("x"), y("y"), xi("xi");
    Func f("f");
    f(x, y) = cast(halide_type_of<int16_t>(), x + y);
    CHECK(f.type() == Int(16));
    Buffer<> made(halide_type_of<int16_t>(), 4, 3);
    f.realize(made);
    CHECK(made.as<int16_t>()(3, 2) == 5);

    f.split(x, x, xi, 2);
    CHECK(Stage(f).dump_argument_list().rfind("Vars: xi x y", 0) == 0);
    LoopLevel level(f, y);
    CHECK(level.lock() == level && level.lock().var().name() == "y");

    CHECK((Buffer<int16_t>::can_convert_from(made)) && !(Buffer<float>::can_convert_from(made)));
    CHECK((Buffer<void, 2>::can_convert_from(made)) && !(Buffer<int16_t, 3>::can_convert_from(made)));
    Buffer<const int16_t> constant = made;
    CHECK((Buffer<const int16_t>::can_convert_from(constant)) && !(Buffer<int16_t>::can_convert_from(constant)));
    printf("Success!\n");
    return 0;
}
