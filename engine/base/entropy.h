// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl {

/// 64 bits that nobody can guess, from the kernel. std::random_device of g++ 12 and later would ask for glibc 2.36.
std::uint64_t system_entropy();

}  // namespace rpl
