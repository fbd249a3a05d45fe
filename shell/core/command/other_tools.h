// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace rpl {

/// What does here what an option of another profiler does: "--kernel-trace" of rocprofv3, "--section" of Nsight Compute. "" for options of none of them.
std::string_view instead_of_option(std::string_view option);

}  // namespace rpl
