// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/vector_table.h"

namespace rpl::emu {
namespace {

using VectorTableTable = std::unordered_map<std::string, VectorEntry>;

VectorTableTable make_table() {
  VectorTableTable table;
  for (const auto& entries :
       {float_entries(), float_special_entries(), double_entries(), integer_entries(),
        carry_entries(), compare_entries(), half_entries(), half_special_entries(), short_entries(),
        saturating_entries(), packed_entries(), mixed_entries(), dot_entries(), pack_entries(),
        byte_entries(), byte_float_entries(), cube_entries()}) {
    for (const auto& entry : entries) table.emplace(entry.name, entry);
  }
  return table;
}

}  // namespace

int processor_level() {
#if defined(__x86_64__)
  static const int level =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl")
          ? 4
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2")
          ? 3
          : 1;
  return level;
#else
  return 1;
#endif
}

const VectorEntry* find_vector_entry(const std::string& name) {
  static const VectorTableTable table = make_table();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace rpl::emu
