// SPDX-License-Identifier: MIT
// kernel counts and kernel counters: what the last run on the emulated device executed, by place and by the hardware's names.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/emu/hardware_counters.h"
#include "engine/emu/program.h"
#include "engine/replay/replay.h"
#include "shell/command/define.h"
#include "shell/commands/emulated_run.h"
#include "shell/commands/families.h"
#include "shell/commands/kernel_report.h"

namespace rpl {
namespace {

using RunPtr = std::shared_ptr<const EmulatedRun>;

/// Runs a captured dispatch once under the cycle model.
Result<RunPtr> run_of_capture(Context& context, const std::string& reference) {
  const CaptureEntry entry = TRY(capture_named(context, reference));
  auto object = TRY(object_of(*entry->value));
  auto replay = TRY(replay_once({.capture = entry->value.get(),
                                 .object = object,
                                 .execute = {.mode = emu::Mode::modelled, .parameters = TRY(emulated_gpu(context)), .monitor = context.monitor}}));
  return std::make_shared<const EmulatedRun>(EmulatedRun{object, entry->id, entry->value->kernel, emu::Mode::modelled, std::move(replay.executed)});
}

/// The run of `reference`, else the last `kernel run`, else that of the current capture.
Result<RunPtr> counted_run(Context& context, const std::string& reference) {
  if (!reference.empty()) return run_of_capture(context, reference);
  if (context.last_run == nullptr) {
    if (auto run = run_of_capture(context, {})) return run;
    return fail(Errc::not_found, "no kernel has run on the emulated device yet, and no capture is open",
                "kernel run OBJECT --grid … --workgroup … --arg …, or name a capture");
  }
  if (context.last_run->mode == emu::Mode::functional) {
    return fail(Errc::not_found, "the last run was functional and kept no counts", "run it again with --counted or --modelled");
  }
  return context.last_run;
}

void set_run(const EmulatedRun& run, Document& out) {
  out.set("kernel", run.kernel);
  out.set("run", run.of);
  out.set("architecture", to_string(run.object->arch()));
  out.set("waves", run.executed.counts.waves);
  out.set("instructions", run.executed.counts.instructions);
}

std::vector<Column> counted_run_columns() {
  return {{"kernel", Type::kernel, Unit::none, "its name in the code object"},
          {"run", Type::id, Unit::none, "the code object or capture that ran"},
          {"architecture", Type::string, Unit::none, "gfx90a or gfx942"},
          {"waves", Type::integer, Unit::count, "waves that ran"},
          {"instructions", Type::integer, Unit::count, "instructions executed, counted once for a wave"}};
}

struct CountsArgs {
  std::string capture, by;
};

struct CountersArgs {
  std::string capture;
};

/// The sums of the instructions of one place.
struct Place {
  std::string name, instruction;
  emu::InstructionCounts counts;
  emu::Fidelity fidelity = emu::Fidelity::exact;
};

/// How a run is divided.
class Division {
 public:
  Division(const EmulatedRun& run, std::string by, const isa::SourceLines& lines) : run_(run), by_(std::move(by)), lines_(lines) {}

  [[nodiscard]] std::vector<Place> places() const {
    std::map<std::string, std::size_t> known;
    std::vector<Place> places;
    const auto& counts = run_.executed.counts.by_instruction;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i].executed == 0) continue;
      const emu::Op& op = run_.executed.program->ops[i];
      Place made = place_of(op);
      const auto [at, fresh] = known.try_emplace(made.name, places.size());
      if (fresh) places.push_back(std::move(made));
      add(places[at->second], op, counts[i]);
    }
    if (by_ != "pc") std::ranges::stable_sort(places, std::ranges::greater(), [](const Place& place) { return place.counts.executed; });
    return places;
  }

 private:
  [[nodiscard]] Place place_of(const emu::Op& op) const {
    const isa::Instruction& instruction = *op.instruction;
    Place place;
    if (by_ == "pc") {
      place.name = hex(op.address);
      place.instruction = isa::disassemble(run_.object->arch(), instruction);
    } else if (by_ == "mnemonic") {
      place.name = instruction.opcode->name();
      place.instruction = to_string(op.kind);
    } else {
      const auto chain = lines_.chain(op.address);
      if (chain.empty()) return {.name = "unknown", .instruction = {}, .counts = {}};
      const std::string& file = chain.front().file;
      place.name = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), chain.front().line);
      place.instruction = chain.front().function;
    }
    return place;
  }

  static void add(Place& place, const emu::Op& op, const emu::InstructionCounts& more) {
    place.counts.executed += more.executed;
    place.counts.active_lanes += more.active_lanes;
    place.counts.bytes += more.bytes;
    place.counts.transactions += more.transactions;
    place.counts.lds_conflicts += more.lds_conflicts;
    place.fidelity = std::max(place.fidelity, emu::fidelity_of(*op.instruction));
  }

  const EmulatedRun& run_;
  std::string by_;
  const isa::SourceLines& lines_;
};

