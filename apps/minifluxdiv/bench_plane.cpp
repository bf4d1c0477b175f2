#include "apps/minifluxdiv/measure_box.h"

int main(int argc, char **argv) { return apps::measure_box("minifluxdiv_plane", {argc, argv}, {2048, 2048}); }
