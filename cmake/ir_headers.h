// The precompiled header of the modules that work on the IR: most of a short file's time is these headers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/expr_node.h"
#include "ir/graph.h"
#include "ir/stmt.h"
