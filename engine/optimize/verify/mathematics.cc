// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/mathematics.h"

#include <algorithm>
#include <string_view>

namespace rpl {

// Not those that choose one of their arguments, as fdim does: with them a kernel chooses.
bool is_from_mathematics(const std::vector<isa::SourcePlace>& chain) {
  constexpr std::string_view kSmooth[] = {
      "sqrt", "rsqrt", "cbrt", "rcbrt", "exp",  "log",   "pow",   "sin",    "cos",   "tan",
      "asin", "acos",  "atan", "erf",   "norm", "hypot", "gamma", "tgamma", "lgamma"};
  if (chain.empty() || isa::own_frames(chain).size() == chain.size()) return false;
  std::string_view name = chain.front().function;
  while (name.starts_with('_')) name.remove_prefix(1);
  if (name.starts_with("ocml_")) name.remove_prefix(5);
  return std::ranges::any_of(kSmooth, [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace rpl
