// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace rpl {

/// The longest line that is read as a request: 4 MiB.
inline constexpr std::size_t kLongestRequest = std::size_t{4} << 20U;

/// The longest text that names a request, in bytes: it comes back with every reply.
inline constexpr std::size_t kLongestId = 256;

}  // namespace rpl
