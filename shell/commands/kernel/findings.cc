// SPDX-License-Identifier: MIT
// findings: why a recording's application and kernels, or the last run on the emulated device, took their time, what each reason is worth, and where it is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/device/findings/finding.h"
#include "engine/document/bound.h"
#include "shell/commands/diagnose/application_view.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/kernel/counted_run.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/doubts.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

using findings::Finding;

struct FindingsArgs {
  std::string of;
  std::vector<std::string> fail_on;
};

/// The id of the application among those of its kernels.
constexpr std::string_view kApplicationId = "app";

/// One finding of one kernel, or of the application.
struct Row {
  std::string id, name;
  Finding found;
  std::string confidence, next;
};

/// What is found of one kernel, or of the application.
struct Block {
  std::string id, heading, name, confidence;
  std::vector<Finding> found;
  std::vector<std::string> next = {};  ///< by finding
  double worth = 0;                    ///< of the first, of the whole span
  double weight = 0;                   ///< of a kernel: its share of the time of all
};

std::string place_of(const Row& row) {
  return row.found.where.empty() ? "" : row.found.where.front().text();
}
std::string_view says_of(const Row& row) { return info(row.found.cause).says; }
template <double findings::Worth::* end>
std::optional<double> worth_of(const Row& row) {
  return row.found.worth ? std::optional(*row.found.worth.*end) : std::nullopt;
}

constexpr auto kColumns = bound_to<Row>(
    column<&Row::id>("id", "kernel; run for the last kernel run, app for the application")
        .as(Type::id),
    column<&Row::name>("kernel", "its name in full").as(Type::kernel).never(),
    column<+[](const Row& row) { return to_string(row.found.cause); }>(
        "cause", "one of the list in docs/diagnosis.md"),
    column<&worth_of<&findings::Worth::low>>(
        "worth_low",
        "share of the kernel's time, or of the span, that would be saved, at the least")
        .in(Unit::share),
    column<&worth_of<&findings::Worth::high>>("worth_high",
                                              "and at the most, by the model; null: not priced")
        .in(Unit::share),
    column<&place_of>("where", "the line, or the instruction, that is most of it").or_null(),
    column<&says_of>("says", "what is so").if_room(),
    column<&Row::found, &Finding::remedy>("remedy", "what to do").never(),
    column<&Row::found, &Finding::assumes>("assumes", "what is ideal in the comparison").never(),
    column<&Row::found, &Finding::where>("places",
                                         "up to three: {source, instruction, address, share}")
        .never(),
    column<&Row::found, &Finding::evidence>("evidence", "numbers: {what, value, modelled}").never(),
    column<&Row::confidence>("confidence",
                             "high: the model or the recorded calls say so; medium: bounds from "
                             "counters or traces; low: nothing recorded decides")
        .never(),
    column<&Row::next>("next", "the command that says more").never());

/// Whether one of "CAUSE" or "CAUSE>SHARE" is found.
Result<bool> gate(const std::vector<std::string>& wanted, const std::vector<Row>& rows) {
  bool failed = false;
  for (const std::string& text : wanted) {
    const std::size_t at = text.find('>');
    const auto cause = findings::cause_named(text.substr(0, at));
    const auto least =
        at == std::string::npos ? std::optional(0.0) : whole_number<double>(text.substr(at + 1));
    if (!cause || !least) {
      return fail(Errc::usage,
                  fmt::format("--fail-on takes a cause and a share of the time, not '{}'", text),
                  "as --fail-on 'lds-bank-conflicts>0.1'; the causes are in docs/diagnosis.md");
    }
    for (const Row& row : rows)
      failed |= row.found.cause == *cause &&
                (at == std::string::npos || (row.found.worth && row.found.worth->high > *least));
  }
  return failed;
}

double middle(const Finding& one) {
  constexpr double kHalf = 0.5;
  return one.worth ? kHalf * (one.worth->low + one.worth->high) : 0;
}

/// Behind all that has a worth or none.
constexpr double kBehind = -1;

