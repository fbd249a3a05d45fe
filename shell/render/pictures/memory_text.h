// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/metrics/roofline/cascade.h"
#include "shell/core/terminal/canvas.h"

namespace rpl {

/// The way of the data from the CUs to memory, from top to bottom: a box for each cache with its hit rate, between them what
/// passed, how fast, and the share of the peak. Fits 72 columns; wider canvases get longer bars.
std::string memory_text(const MemoryCascade& cascade, const Canvas& canvas);

}  // namespace rpl
