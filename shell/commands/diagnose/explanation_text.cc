// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/diagnose/explanation.h"

namespace rpl {
namespace {

std::string plain_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

void append_tree(std::string& out, const Derivation& node, std::size_t depth, std::size_t width) {
  const std::size_t indent = 2 * depth;
  std::string head = fmt::format("{} = {}", node.name, value_text(node));
  if (node.provenance != Provenance::none)
    head += fmt::format("  [{}]", to_string(node.provenance));
  if (!node.source.empty()) head += "  " + node.source;
  out += wrapped(head, indent, width);
  if (!node.formula.empty()) out += wrapped("= " + node.formula, indent + 4, width);
  if (!node.note.empty()) out += wrapped("(" + node.note + ")", indent + 4, width);
  for (const Derivation& input : node.inputs) append_tree(out, input, depth + 1, width);
}

}  // namespace

std::string value_text(const Derivation& tree) {
  if (!tree.value) return "unknown";
  if (!tree.unit_text.empty())
    return fmt::format("{} {}", plain_number(*tree.value), tree.unit_text);
  switch (tree.unit) {
    case Unit::share:
      return fmt::format("{:.4g} %", 100 * *tree.value);
    case Unit::none:
    case Unit::count:
    case Unit::ratio:
      return plain_number(*tree.value);
    case Unit::gbps:
      return plain_number(*tree.value) + " GB/s";
    case Unit::gflops:
      return plain_number(*tree.value) + " GFLOP/s";
    default:
      return fmt::format("{} {}", plain_number(*tree.value), to_string(tree.unit));
  }
}

std::string tree_text(const Derivation& tree, std::size_t width) {
  std::string out;
  append_tree(out, tree, 0, width);
  return out;
}

}  // namespace rpl
