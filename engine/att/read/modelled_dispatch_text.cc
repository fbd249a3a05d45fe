// SPDX-License-Identifier: MIT
// Writing alone: the emulated devices' library takes it without what reading needs.
#include <cmath>

#include "engine/att/read/json_text.h"
#include "engine/att/read/modelled_dispatch.h"

namespace rpl::att {
namespace {

std::string size3_json(const std::array<std::uint32_t, 3>& size) {
  return fmt::format("[{},{},{}]", size[0], size[1], size[2]);
}

}  // namespace

std::string to_json(const ModelledDispatch& d) {
  std::string operations;
  for (const auto& [unit, count] : d.operations)
    operations += fmt::format("{}{}:{}", operations.empty() ? "" : ",", json_text(unit), count);
  constexpr double kPsPerNs = 1000;
  std::string out = fmt::format(
      "{{\"schema\":\"{}\",\"provenance\":\"modelled\",\"model\":{},\"gpu\":{},\"architecture\":{},"
      "\"kernel\":{},",
      kModelledDispatchSchema, json_text(d.model), json_text(d.gpu), json_text(d.architecture),
      json_text(d.kernel));
  out += fmt::format("\"grid\":{},\"workgroup\":{},\"vgprs\":{},\"sgprs\":{},\"lds_bytes\":{},",
                     size3_json(d.grid), size3_json(d.workgroup), d.vgprs, d.sgprs, d.lds_bytes);
  out += fmt::format(
      "\"exact\":{{\"vector_instructions\":{},\"active_lanes\":{},\"lds_moved_bytes\":{},\"lds_"
      "conflicts\":{},\"operations\":{{{}}}}},",
      d.vector_instructions, d.active_lanes, d.lds_moved_bytes, d.lds_conflicts, operations);
  return out + fmt::format(
                   "\"modelled\":{{\"cycles\":{},\"time_ps\":{},\"hbm_bytes\":{},\"l2_bytes\":{},"
                   "\"vl1d_bytes\":{},\"vector_busy_cycles\":{},"
                   "\"matrix_busy_cycles\":{},\"wave_cycles\":{},\"wait_cycles\":{}}}}}",
                   d.cycles, std::llround(d.time_ns * kPsPerNs), d.hbm_bytes, d.l2_bytes,
                   d.vl1d_bytes, d.vector_busy_cycles, d.matrix_busy_cycles, d.wave_cycles,
                   d.wait_cycles);
}

}  // namespace rpl::att
