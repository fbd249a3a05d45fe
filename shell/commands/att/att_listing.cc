// SPDX-License-Identifier: MIT
// att lines and att insts: cycles beside source lines and beside the disassembly.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

using att::Cost;
using att::Samples;

/// The reason most non-issued samples had; none without.
std::optional<std::string_view> main_reason(const Samples& samples) {
  const auto most = std::ranges::max_element(samples.reasons);
  if (*most == 0) return std::nullopt;
  return att::stall_reason_name(static_cast<std::size_t>(most - samples.reasons.begin()));
}
std::optional<double> stall_pct(const Cost& cost) { return att::percent(cost.stall, cost.latency); }
std::optional<double> cycles_each(const Cost& cost) {
  return att::percent(static_cast<double>(cost.latency) / 100, static_cast<double>(cost.hits));
}

/// What a line or an instruction cost.
struct Listed {
  Cost cost;
  std::optional<double> latency_pct;
  std::optional<Samples> samples;  ///< none of a trace without
};

Listed listed(const att::CodeTable& code, const HeatScale& scale, const Cost& cost,
              const Samples& samples) {
  Listed out{cost, {}, {}};
  if (code.timed) out.latency_pct = scale.share(cost, samples);
  if (!code.samples.empty()) out.samples = samples;
  return out;
}

constexpr auto kListedColumns = bound_to<Listed>(
    column<&Listed::cost, &Cost::hits>("hits", "executions"),
    cycles<&Listed::cost, &Cost::latency>("latency", "wave-cycles, stall included"),
    cycles<&Listed::cost, &Cost::stall>("stall", "of these, in which it could not issue"),
    cycles<&Listed::cost, &Cost::idle>("idle", "gaps before the first attempt"),
    column<&Listed::latency_pct>("latency_pct", "of the latency of all instructions"),
    column<&Listed::cost, &stall_pct>("stall_pct", "stall / latency"));

struct LineRow {
  Listed listed;
  const att::LineCost* line = nullptr;
  std::string text;

  [[nodiscard]] std::optional<std::int64_t> number() const {
    return line->place.file.empty() ? std::nullopt : std::optional(line->place.line);
  }
  [[nodiscard]] std::uint64_t instructions() const { return line->rows.size(); }
};
using att::LineCost;
constexpr auto kLineColumns = bound_to<LineRow>(
    column<&LineRow::line, &LineCost::place, &att::Place::file>(
        "file", "as the debug information names it; null without")
        .or_null(),
    unitless<&LineRow::number>("line", "in the file"), through<kListedColumns, &LineRow::listed>(),
    column<&LineRow::instructions>("instructions", "of the listing that belong to it"),
    column<&LineRow::listed, &Listed::samples, &Samples::count>("samples",
                                                                "PC samples; null without"),
    column<&LineRow::listed, &Listed::samples, &issued_pct>("samples_issued_pct",
                                                            "samples in which the wave issued"),
    column<&LineRow::listed, &Listed::samples, &main_reason>("main_reason",
                                                             "why most others did not"),
    column<&LineRow::text>("text", "the line, from the copy in the trace").or_null(),
    column<&LineRow::line, &LineCost::chains>(
        "chains", "inlined chains through it, innermost first; at most 4"));

constexpr auto kLinesField =
    bound_to<std::uint64_t>(column<&att::itself>("lines", "source lines with instructions"));

struct AttLinesArgs {
  std::string att, inlining = "leaf", file;
  std::int64_t top = 20;
};

