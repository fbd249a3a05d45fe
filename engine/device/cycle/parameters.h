// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/arch/catalogue.h"
#include "engine/base/result.h"
#include "engine/device/cycle/time_band.h"

/// The cycle model: what instructions cost on one compute unit, and what compute units share.
namespace rpl::cycle {

/// Name and version; both change when a rule of the model or a constant in engine/arch/data changes.
inline constexpr std::string_view kModel = "rpl-cycle/0.5";

/// The constants of the model for one GPU: the keys of the same names in its architecture file (docs/architectures.md), where each stands with
/// its source. Cycles are of the engine clock, bandwidths bytes a cycle.
struct Parameters {
  std::string name;  ///< "rpl-cycle/0.5 MI300X"; "…, changed" when the user's files change a value
  std::string arch;  ///< "gfx942"
  std::string product;  ///< "MI300X"
  double clock_mhz = 0;
  std::uint32_t compute_units = 0, xcds = 1, simds = 0, waves_per_simd = 0;
  std::uint32_t vgprs = 0, vgpr_granule = 0, lds_bytes = 0, lds_granule = 0, workgroups_per_cu = 0;
  std::uint32_t issue = 0, transcendental = 0, wide_multiply = 0, lane_swap = 0, lds_write = 0;
  std::uint32_t matrix_pass = 0, matrix_result = 0;
  std::uint32_t gap_vector_memory = 0, gap_scalar_branch = 0, gap_vector_scalar = 0,
                gap_branch_taken = 0;
  std::uint32_t lds_latency = 0, scalar_latency = 0, l1_latency = 0, l2_latency = 0,
                store_latency = 0, mall_latency = 0, hbm_latency = 0;
  std::uint32_t vmem_queue = 0, lds_queue = 0;
  std::uint32_t wave_start = 0, wave_launch = 0, launch = 0, drain = 0;
  std::uint32_t assumed_load = 0, assumed_store = 0, assumed_scalar = 0, assumed_service = 0,
                assumed_mall = 0;  ///< 0: not known for this GPU
  std::uint32_t l1_line = 0, l2_line = 0, l1_bytes = 0, scalar_cache_bytes = 0,
                instruction_cache_bytes = 0;  ///< 0: not known
  std::uint64_t l2_bytes = 0;                 ///< of one XCD
  std::uint64_t mall_bytes = 0;               ///< of the device; 0: none
  double l1_bandwidth = 0;                    ///< of a compute unit, what can be had of the peak
  double fill_bandwidth = 0;                  ///< of a compute unit, from the L2
  double write_cost = 1;                      ///< of a byte written behind the L2, in bytes read
  double channel_bandwidth = 0;  ///< of one channel of the memory side; 0: not modelled
  double atomic = 0;             ///< cycles of a request of atomics on one line; 0: not modelled
  double workgroup_launch = 0;   ///< cycles between two workgroups of a die; 0: not modelled
  double l2_channel = 0;         ///< cycles of a line in its channel of the L2; 0: not modelled
  double l1_scatter = 0;         ///< cycles of four lanes of a load that lie apart; 0: not modelled
  std::uint32_t l2_channels = 1;  ///< of a die
  std::uint32_t store_conflict =
      0;  ///< cycles of a store in part to a line that a store before it is writing
  double lds_bandwidth = 0;  ///< of a compute unit
  double l2_bandwidth = 0, mall_bandwidth = 0,
         hbm_bandwidth = 0;  ///< of the device, what can be had of the peak
  Bands bands;
  std::map<std::string, double, std::less<>>
      matrix_flops;  ///< "f16": FLOP a cycle and compute unit, dense
};

/// Fails with not_found for a value that the files do not have, naming it.
Result<Parameters> parameters_of(const arch::Gpu& gpu);

/// Of the GPU that "MI300X" or an architecture names: of an architecture its usual product.
Result<Parameters> parameters_named(const arch::Catalogue& catalogue, std::string_view gpu);

/// The same of the program's own files; kept, so that it costs nothing the second time. Fails as above.
Result<const Parameters*> builtin_parameters(std::string_view gpu);

}  // namespace rpl::cycle