/// Of a kernel: a cause that leads without a price is taken for half of its time.
double promise_of(const Finding& one) {
  constexpr double kUnknown = 0.5;
  return one.worth || info(one.cause).symptom ? middle(one) : kUnknown;
}

void add_rows(const Block& block, std::vector<Row>& out) {
  for (std::size_t i = 0; i < block.found.size(); ++i)
    out.push_back({block.id, block.name, block.found[i], block.confidence,
                   i < block.next.size() ? block.next[i] : fmt::format("findings {}", block.id)});
}

bool is_capture(const Inputs& inputs, const std::string& reference) {
  return std::filesystem::exists(reference) || inputs.workspace.captures.find(reference) != nullptr;
}

/// What is found of the application; nothing where the recording has no times.
Status add_application(const Inputs& inputs, const Loaded& now, std::vector<Block>& out) {
  auto found = TRY(application_findings(inputs, now));
  if (!found) return {};
  const Presence& has = now.trace->presence();
  const auto doubts = TRY(doubts_of(inputs, now));
  Block block{std::string(kApplicationId), "app the application", "the application",
              has.api && doubts->empty() ? "high" : "low", std::move(found->all)};
  for (const Finding& one : block.found) block.next.push_back(next_for(one, *now.trace));
  // That nothing is wrong with the application, or what it does once, leads over no kernel.
  block.worth = block.found.front().worth ? middle(block.found.front()) : kBehind;
  out.push_back(std::move(block));
  return {};
}

/// Of one kernel of a recording; false where nothing is known.
bool add_kernel(DiagnosedKernel& kernel, double path, std::vector<Block>& out) {
  Block block{kernel.id, fmt::format("{} {}", kernel.id, short_name(kernel, 60)), kernel.name,
              kernel.findings ? "high" : "medium",
              kernel.findings ? kernel.findings->all : kernel.recorded};
  if (block.found.empty()) return false;
  if (!kernel.findings && !block.found.front().worth) block.confidence = "low";
  for (const Finding& one : block.found) {
    const bool decides = kernel.findings || one.worth || kernel.diagnosis.needs.empty();
    block.next.push_back(decides ? fmt::format("findings {}", kernel.id)
                                 : filled_in(kernel.diagnosis.needs.front().command, kernel));
  }
  block.weight = weight_of(kernel);
  block.worth = promise_of(block.found.front()) * block.weight * path;
  out.push_back(std::move(block));
  return true;
}

/// Whether it names neither a price nor a place: so much is true of most kernels of a long recording.
bool says_little(const Block& block) {
  return block.id != kApplicationId && std::ranges::all_of(block.found, [](const Finding& one) {
           return !one.worth && one.where.empty();
         });
}

/// The first few, each on a line of its own.
std::string names_text(const std::vector<const Block*>& blocks, std::size_t indent) {
  constexpr std::size_t kNamed = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(blocks.size(), kNamed); ++i)
    out += fmt::format("{:{}}{}\n", "", indent, blocks[i]->heading);
  if (blocks.size() > kNamed)
    out += fmt::format("{:{}}and {} more\n", "", indent, blocks.size() - kNamed);
  return out;
}

/// A cause of several kernels.
struct Shared {
  findings::Cause cause{};
  std::vector<const Block*> of = {};
  double weight = 0;  ///< of them all
};

/// What is said of several kernels, once for each cause, those of the most time first.
std::string shared_text(const std::vector<const Block*>& blocks, std::size_t width) {
  constexpr std::size_t kIndent = 4;
  constexpr double kPercent = 100;
  std::vector<Shared> causes;
  for (const Block* block : blocks) {
    for (const Finding& one : block->found) {
      auto known = std::ranges::find(causes, one.cause, &Shared::cause);
      if (known == causes.end()) known = causes.insert(known, {.cause = one.cause});
      known->of.push_back(block);
      known->weight += block->weight;
    }
  }
  std::ranges::stable_sort(causes, std::ranges::greater(), &Shared::weight);
  std::string out;
  for (const Shared& one : causes) {
    out +=
        fmt::format("    {:<28} {} kernel{}, {:.1f} % of the kernels' time\n", to_string(one.cause),
                    one.of.size(), one.of.size() == 1 ? "" : "s", kPercent * one.weight);
    out += wrapped(std::string(info(one.cause).says), kIndent, width);
    out += names_text(one.of, 2 * kIndent);
    const auto& found = one.of.front()->found;
    out += wrapped("-> " + std::ranges::find(found, one.cause, &Finding::cause)->remedy, kIndent,
                   width);
  }
  return out;
}