Result<Document> run_counts(Context& context, const CountsArgs& args) {
  const auto run = TRY(counted_run(context, args.capture));
  const auto read = run->object->source_lines();
  const isa::SourceLines lines = read ? *read : isa::SourceLines();
  const std::string by = !args.by.empty() ? args.by : lines.empty() ? "mnemonic" : "line";
  if (by == "line" && lines.empty()) {
    return fail(Errc::missing_capability, "the code object has no line table", "build with -gline-tables-only, which leaves the code as it is");
  }
  Document out;
  set_run(*run, out);
  out.set("by", by);
  const double all = static_cast<double>(std::max<std::uint64_t>(run->executed.counts.instructions, 1));
  for (const Place& place : Division(*run, by, lines).places()) {
    const emu::InstructionCounts& counts = place.counts;
    out.rows.push_back({Value(place.name), place.instruction.empty() ? Value() : Value(place.instruction), Value(counts.executed),
                        Value(static_cast<double>(counts.executed) / all),
                        Value(static_cast<double>(counts.active_lanes) / static_cast<double>(counts.executed * emu::kLanes)),
                        Value(counts.bytes), Value(counts.transactions), Value(counts.lds_conflicts), Value(to_string(place.fidelity))});
  }
  add_fidelity_notes(run->executed, out);
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  return out;
}

Result<Document> run_counters(Context& context, const CountersArgs& args) {
  const auto run = TRY(counted_run(context, args.capture));
  Document out;
  set_run(*run, out);
  for (const emu::HardwareCounter& counter : emu::hardware_counters(run->executed)) {
    out.rows.push_back({Value(counter.name), Value(counter.value), Value(counter.modelled ? "modelled" : "exact"), Value(counter.meaning)});
  }
  if (!run->executed.modelled) out.notes.emplace_back("without the cycle model there are no counters of the caches");
  add_sample_note(run->executed, out);
  out.provenance = Provenance::modelled;
  return out;
}

Command counts_command() {
  std::vector<Column> fields = counted_run_columns();
  fields.push_back({"by", Type::string, Unit::none, "line, pc or mnemonic"});
  return Command{.path = "kernel counts",
                 .chapter = Class::capture,
                 .summary = "What an emulated run executed, by line, instruction or mnemonic.",
                 .help = "Of CAPTURE, which is run once, or of the last `kernel run`. Every executed instruction is in exactly one row. `fidelity` says how the emulator's results compare with "
                         "hardware: `exact`, or `approximate` where the last bits may differ; what it does not know ends a run. Rows come "
                         "with the most executed first, by pc in the order of the code. Without `--by`, by line where the code object has a "
                         "line table, else by mnemonic.",
                 .fields = std::move(fields),
                 .columns = {{"place", Type::string, Unit::none, "source line, address or mnemonic"},
                             {"instruction", Type::string, Unit::none, "the instruction, its class, or the function of the line", InText::whole},
                             {"executed", Type::integer, Unit::count, "times, counted once for a wave"},
                             {"share", Type::number, Unit::share, "of all instructions executed"},
                             {"lane_share", Type::number, Unit::share, "active lanes of all lanes", InText::if_room},
                             {"global_bytes", Type::integer, Unit::bytes, "loaded or stored in global memory, as the lanes asked for it", InText::if_room},
                             {"transactions", Type::integer, Unit::count, "64-byte lines touched by each global access, summed", InText::if_room},
                             {"lds_conflicts", Type::integer, Unit::cycles, "extra LDS cycles because of bank conflicts", InText::if_room},
                             {"fidelity", Type::string, Unit::none, "exact or approximate", InText::if_room}},
                 .scalar = "instructions",
                 .examples = {"kernel counts CAPTURE", "kernel counts CAPTURE --by pc"}};
}

Command counters_command() {
  return Command{.path = "kernel counters",
                 .chapter = Class::capture,
                 .summary = "What an emulated run counted, under the hardware's names.",
                 .help = "Of CAPTURE, which is run once, or of the last `kernel run`. Only counters of the same meaning are here. `exact` ones are counted; `modelled` ones come from the "
                         "cycle model's caches and bank conflicts. Run with --modelled, the default, for the caches.",
                 .fields = counted_run_columns(),
                 .columns = {{"counter", Type::string, Unit::none, "its name, summed over instances"},
                             {"value", Type::integer, Unit::count, "of the whole run"},
                             {"how", Type::string, Unit::none, "exact or modelled"},
                             {"meaning", Type::string, Unit::none, "what it counts", InText::if_room}},
                 .scalar = "instructions",
                 .examples = {"kernel counters CAPTURE"}};
}

}  // namespace

void add_kernel_count_commands(Registry& registry) {
  add(registry, command(counts_command(),
                        {arg("capture", &CountsArgs::capture, "capture to run: c1 or a folder").completes(Complete::file), option("by", &CountsArgs::by, "how to divide the run").named("WHAT").one_of({"line", "pc", "mnemonic"})}, run_counts));
  add(registry, command(counters_command(), {arg("capture", &CountersArgs::capture, "capture to run: c1 or a folder").completes(Complete::file)},
                        run_counters));
}

}  // namespace rpl
