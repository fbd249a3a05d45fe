// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rpl::triton {

/// The names of the parameters of `def KERNEL(…)` in a Python source that are passed at launch: those that are not annotated as constexpr. Empty where
/// there is no such function, or its parentheses do not end. Parameters that Triton fixed because of their value (1, None) are among them.
std::vector<std::string> launch_parameters(std::string_view source, std::string_view kernel);

}  // namespace rpl::triton