/// All of them; where the same is to be said of many kernels, that stands at the end once.
std::string blocks_text(const std::vector<Block>& blocks, std::size_t width) {
  constexpr std::size_t kMany = 4;
  std::vector<const Block*> little;
  for (const Block& block : blocks) {
    if (says_little(block)) little.push_back(&block);
  }
  if (little.size() < kMany) little.clear();
  std::string out;
  for (const Block& block : blocks) {
    if (!little.empty() && says_little(block)) continue;
    out += block.heading + "\n" + causes_text(block.found, width);
  }
  if (little.empty()) return out;
  out += fmt::format("{} {}kernels, of which no more than this is known\n", little.size(),
                     little.size() == blocks.size() ? "" : "other ");
  return out + shared_text(little, width);
}

/// What share of the span kernels and copies of the critical path are.
Result<double> share_of_path(const Inputs& inputs, const DiagnosedKernels& all) {
  if (!all.now || nothing_ran(*all.now->trace) || no_times(*all.now->trace)) return 1;
  const auto path = TRY(path_of(inputs, *all.now));
  return share_of(path->critical_path_ns, path->span_ns);
}

/// Of the application and the kernels of a recording.
Status add_recorded(const FindingsArgs& args, const Inputs& inputs, std::size_t width,
                    std::vector<Row>& rows, Document& out) {
  std::vector<Block> blocks;
  const bool application = args.of == kApplicationId;
  RooflineArgs wanted;
  wanted.kernel = application ? std::string() : args.of;
  DiagnosedKernels all = TRY(diagnosed(inputs, wanted));
  const bool whole = args.of.empty() || application;
  if (all.now && whole) TRY(add_application(inputs, *all.now, blocks));
  if (all.now && !nothing_ran(*all.now->trace) && !no_times(*all.now->trace)) {
    const auto doubts = TRY(doubts_of(inputs, *all.now));
    if (auto note = doubt_note(*doubts)) out.notes.push_back(std::move(*note));
  }
  const double path = TRY(share_of_path(inputs, all));
  std::vector<std::string> without;
  for (DiagnosedKernel& kernel : all.kernels) {
    if (application) break;
    if (!add_kernel(kernel, path, blocks)) without.push_back(kernel.id);
  }
  // The application leads where it is worth more than any kernel; kernels keep the order of their time.
  if (!blocks.empty() && blocks.front().id == kApplicationId) {
    const auto more = std::ranges::find_if(
        blocks, [&](const Block& other) { return other.worth > blocks.front().worth; });
    if (more != blocks.end()) std::rotate(blocks.begin(), blocks.begin() + 1, blocks.end());
  }
  out.text += blocks_text(blocks, width);
  for (const Block& block : blocks) add_rows(block, rows);
  if (without.empty()) return {};
  const auto first = std::ranges::find(all.kernels, without.front(), &DiagnosedKernel::id);
  out.notes.push_back(fmt::format("of {} kernel{} nothing was recorded that findings follow from",
                                  without.size(), without.size() == 1 ? "" : "s"));
  if (!first->diagnosis.needs.empty())
    out.notes.push_back(fmt::format("for {}, collect {}", first->id,
                                    need_text(first->diagnosis.needs.front(), *first)));
  return {};
}

