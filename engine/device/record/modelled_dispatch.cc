// SPDX-License-Identifier: MIT
#include "engine/device/record/modelled_dispatch.h"

#include "engine/device/execute/launch/program.h"
#include "engine/device/execute/launch/unit_operations.h"

namespace rpl::calibrate {
namespace {

void add_shape(const emu::Executed& executed, att::ModelledDispatch& out) {
  const emu::Program& program = *executed.program;
  const emu::Modelled& modelled = *executed.modelled;
  out.kernel = program.kernel;
  out.architecture = to_string(program.arch);
  out.grid = modelled.grid;
  out.workgroup = modelled.workgroup;
  out.lds_bytes = modelled.workgroup_lds_bytes;
  out.vgprs = program.vgprs;
  if (const auto kernel = program.object->kernel(program.kernel)) out.sgprs = (*kernel)->sgprs;
}

void add_counts(const emu::Executed& executed, att::ModelledDispatch& out) {
  const auto& rows = executed.counts.by_instruction;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const isa::Class kind = executed.program->ops[i].kind;
    if (kind != isa::Class::valu && kind != isa::Class::transcendental &&
        kind != isa::Class::matrix)
      continue;
    out.vector_instructions += rows[i].executed;
    out.active_lanes += rows[i].active_lanes;
  }
  for (emu::UnitOperations& each : emu::unit_operations(executed))
    out.operations.emplace_back(std::move(each.unit), each.operations);
  out.lds_conflicts = executed.counts.lds_conflicts;
}

}  // namespace

Result<att::ModelledDispatch> modelled_dispatch(const emu::Executed& executed) {
  if (!executed.modelled)
    return fail(Errc::usage, "the launch was not modelled", "run it with --modelled");
  const emu::Modelled& modelled = *executed.modelled;
  const emu::CacheCounts& caches = modelled.caches;
  att::ModelledDispatch out;
  out.model = modelled.model;
  out.gpu = modelled.gpu;
  add_shape(executed, out);
  add_counts(executed, out);
  out.cycles = modelled.cycles;
  out.time_ns = modelled.time_ns;
  out.hbm_bytes = caches.hbm_bytes;
  out.l2_bytes = caches.l2_bytes;
  out.vl1d_bytes = (caches.l1_lookups + caches.l2_writes + caches.l2_atomics) * emu::kLineBytes;
  out.lds_moved_bytes = modelled.lds_moved_bytes;
  out.vector_busy_cycles = modelled.vector_busy_cycles;
  out.matrix_busy_cycles = modelled.matrix_busy_cycles;
  out.wave_cycles = modelled.wave_cycles;
  out.wait_cycles = modelled.vmem_wait_cycles + modelled.lds_wait_cycles;
  return out;
}

}  // namespace rpl::calibrate
