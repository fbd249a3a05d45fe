// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/mathematics.h"

#include <algorithm>
#include <string_view>

#include "engine/device/execute/state/handlers.h"

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

bool has_matrices(const emu::Program& program) {
  return std::ranges::any_of(program.ops,
                             [](const emu::Op& op) { return op.kind == isa::Class::matrix; });
}

bool has_dots(const emu::Program& program) {
  return std::ranges::any_of(program.ops, [](const emu::Op& op) {
    return op.instruction != nullptr && op.instruction->opcode->mnemonic.starts_with("v_dot");
  });
}

bool has_approximations(const emu::Program& program) {
  constexpr std::string_view kNames[] = {"v_rcp",  "v_rsq", "v_sqrt", "v_exp_",
                                         "v_log_", "v_sin", "v_cos"};
  return std::ranges::any_of(program.ops, [&](const emu::Op& op) {
    return op.instruction != nullptr && std::ranges::any_of(kNames, [&](std::string_view name) {
             return op.instruction->opcode->mnemonic.starts_with(name);
           });
  });
}

}  // namespace rpl
