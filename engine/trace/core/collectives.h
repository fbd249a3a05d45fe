// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace rpl {

/// Whether a kernel is a collective, by the names that RCCL and NCCL give them: its waves wait for other ranks.
bool is_collective(std::string_view kernel);

}  // namespace rpl
