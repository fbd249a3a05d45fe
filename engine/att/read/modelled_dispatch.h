// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

/// What a cycle model knows of a whole dispatch, beside the thread trace of one compute unit that it made of it. Recorders write no such file.
namespace rpl::att {

/// What stands in such a file as its schema.
inline constexpr std::string_view kModelledDispatchSchema = "rpl.modelled-dispatch/1";

/// Its name within a decoded folder.
inline constexpr std::string_view kModelledDispatchFile = "modelled_dispatch.json";

/// A dispatch of the emulated device. Counts are exact, bytes and cycles modelled; all of the whole dispatch, so that the shares of roofs follow
/// with the peaks of `gpu`.
struct ModelledDispatch {
  std::string model;                                 ///< "rpl-cycle/0.5 MI300X"
  std::string gpu;                                   ///< whose constants were taken: "MI300X"
  std::string architecture;                          ///< "gfx942"
  std::string kernel;                                ///< the symbol
  std::array<std::uint32_t, 3> grid{}, workgroup{};  ///< work-items
  std::uint32_t vgprs = 0, sgprs = 0;  ///< of a wave, accumulation registers among the former
  std::uint32_t lds_bytes = 0;         ///< of a workgroup, static and dynamic
  std::uint64_t cycles = 0;            ///< from launch to drain
  double time_ns = 0;                  ///< the same at the model's clock
  std::optional<double> low_ns = {}, high_ns = {};  ///< the ends of its band; nothing: not known

  std::uint64_t vector_instructions = 0,
                active_lanes =
                    0;  ///< of the vector ALU and the matrix units; lanes summed over them
  /// Operations of active lanes by unit and type, "vector f32"; a multiply-add is two. Only what computes in floating point, and all of the matrix units.
  std::vector<std::pair<std::string, std::uint64_t>> operations;

  std::uint64_t hbm_bytes = 0, l2_bytes = 0,
                vl1d_bytes = 0;  ///< moved; of the vector L1 its look-ups at 64 bytes each
  std::uint64_t lds_moved_bytes = 0,
                lds_conflicts = 0;  ///< at the full width of each access; cycles lost
  std::uint64_t vector_busy_cycles = 0,
                matrix_busy_cycles = 0;  ///< summed over the SIMDs of the device
  std::uint64_t wave_cycles = 0,
                wait_cycles = 0;  ///< lifetimes of all waves, and of them at s_waitcnt
};

/// One line of JSON, schema rpl.modelled-dispatch/1; docs/cycle-model.md describes it.
std::string to_json(const ModelledDispatch& dispatch);

/// Reads what to_json() writes, from whoever wrote it. Fails with not_found, io, limit, corrupt for a value that is missing, no number or out of
/// range, and unsupported for another schema.
Result<ModelledDispatch> read_modelled_dispatch(const std::string& path);

}  // namespace rpl::att