Result<Document> att_lines(const AttLinesArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const HeatScale scale(trace.code);
  auto lines = att::lines_of(trace.code, inlining_of(args.inlining));
  if (!args.file.empty()) {
    std::erase_if(lines, [&](const auto& line) {
      return line.place.file.find(args.file) == std::string::npos;
    });
    if (lines.empty())
      return fail(Errc::not_found, fmt::format("no line of a file '{}'", args.file),
                  "'att lines --top 0' lists all");
    std::ranges::sort(lines, {}, &att::LineCost::place);
  }
  const std::size_t all = lines.size();
  if (args.top > 0 && args.file.empty())
    lines.resize(std::min(all, static_cast<std::size_t>(args.top)));
  SourceLines sources(trace);
  std::vector<LineRow> rows;
  for (const LineCost& line : lines)
    rows.push_back(
        {listed(trace.code, scale, line.cost, line.samples), &line, sources.text(line.place)});
  Document out;
  out.put(kAttId, *entry);
  out.put(kLinesField, std::uint64_t{all});
  out.table(kLineColumns, rows);
  if (rows.size() < all) out.total_rows = all;
  out.text = one_line(entry) + "\n" +
             lines_text(lines, scale, sources, args.inlining == "caller" ? "inlines" : "inlined in",
                        screen);
  if (out.rows.size() < all)
    out.text += fmt::format("({} of {} lines; --top 0 shows all, --file NAME one file in order)\n",
                            out.rows.size(), all);
  out.provenance = provenance_of(trace);
  out.next = {"att insts", "att waits", "att summary"};
  return out;
}

struct InstRow {
  const att::Instruction* row = nullptr;
  Listed listed;
  std::optional<std::vector<std::int64_t>> waits;
};
using att::Instruction;
constexpr auto kInstColumns = bound_to<InstRow>(
    unitless<&InstRow::row, &Instruction::line>(
        "line", "number in the listing, by which wave files name it"),
    column<&InstRow::row, &Instruction::address>("address", "virtual address in the code object")
        .as(Type::address),
    unitless<&InstRow::row, &Instruction::code_object>("code_object", "its load id"),
    column<&InstRow::row, &Instruction::text>("text", "disassembly"),
    column<&InstRow::row, &Instruction::traits, &att::Traits::category>("pipe",
                                                                        "where it executes"),
    through<kListedColumns, &InstRow::listed>(),
    unitless<&InstRow::listed, &Listed::cost, &cycles_each>("cycles_each", "latency / hits"),
    column<&InstRow::listed, &Listed::samples, &Samples::count>("samples",
                                                                "PC samples; null without"),
    column<&InstRow::listed, &Listed::samples, &Samples::issued>(
        "samples_issued", "samples in which the wave issued"),
    column<&InstRow::listed, &Listed::samples, &main_reason>("main_reason",
                                                             "why most others did not"),
    column<&InstRow::waits>("waits_for", "with --waits: lines of what this wait waited for"),
    column<&InstRow::row, &Instruction::source>("source",
                                                "file:line, or the inlined chain, innermost first")
        .or_null());

constexpr auto kInstsField =
    bound_to<std::uint64_t>(column<&att::itself>("instructions", "of the listing"));

struct AttInstsArgs {
  std::string att, line;
  std::int64_t top = 0;
  bool all = false, waits = false;
};

/// Whether an instruction comes from a line, "k.hip:19" or 19 of any file, or was inlined there.
Result<std::function<bool(const Instruction&)>> of_line(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string file = colon == std::string::npos ? "" : text.substr(0, colon);
  const auto number = whole_number<std::int64_t>(colon == std::string::npos
                                                     ? std::string_view(text)
                                                     : std::string_view(text).substr(colon + 1));
  if (!number)
    return fail(Errc::usage, fmt::format("'{}' is not a line", text),
                "--line FILE:LINE, or --line 19");
  return [file, line = *number](const Instruction& row) {
    return std::ranges::any_of(att::chain_of(row.source), [&](const att::Place& place) {
      return place.line == line &&
             (file.empty() || att::file_name_of(place.file) == file || place.file == file);
    });
  };
}

