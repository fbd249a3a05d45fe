// SPDX-License-Identifier: MIT
#include "engine/device/record/modelled_trace.h"

#include <fmt/format.h>

#include "engine/device/execute/launch/program.h"
#include "engine/device/record/modelled_dispatch.h"
#include "engine/isa/object/code_object.h"

namespace rpl::calibrate {
namespace {

std::string source_of(const isa::SourceLines& lines, std::uint64_t address) {
  std::string out;
  for (const isa::SourcePlace& place : lines.chain(address))
    out += fmt::format("{}{}:{}", out.empty() ? "" : " -> ", place.file, place.line);
  return out;
}

/// The listing, and by operation its line there; 0 for what is not an instruction.
std::vector<std::int32_t> add_listing(const emu::Program& program, att::WrittenTrace& out) {
  const auto read = program.object->source_lines();
  const isa::SourceLines lines = read ? *read : isa::SourceLines();
  std::vector<std::int32_t> line_of(program.ops.size(), 0);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const emu::Op& op = program.ops[i];
    if (op.instruction == nullptr) continue;
    out.code.push_back({.text = isa::disassemble(program.arch, *op.instruction),
                        .source = source_of(lines, op.address),
                        .address = op.address});
    line_of[i] = static_cast<std::int32_t>(out.code.size());
  }
  return line_of;
}

att::WrittenWave wave_of(const cycle::WaveTimes& times, const std::vector<std::int32_t>& line_of,
                         const att::WrittenTrace& trace) {
  att::WrittenWave wave{.simd = times.simd,
                        .slot = times.slot,
                        .begin = static_cast<std::int64_t>(times.begin),
                        .end = static_cast<std::int64_t>(times.end),
                        .instructions = {}};
  wave.instructions.reserve(times.steps.size());
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const cycle::Step& step = times.stream->steps[i];
    const std::int32_t line = line_of[step.operation];
    if (line == 0) continue;
    const std::string& text = trace.code[static_cast<std::size_t>(line - 1)].text;
    wave.instructions.push_back({.time = static_cast<std::int64_t>(times.steps[i].time),
                                 .line = line,
                                 .duration = times.steps[i].duration,
                                 .stall = times.steps[i].stall,
                                 .category = att::written_category(text, step.detail == 1)});
  }
  return wave;
}

}  // namespace

Result<att::WrittenTrace> modelled_trace(const emu::Executed& executed) {
  if (!executed.modelled || executed.trace == nullptr)
    return fail(Errc::usage, "the launch was not modelled with its trace kept",
                "run it with --modelled");
  const emu::Modelled& modelled = *executed.modelled;
  att::WrittenTrace out;
  out.kernel = executed.program->kernel;
  out.gfx = to_string(executed.program->arch);
  out.model = modelled.model;
  out.what =
      fmt::format("{} of {} workgroups simulated, on one compute unit of {}{}",
                  modelled.simulated_workgroups, executed.grid_workgroups, modelled.compute_units,
                  executed.trace->cut ? "; the waves are cut short" : "");
  out.compute_units = modelled.compute_units;
  out.simds_per_cu = modelled.simds;
  out.waves_per_simd = modelled.waves_per_simd;
  out.clock_mhz = modelled.clock_mhz;
  out.dispatch = TRY(modelled_dispatch(executed));
  const auto line_of = add_listing(*executed.program, out);
  for (const cycle::WaveTimes& wave : executed.trace->waves)
    out.waves.push_back(wave_of(wave, line_of, out));
  return out;
}

}  // namespace rpl::calibrate
