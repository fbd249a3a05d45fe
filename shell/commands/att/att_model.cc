// SPDX-License-Identifier: MIT
// att model: recorded cycles of a thread trace beside what the cycle model predicts for the same instructions.
#include <fmt/format.h>

#include "engine/device/calibrate/comparison.h"
#include "engine/device/calibrate/recordings_table.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttModelArgs {
  std::string att, gpu;
};

/// Modelled over recorded, less one.
std::optional<double> error_of(std::uint64_t recorded, std::uint64_t modelled) {
  if (recorded == 0) return std::nullopt;
  const auto whole = static_cast<double>(recorded);
  return (static_cast<double>(modelled) - whole) / whole;
}

using One = calibrate::ClassComparison;
using calibrate::Comparison;
using Cycles = cycle::UnitCycles;

template <auto member>
std::optional<double> error_in(const One& one) {
  return error_of(one.recorded.*member, one.modelled.*member);
}
template <auto error>
consteval BoundColumn error_column(Label name) {
  return column<error>(name, "modelled over recorded, less one").in(Unit::share);
}

constexpr auto kClassColumns = bound_to<One>(
    column<&One::unit>(
        "class", "class of instructions; `end` is s_endpgm, whose issue is the drain of stores"),
    column<&One::recorded, &Cycles::executed>("executed", "executions").if_room(),
    cycles<&One::recorded, &Cycles::issue>("recorded_issue", "issue cycles, recorded"),
    cycles<&One::modelled, &Cycles::issue>("modelled_issue", "issue cycles, modelled"),
    error_column<&error_in<&Cycles::issue>>("issue_error").if_room(),
    cycles<&One::recorded, &Cycles::stall>("recorded_stall", "stall cycles, recorded"),
    cycles<&One::modelled, &Cycles::stall>("modelled_stall", "stall cycles, modelled"),
    error_column<&error_in<&Cycles::stall>>("stall_error").if_room());

std::optional<double> error_in_all(const Comparison& found) {
  return error_of(found.recorded_wave_cycles, found.modelled_wave_cycles);
}

constexpr auto kModelledTrace =
    bound_to<OpenAtt>(column<&OpenAtt::id>("id", "the thread trace").as(Type::id),
                      column<&OpenAtt::value, &OpenThreadTrace::trace, &att::ThreadTrace::kernel>(
                          "kernel", "the kernel")
                          .as(Type::kernel));
constexpr auto kModelFields = bound_to<Comparison>(
    column<&Comparison::model>("model", "name, version and GPU of the cycle model"),
    column<&Comparison::waves>("waves", "traced waves"),
    column<&Comparison::instructions>("instructions", "that they executed"),
    column<&Comparison::recorded_wave_cycles>("recorded_wave_cycles",
                                              "lifetimes of the waves, summed"),
    column<&Comparison::modelled_wave_cycles>("modelled_wave_cycles", "the same as modelled"),
    column<&Comparison::loads_from>(
        "loads_from",
        "L2, Infinity Cache or memory: the innermost one that holds all that the waves of the "
        "launch can touch"),
    error_column<&error_in_all>("error"));

Result<Document> att_model(const AttModelArgs& args, Inputs inputs) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const std::string gpu = !args.gpu.empty()           ? args.gpu
                          : trace.device.name.empty() ? calibrate::recordings().gpu
                                                      : trace.device.name;
  const cycle::Parameters parameters =
      TRY(cycle::parameters_named(TRY(arch_catalogue(inputs)), gpu));
  const calibrate::RecordedWaves waves = TRY(calibrate::read_recorded_waves(trace, parameters));
  const Comparison found = TRY(calibrate::compare(waves, parameters));
  Document out;
  out.put(kModelledTrace, *entry);
  out.put(kModelFields, found);
  out.table(kClassColumns, found.classes);
  if (found.left_out > 0)
    out.notes.push_back(fmt::format(
        "{} instructions that the recorder could not match to the listing were left out",
        found.left_out));
  out.notes.push_back(
      fmt::format("thread traces have no addresses: every load comes from the {} in the model",
                  to_string(found.loads_from)));
  out.provenance = Provenance::modelled;
  out.next = {"att summary", "att waits"};
  return out;
}

}  // namespace

void add_att_model_command(Registry& registry) {
  add(registry,
      command(
          Command{.path = "att model",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Recorded cycles of a thread trace beside those of the cycle model.",
                  .help =
                      "Runs the recorded waves' instructions through the cycle model of the "
                      "emulated device and puts issue and stall cycles by class of instruction "
                      "next to the recorded ones. What waves of a trace waited for at the memory "
                      "cannot be known without addresses, so the model takes one latency for all, "
                      "of the innermost level that has room for what all waves of the launch can "
                      "touch, and lets the busy compute units share its bandwidth; "
                      "docs/cycle-model.md has the figures of the recordings that the constants "
                      "were fitted to, and of others. `error` is modelled over recorded, less one.",
                  .fields = described({kModelledTrace, kModelFields}),
                  .columns = described(kClassColumns),
                  .scalar = "error",
                  .examples = {"att model ATT --gpu MI350X"}},
          {arg("att", &AttModelArgs::att, "thread trace: att1 or a folder")
               .completes(Complete::file),
           option("gpu", &AttModelArgs::gpu,
                  "GPU whose constants are taken; the recorded one, else the one that they were "
                  "fitted to")
               .named("NAME")},
          att_model));
}

}  // namespace rpl
