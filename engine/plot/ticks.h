// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace rpl {

/// Round times (1, 2 or 5 times a power of ten, from `origin_ns`) within [from, to], at most `most` of them, at least one where
/// the window is not empty.
std::vector<std::int64_t> round_ticks(std::int64_t from_ns, std::int64_t to_ns,
                                      std::int64_t origin_ns, std::size_t most);

}  // namespace rpl
