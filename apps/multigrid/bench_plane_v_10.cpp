#include "apps/multigrid/measure_cycle.h"

int main(int argc, char **argv) {
    return apps::measure_cycle("multigrid_plane_v_10", {argc, argv}, {2, apps::Cycle::V, {10, 0, 0}});
}
