// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// Whether a kernel is a collective, by the names that RCCL and NCCL give them: its waves wait for other ranks.
bool is_collective(std::string_view kernel);

/// Why the n-th collective of each rank is not one, as a sentence: `ranks` has the kernels' names of each, by start. "" where all have the same ones in the same order.
std::string how_collectives_differ(const std::vector<std::span<const std::string_view>>& ranks);

}  // namespace rpl