Result<Document> run_findings(const FindingsArgs& args, Inputs inputs, Screen screen) {
  std::vector<Row> rows;
  Document out;
  const bool open =
      !inputs.workspace.traces().empty() || !inputs.workspace.thread_traces.all().empty();
  const bool of_capture =
      args.of.empty() ? inputs.workspace.looks_at_capture : is_capture(inputs, args.of);
  bool recorded = open && args.of != kRunId && !of_capture;
  if (recorded) {
    TRY(add_recorded(args, inputs, screen.width, rows, out));
    // A recording of a GPU says nothing here; what ran on the emulated device may.
    const bool ran =
        inputs.workspace.last_run != nullptr || !inputs.workspace.captures.all().empty();
    recorded = !(rows.empty() && args.of.empty() && ran);
    if (!recorded) out.notes.clear();
  }
  if (!recorded) {
    const auto run = TRY(counted_run(inputs, args.of == kRunId ? std::string() : args.of));
    const findings::Findings& found = *TRY(findings_of(*run));
    const Block block{std::string(kRunId), "", run->kernel, "high", found.all};
    add_rows(block, rows);
    out.text = causes_text(found.all, screen.width);
  }
  const auto without_line = [](const Row& row) {
    return !row.found.where.empty() && !row.found.where.front().what &&
           row.found.where.front().source.empty();
  };
  const bool has_lines = std::ranges::none_of(rows, without_line);
  if (!has_lines)
    out.notes.emplace_back(
        "the code has no line table, so places are instructions; build it with "
        "--flag=-gline-tables-only for lines");
  out.table(kColumns, rows);
  const bool of_gpu = recorded && !inputs.workspace.traces().empty() &&
                      !TRY(loaded(inputs)).trace->presence().modelled;
  out.provenance = of_gpu ? Provenance::estimated : Provenance::modelled;
  if (recorded && !inputs.workspace.traces().empty()) {
    if (const auto why = nothing_ran(*TRY(loaded(inputs)).trace)) out.notes.push_back(*why);
  }
  const bool is_last =
      args.of == kRunId || (args.of.empty() && inputs.workspace.last_run != nullptr);
  if (recorded)
    out.next = {"headroom", "advise"};
  else if (is_last)
    out.next = {has_lines ? "list" : "disassemble", "headroom run"};
  else
    out.next = {fmt::format("kernel counts {}{}--by {}", args.of, args.of.empty() ? "" : " ",
                            has_lines ? "line" : "pc")};
  out.exit_code = TRY(gate(args.fail_on, rows)) ? kGateNotPassed : 0;
  return out;
}

Command definition() {
  return {.path = "findings",
          .does = kKeeps,
          .chapter = Class::analysis,
          .summary = "Why it takes its time: causes, places, and what each is worth.",
          .help =
              "Of the application and the kernels of a recording, of `app` or one kernel alone; of "
              "a capture, which is run once; or of the last `kernel run` with the cycle model. The "
              "application's timeline is scheduled again without one cause at a time, and the "
              "launches of the emulated device are timed again with one mechanism ideal at a time; "
              "the difference is what a cause is worth, a share of the span or of the kernel's "
              "time. For kernels that a GPU ran, counters, thread traces and machine code are "
              "evidence, and bound the worth. The worth of several does not add up: they may hide "
              "one another. docs/diagnosis.md has the causes. `--fail-on` ends with exit status 3.",
          .columns = described(kColumns),
          .scalar = "cause",
          .examples = {"findings CAPTURE", "findings CAPTURE --fail-on 'lds-bank-conflicts>0.1'"}};
}

}  // namespace

void add_findings_command(Registry& registry) {
  add(registry,
      command(definition(),
              {arg("kernel", &FindingsArgs::of,
                   "a kernel of the recording, app, a capture (c1 or a folder), or run")
                   .completes(Complete::kernel),
               option("fail-on", &FindingsArgs::fail_on,
                      "a cause, or a cause worth more than a share: CAUSE>SHARE; may be repeated")
                   .named("CAUSE")},
              run_findings));
}

}  // namespace rpl
