// SPDX-License-Identifier: MIT
// att model: recorded cycles of a thread trace beside what the cycle model predicts for the same instructions.
#include <fmt/format.h>

#include "engine/device/calibrate/comparison.h"
#include "engine/device/calibrate/recordings_table.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttModelArgs {
  std::string att, gpu;
};

Value error_of(std::uint64_t recorded, std::uint64_t modelled) {
  if (recorded == 0) return {};
  return Value((static_cast<double>(modelled) - static_cast<double>(recorded)) /
               static_cast<double>(recorded));
}

Result<Document> att_model(Context& context, const AttModelArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const std::string gpu = !args.gpu.empty()           ? args.gpu
                          : trace.device.name.empty() ? calibrate::recordings().gpu
                                                      : trace.device.name;
  const cycle::Parameters parameters =
      TRY(cycle::parameters_named(TRY(arch_catalogue(context)), gpu));
  const calibrate::RecordedWaves waves = TRY(calibrate::read_recorded_waves(trace, parameters));
  const calibrate::Comparison found = TRY(calibrate::compare(waves, parameters));
  Document out;
  out.set("id", entry->id);
  out.set("kernel", trace.kernel());
  out.set("model", found.model);
  out.set("waves", found.waves);
  out.set("instructions", found.instructions);
  out.set("recorded_wave_cycles", found.recorded_wave_cycles);
  out.set("modelled_wave_cycles", found.modelled_wave_cycles);
  out.set("loads_from", to_string(found.loads_from));
  out.set("error", error_of(found.recorded_wave_cycles, found.modelled_wave_cycles));
  for (const calibrate::ClassComparison& one : found.classes) {
    out.rows.push_back({Value(to_string(one.unit)), Value(one.recorded.executed),
                        Value(one.recorded.issue), Value(one.modelled.issue),
                        error_of(one.recorded.issue, one.modelled.issue), Value(one.recorded.stall),
                        Value(one.modelled.stall),
                        error_of(one.recorded.stall, one.modelled.stall)});
  }
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
          Command{
              .path = "att model",
              .chapter = Class::analysis,
              .summary = "Recorded cycles of a thread trace beside those of the cycle model.",
              .help = "Runs the recorded waves' instructions through the cycle model of the "
                      "emulated device and puts issue and stall cycles by class of instruction "
                      "next to the recorded ones. What waves of a trace waited for at the memory "
                      "cannot be known without addresses, so the model takes one latency for all, "
                      "of the innermost level that has room for what all waves of the launch can "
                      "touch, and lets the busy compute units share its bandwidth; "
                      "docs/cycle-model.md has the figures of the recordings that the constants "
                      "were fitted to, and of others. `error` is modelled over recorded, less one.",
              .fields =
                  {{"id", Type::id, Unit::none, "the thread trace"},
                   {"kernel", Type::kernel, Unit::none, "the kernel"},
                   {"model", Type::string, Unit::none, "name, version and GPU of the cycle model"},
                   {"waves", Type::integer, Unit::count, "traced waves"},
                   {"instructions", Type::integer, Unit::count, "that they executed"},
                   {"recorded_wave_cycles", Type::integer, Unit::cycles,
                    "lifetimes of the waves, summed"},
                   {"modelled_wave_cycles", Type::integer, Unit::cycles, "the same as modelled"},
                   {"loads_from", Type::string, Unit::none,
                    "L2, Infinity Cache or memory: the innermost one that holds all that the waves "
                    "of the launch can touch"},
                   {"error", Type::number, Unit::share, "modelled over recorded, less one"}},
              .columns =
                  {{"class", Type::string, Unit::none,
                    "class of instructions; `end` is s_endpgm, whose issue is the drain of stores"},
                   {"executed", Type::integer, Unit::count, "executions"},
                   {"recorded_issue", Type::integer, Unit::cycles, "issue cycles, recorded"},
                   {"modelled_issue", Type::integer, Unit::cycles, "issue cycles, modelled"},
                   {"issue_error", Type::number, Unit::share, "modelled over recorded, less one",
                    InText::if_room},
                   {"recorded_stall", Type::integer, Unit::cycles, "stall cycles, recorded"},
                   {"modelled_stall", Type::integer, Unit::cycles, "stall cycles, modelled"},
                   {"stall_error", Type::number, Unit::share, "modelled over recorded, less one",
                    InText::if_room}},
              .scalar = "error",
              .examples = {"att model ATT --gpu MI350X"}},
          {arg("att", &AttModelArgs::att, "thread trace: att1 or a folder")
               .completes(Complete::file),
           option("gpu", &AttModelArgs::gpu,
                  "GPU whose constants are taken; the recorded one, else " +
                      calibrate::recordings().gpu)
               .named("NAME")},
          att_model));
}

}  // namespace rpl
