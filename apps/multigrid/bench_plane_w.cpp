#include "apps/multigrid/measure_cycle.h"

int main(int argc, char **argv) {
    return apps::measure_cycle("multigrid_plane_w", {argc, argv}, {2, apps::Cycle::W, {4, 4, 4}});
}
