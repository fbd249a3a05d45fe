// SPDX-License-Identifier: MIT
// findings: why the last run on the emulated device took its time, what each reason is worth, and where it is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/device/findings/finding.h"
#include "engine/document/bound.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/commands/kernel/counted_run.h"
#include "shell/core/command/define.h"
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

/// One finding of one kernel.
struct Row {
  std::string id, name;
  Finding found;
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
    column<&Row::id>("id", "kernel; run for the last kernel run").as(Type::id),
    column<&Row::name>("kernel", "its name in full").as(Type::kernel).never(),
    column<+[](const Row& row) { return to_string(row.found.cause); }>(
        "cause", "one of the list in docs/diagnosis.md"),
    column<&worth_of<&findings::Worth::low>>(
        "worth_low", "share of the kernel's time that would be saved, at the least")
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
    column<&Row::found, &Finding::evidence>("evidence", "numbers: {what, value, modelled}")
        .never());

constexpr int kGateNotPassed = 3;

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

void add_rows(const std::string& id, const std::string& name, const findings::Findings& found,
              std::vector<Row>& out) {
  for (const Finding& one : found.all) out.push_back({id, name, one});
}

bool is_capture(const Inputs& inputs, const std::string& reference) {
  return std::filesystem::exists(reference) || inputs.workspace.captures.find(reference) != nullptr;
}

/// Of the kernels of a recording of the emulated device.
Status add_recorded(const FindingsArgs& args, const Inputs& inputs, std::size_t width,
                    std::vector<Row>& rows, Document& out) {
  RooflineArgs wanted;
  wanted.kernel = args.of;
  const DiagnosedKernels all = TRY(diagnosed(inputs, wanted));
  std::size_t without = 0;
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (!kernel.findings) {
      ++without;
      continue;
    }
    out.text += fmt::format("{} {}\n{}", kernel.id, short_name(kernel, 60),
                            causes_text(*kernel.findings, width));
    add_rows(kernel.id, kernel.name, *kernel.findings, rows);
  }
  if (without > 0) {
    out.notes.push_back(
        fmt::format("of {} kernels nothing was kept that findings follow from; 'classify' says "
                    "what their counters and traces show, "
                    "'profile -- ./app' records on the emulated device",
                    without));
  }
  return {};
}

Result<Document> run_findings(const FindingsArgs& args, Inputs inputs, Screen screen) {
  std::vector<Row> rows;
  Document out;
  bool recorded = !inputs.workspace.traces().empty() && args.of != kRunId &&
                  !(!args.of.empty() && is_capture(inputs, args.of));
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
    add_rows(std::string(kRunId), run->kernel, found, rows);
    out.text = causes_text(found, screen.width);
  }
  const auto without_line = [](const Row& row) {
    return !row.found.where.empty() && row.found.where.front().source.empty();
  };
  const bool has_lines = std::ranges::none_of(rows, without_line);
  if (!has_lines)
    out.notes.emplace_back(
        "the code has no line table, so places are instructions; build it with "
        "--flag=-gline-tables-only for lines");
  out.table(kColumns, rows);
  out.provenance = Provenance::modelled;
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
          .summary = "Why kernels take their time: causes, places, and what each is worth.",
          .help =
              "Of the kernels of a recording of the emulated device, or one of them; of a capture, "
              "which is run once; or of the last `kernel run` with the cycle model. The launch is "
              "timed again with one mechanism ideal at a time (accesses coalesced, no bank "
              "conflicts, no barriers, …); the difference is what a cause is worth, a share of the "
              "kernel's time. The worth of several does not add up: they may hide one another. "
              "docs/diagnosis.md has the causes. `--fail-on` ends with exit status 3.",
          .columns = described(kColumns),
          .scalar = "cause",
          .examples = {"findings CAPTURE", "findings CAPTURE --fail-on 'lds-bank-conflicts>0.1'"}};
}

}  // namespace

void add_findings_command(Registry& registry) {
  add(registry,
      command(definition(),
              {arg("kernel", &FindingsArgs::of,
                   "a kernel of the recording, a capture (c1 or a folder), or run")
                   .completes(Complete::kernel),
               option("fail-on", &FindingsArgs::fail_on,
                      "a cause, or a cause worth more than a share: CAUSE>SHARE; may be repeated")
                   .named("CAUSE")},
              run_findings));
}

}  // namespace rpl