Result<Document> att_insts(const AttInstsArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const att::CodeTable& code = trace.code;
  std::shared_ptr<const att::WaveFacts> facts;
  if (args.waits && !trace.manifest.waves.empty()) facts = TRY(wave_facts_of(inputs, entry));
  const auto waits = waited_for(trace, facts.get());
  const HeatScale scale(code);
  std::vector<std::uint32_t> order = insts_order(code, args.top);
  if (!args.line.empty()) {
    const auto wanted = TRY(of_line(args.line));
    std::erase_if(order,
                  [&](std::uint32_t at) { return code.rows[at].label || !wanted(code.rows[at]); });
    if (order.empty())
      return fail(Errc::not_found, fmt::format("no instruction comes from {}", args.line),
                  "'att lines' lists the lines that have some");
  }
  const bool whole = args.all || args.top > 0 || !args.line.empty();
  std::vector<InstRow> rows;
  for (const std::uint32_t at : order) {
    const Instruction& row = code.rows[at];
    if (row.label) continue;
    rows.push_back({&row, listed(code, scale, cost_of_row(row), samples_of_row(code, at)), {}});
    if (facts) rows.back().waits = waits[at];
  }
  const auto instructions =
      static_cast<std::uint64_t>(std::ranges::count(code.rows, false, &Instruction::label));
  Document out;
  out.put(kAttId, *entry);
  out.put(kInstsField, instructions);
  out.table(kInstColumns, rows);
  if (args.top > 0 && out.rows.size() < instructions) out.total_rows = instructions;
  out.text = one_line(entry) + "\n" + insts_text(trace, order, whole, waits, scale, screen);
  if (!whole) out.text += "(below 0.5 % each left out; --all shows them, --top 10 the hottest)\n";
  out.provenance = provenance_of(trace);
  out.next = {"att waits", "att lines", "att summary"};
  return out;
}

}  // namespace

void add_att_listing_commands(Registry& registry) {
  add(registry,
      command(Command{.path = "att lines",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Show source lines by the cycles of their instructions.",
                      .help = "An instruction of an inlined function counts for the line where it "
                              "was written (`--inlining leaf`), for the line "
                              "of the kernel that led there (`caller`), or for every line of the "
                              "chain (`all`: sums then exceed the total). The bar is the "
                              "share of all latency, its dark part stall. `--file` shows the lines "
                              "of one file in order.",
                      .fields = described({kAttId, kLinesField}),
                      .columns = described(kLineColumns),
                      .scalar = "line",
                      .examples = {"att lines ATT", "att lines ATT --inlining caller --top 5"}},
              {arg("att", &AttLinesArgs::att, "thread trace; the current one without")
                   .completes(Complete::file),
               option("inlining", &AttLinesArgs::inlining, "which line of an inlined chain counts")
                   .one_of({"leaf", "caller", "all"}),
               option("file", &AttLinesArgs::file, "only files whose path contains this, in order"),
               option("top", &AttLinesArgs::top, "lines to show; 0 shows all").in(at_least(0))},
              att_lines));
  add(registry,
      command(
          Command{.path = "att insts",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show the disassembly with executions and stalls.",
                  .help =
                      "In the order of the code; what costs below 0.5 % each is left out in "
                      "text unless `--all` is given. `--top N` "
                      "shows the N instructions with most latency, `--line k.hip:19` those of a "
                      "source line and what was inlined there. `--waits` reads the wave "
                      "files and names behind each wait the lines that it waited "
                      "for. `each` is the mean latency of an execution.",
                  .fields = described({kAttId, kInstsField}),
                  .columns = described(kInstColumns),
                  .scalar = "text",
                  .examples = {"att insts ATT", "att insts ATT --top 3", "att insts ATT --waits",
                               "att insts ATT --line 19"}},
          {arg("att", &AttInstsArgs::att, "thread trace; the current one without")
               .completes(Complete::file),
           option("top", &AttInstsArgs::top, "the N with most latency; 0 shows the code in order")
               .in(at_least(0)),
           option("line", &AttInstsArgs::line, "those of a source line: FILE:LINE, or LINE"),
           flag("all", &AttInstsArgs::all, "leave nothing out of the text"),
           flag("waits", &AttInstsArgs::waits, "name what each wait waited for")},
          att_insts));
}

}  // namespace rpl
