#include "apps/minifluxdiv/measure_box.h"

int main(int argc, char **argv) { return apps::measure_box("minifluxdiv", {argc, argv}, {128, 128, 128}); }
