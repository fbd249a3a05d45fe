// SPDX-License-Identifier: MIT
// Writing alone: the emulated devices' library takes it without what reading needs.
#include <cmath>

#include "engine/att/read/modelled_dispatch.h"
#include "engine/document/json.h"

namespace rpl::att {

std::string to_json(const ModelledDispatch& d) {
  const auto size3 = [](const std::array<std::uint32_t, 3>& size) {
    return List(size.begin(), size.end());
  };
  const auto picoseconds = [](std::optional<double> ns) {
    constexpr double kPsPerNs = 1000;
    return ns ? Value(std::int64_t{std::llround(*ns * kPsPerNs)}) : Value();
  };
  return to_json(
      Record{{"schema", kModelledDispatchSchema},
             {"provenance", "modelled"},
             {"model", d.model},
             {"gpu", d.gpu},
             {"architecture", d.architecture},
             {"kernel", d.kernel},
             {"grid", size3(d.grid)},
             {"workgroup", size3(d.workgroup)},
             {"vgprs", d.vgprs},
             {"sgprs", d.sgprs},
             {"lds_bytes", d.lds_bytes},
             {"exact", Record{{"vector_instructions", d.vector_instructions},
                              {"active_lanes", d.active_lanes},
                              {"lds_moved_bytes", d.lds_moved_bytes},
                              {"lds_conflicts", d.lds_conflicts},
                              {"operations", Record(d.operations.begin(), d.operations.end())}}},
             {"modelled", Record{{"cycles", d.cycles},
                                 {"time_ps", picoseconds(d.time_ns)},
                                 {"time_low_ps", picoseconds(d.low_ns)},
                                 {"time_high_ps", picoseconds(d.high_ns)},
                                 {"hbm_bytes", d.hbm_bytes},
                                 {"l2_bytes", d.l2_bytes},
                                 {"vl1d_bytes", d.vl1d_bytes},
                                 {"vector_busy_cycles", d.vector_busy_cycles},
                                 {"matrix_busy_cycles", d.matrix_busy_cycles},
                                 {"wave_cycles", d.wave_cycles},
                                 {"wait_cycles", d.wait_cycles}}}},
      JsonStyle::compact);
}

}  // namespace rpl::att
