// SPDX-License-Identifier: MIT
#include "shell/commands/kernel/counted_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/capture/dispatches.h"
#include "engine/replay/replay.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

/// Runs a captured dispatch once under the cycle model.
Result<std::shared_ptr<const EmulatedRun>> run_of_capture(const Inputs& inputs,
                                                          const std::string& reference) {
  const CaptureEntry entry = TRY(capture_named(inputs, reference));
  TRY(require_one_dispatch(*entry->value, "a count by instruction"));
  auto object = TRY(object_of(*entry->value));
  const auto parameters = TRY(emulated_gpu(inputs));
  auto replay = TRY(replay_once({.capture = entry->value.get(),
                                 .object = object,
                                 .execute = {.mode = emu::Mode::modelled,
                                             .parameters = parameters,
                                             .keep_record = true,
                                             .monitor = inputs.monitor}}));
  return std::make_shared<const EmulatedRun>(
      EmulatedRun{object, entry->id, entry->value->kernel, emu::Mode::modelled,
                  std::move(replay.executed), "", parameters});
}

/// How a run is divided.
class Division {
 public:
  Division(const EmulatedRun& run, std::string by, const isa::SourceLines& lines)
      : run_(run), by_(std::move(by)), lines_(lines) {}

  [[nodiscard]] std::vector<CountedPlace> places() const {
    std::map<std::string, std::size_t> known;
    std::vector<CountedPlace> places;
    const auto& counts = run_.executed.counts.by_instruction;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].executed == 0) continue;
      const emu::Op& op = run_.executed.program->ops[i];
      CountedPlace made = place_of(op);
      const auto [at, fresh] = known.try_emplace(made.name, places.size());
      if (fresh) places.push_back(std::move(made));
      add(places[at->second], op, counts[i]);
    }
    const auto all = static_cast<double>(run_.executed.counts.instructions);
    for (CountedPlace& place : places)
      place.share = static_cast<double>(place.counts.executed) / all;
    if (by_ != "pc")
      std::ranges::stable_sort(places, std::ranges::greater(),
                               [](const CountedPlace& place) { return place.counts.executed; });
    return places;
  }

 private:
  [[nodiscard]] CountedPlace place_of(const emu::Op& op) const {
    const isa::Instruction& instruction = *op.instruction;
    CountedPlace place;
    if (by_ == "pc") {
      place.name = hex(op.address);
      place.instruction = isa::disassemble(run_.object->arch(), instruction);
      place.mnemonic = instruction.opcode->name();
    } else if (by_ == "mnemonic") {
      place.name = instruction.opcode->name();
      place.instruction = to_string(op.kind);
    } else {
      const auto chain = lines_.chain(op.address);
      if (chain.empty())
        return {.name = "unknown", .instruction = {}, .mnemonic = {}, .counts = {}};
      const std::string& file = chain.front().file;
      place.name = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), chain.front().line);
      place.instruction = chain.front().function;
    }
    return place;
  }

  void add(CountedPlace& place, const emu::Op& op, const emu::InstructionCounts& more) const {
    place.counts.executed += more.executed;
    place.counts.active_lanes += more.active_lanes;
    place.counts.bytes += more.bytes;
    place.counts.transactions += more.transactions;
    place.counts.lds_conflicts += more.lds_conflicts;
    place.counts.lines += more.lines;
    place.counts.l1_lines += more.l1_lines;
    place.counts.l2_lines += more.l2_lines;
    place.counts.memory_lines += more.memory_lines;
    place.counts.stall += more.stall;
    place.counts.stall_caused += more.stall_caused;
    place.fidelity =
        std::max(place.fidelity, emu::fidelity_of(run_.executed.program->arch, *op.instruction));
  }

  const EmulatedRun& run_;
  std::string by_;
  const isa::SourceLines& lines_;
};

}  // namespace

Result<std::shared_ptr<const EmulatedRun>> counted_run(const Inputs& inputs,
                                                       const std::string& reference) {
  if (!reference.empty()) return run_of_capture(inputs, reference);
  if (inputs.workspace.last_run == nullptr) {
    auto run = run_of_capture(inputs, {});
    if (run || run.error().code == Errc::unsupported) return run;
    return fail(Errc::not_found,
                "no kernel has run on the emulated device yet, and no capture is open",
                "kernel run OBJECT --grid … --workgroup … --arg …, or name a capture");
  }
  if (inputs.workspace.last_run->mode == emu::Mode::functional) {
    return fail(Errc::not_found, "the last run was functional and kept no counts",
                "run it again with --counted or --modelled");
  }
  return inputs.workspace.last_run;
}

Result<Places> places_of(const EmulatedRun& run, std::string by) {
  const auto read = run.object->source_lines();
  const isa::SourceLines lines = read ? *read : isa::SourceLines();
  if (by.empty()) by = lines.empty() ? "mnemonic" : "line";
  if (by == "line" && lines.empty()) {
    return fail(Errc::missing_capability, "the code object has no line table",
                "build with -gline-tables-only, which leaves the code as it is");
  }
  return Places{by, Division(run, by, lines).places()};
}

}  // namespace rpl
