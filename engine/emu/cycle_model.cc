// SPDX-License-Identifier: MIT
#include "engine/emu/cycle_model.h"

#include <bit>

#include "engine/emu/matrix_shape.h"

namespace rpl::emu {
namespace {

// MI250X, one die: 110 compute units at 1.7 GHz, 8 MiB L2, 1.6 TB/s (AMD "Instinct MI250X" data sheet, CDNA2 white paper).
CycleParameters gfx90a() {
  CycleParameters p;
  p.name = "rpl-cycle/0.1 gfx90a";
  p.clock_mhz = 1700;
  p.compute_units = 110;
  p.l2_bytes = std::uint64_t{8} << 20;
  p.memory_bytes_per_cycle = 1638.4e9 / 1.7e9;
  return p;
}

// MI300X: 304 compute units at 2.1 GHz, 4 MiB L2 on each of 8 dies, 5.3 TB/s, L1 lines of 128 bytes (AMD "Instinct MI300X"
// data sheet, CDNA3 white paper).
CycleParameters gfx942() {
  CycleParameters p;
  p.arch = isa::Arch::gfx942;
  p.name = "rpl-cycle/0.1 gfx942";
  p.clock_mhz = 2100;
  p.compute_units = 304;
  p.l2_bytes = std::uint64_t{32} << 20;
  p.l1_bytes = 32768;
  p.line_bytes = 128;
  p.memory_bytes_per_cycle = 5300e9 / 2.1e9;
  p.memory = 800;
  return p;
}

bool is_wide_multiply(std::string_view name) {
  return name.starts_with("v_mul_lo_u32") || name.starts_with("v_mul_hi") ||
         name.starts_with("v_mad_u64") || name.starts_with("v_mad_i64");
}

}  // namespace

const CycleParameters& cycle_parameters(isa::Arch arch) {
  static const CycleParameters mi200 = gfx90a(), mi300 = gfx942();
  return arch == isa::Arch::gfx90a ? mi200 : mi300;
}

TagCache::TagCache(std::uint64_t bytes, std::uint32_t line_bytes)
    : sets_(std::bit_floor(std::max<std::uint64_t>(1, bytes / line_bytes / kWays))),
      ways_(static_cast<std::size_t>(sets_) * kWays) {}

bool TagCache::touch(std::uint64_t line) {
  Way* set = &ways_[static_cast<std::size_t>(line & (sets_ - 1)) * kWays];
  Way* oldest = set;
  ++now_;
  for (Way* way = set; way != set + kWays; ++way) {
    if (way->line == line) {
      way->used = now_;
      return true;
    }
    if (way->used < oldest->used) oldest = way;
  }
  *oldest = {line, now_};
  return false;
}

std::uint32_t issue_cycles(const CycleParameters& parameters, const Op& op) {
  if (op.kind == isa::Class::transcendental) return parameters.transcendental;
  if (op.kind == isa::Class::valu && is_wide_multiply(op.instruction->opcode->mnemonic))
    return parameters.wide_multiply;
  if (const MatrixShape* shape = find_matrix_shape(*op.instruction->opcode); shape != nullptr)
    return parameters.matrix_pass * matrix_passes(parameters.arch, *shape);
  return parameters.issue;
}

}  // namespace rpl::emu
