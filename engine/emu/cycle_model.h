// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/emu/machine.h"

namespace rpl::emu {

/// The constants of "rpl-cycle/0.1". Rates follow from the ISA documents and data sheets; latencies are rounded from published
/// microbenchmarks of MI200 and MI300. None is fitted to a kernel of this project. The model is good for ordering variants of
/// one kernel, not for predicting times of a real device.
struct CycleParameters {
  std::string name;
  isa::Arch arch = isa::Arch::gfx90a;
  double clock_mhz = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t simds = 4;  ///< of a compute unit
  std::uint32_t waves_per_simd = 8;
  std::uint32_t vgprs_per_simd = 512;
  std::uint32_t lds_bytes = 65536;
  std::uint32_t issue = 4;  ///< cycles between two instructions of a wave: 64 lanes on a SIMD of 16
  std::uint32_t transcendental = 16;  ///< quarter rate
  std::uint32_t wide_multiply = 16;   ///< 32-bit integer products and v_mad_*64, quarter rate
  std::uint32_t matrix_pass = 4;      ///< cycles; passes of an instruction: matrix_passes()
  std::uint32_t branch_taken = 16;    ///< until a wave issues again
  std::uint32_t lds_latency = 64;
  std::uint32_t lds_bytes_per_cycle = 128;
  std::uint32_t scalar_hit = 50, l1_hit = 120, l2_hit = 300, memory = 700;  ///< latencies of loads
  std::uint32_t line_bytes = 64;  ///< of the vector L1, a power of two
  std::uint32_t l1_bytes = 16384;
  std::uint32_t scalar_cache_bytes = 16384;
  std::uint64_t l2_bytes = 0;
  double l1_bytes_per_cycle = 64;
  double l2_bytes_per_cycle = 64;     ///< for a compute unit
  double memory_bytes_per_cycle = 0;  ///< for the whole device
};

const CycleParameters& cycle_parameters(isa::Arch arch);

/// A set-associative cache of tags with least-recently-used replacement.
class TagCache {
 public:
  TagCache(std::uint64_t bytes, std::uint32_t line_bytes);
  /// Whether the line was there; it is afterwards.
  bool touch(std::uint64_t line);

 private:
  static constexpr std::uint32_t kWays = 16;
  struct Way {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t used = 0;
  };
  std::uint64_t sets_;
  std::uint64_t now_ = 0;
  std::vector<Way> ways_;
};

/// Cycles that a vector, matrix or scalar instruction keeps its SIMD's unit busy. The matrix unit works beside the vector unit: a
/// wave that issued a matrix instruction issues others after `issue` cycles, and the next matrix instruction when the unit is free.
std::uint32_t issue_cycles(const CycleParameters& parameters, const Op& op);

}  // namespace rpl::emu
