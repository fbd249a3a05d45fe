// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/vector_table.h"

#include <algorithm>

namespace rpl::emu {
namespace {

// A few names mean one thing on one architecture and another on others.
using VectorTableTable = std::unordered_multimap<std::string, VectorEntry>;

VectorTableTable make_table() {
  VectorTableTable table;
  for (const auto& entries :
       {float_entries(), float_special_entries(), double_entries(), integer_entries(),
        carry_entries(), compare_entries(), half_entries(), half_special_entries(), short_entries(),
        saturating_entries(), packed_entries(), mixed_entries(), dot_entries(), pack_entries(),
        byte_entries(), byte_float_entries(), cube_entries(), bfloat_entries(),
        propagating_entries()}) {
    for (const auto& entry : entries) table.emplace(entry.name, entry);
  }
  return table;
}

}  // namespace

const VectorEntry* find_vector_entry(isa::Arch arch, const std::string& name) {
  static const VectorTableTable table = make_table();
  const auto [first, last] = table.equal_range(name);
  const auto found = std::find_if(first, last, [&](const auto& row) {
    return (row.second.sets & isa::traits(arch).instructions) != 0;
  });
  return found == last ? nullptr : &found->second;
}

}  // namespace rpl::emu
