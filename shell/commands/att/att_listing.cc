// SPDX-License-Identifier: MIT
// att lines and att insts: cycles beside source lines and beside the disassembly.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text_layout.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

Value pct_value(double part, double whole) {
  const auto pct = att::percent(part, whole);
  return pct ? Value(*pct) : Value();
}

/// The reason most non-issued samples had; null without.
Value main_reason(const att::Samples& samples) {
  const auto most = std::ranges::max_element(samples.reasons);
  if (*most == 0) return {};
  return Value(att::stall_reason_name(static_cast<std::size_t>(most - samples.reasons.begin())));
}

struct AttLinesArgs {
  std::string att, inlining = "leaf", file;
  std::int64_t top = 20;
};

Result<Document> att_lines(Context& context, const AttLinesArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
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
  Document out;
  out.set("id", entry->id);
  out.set("lines", std::uint64_t{all});
  const bool sampled = !trace.code.samples.empty();
  for (const att::LineCost& line : lines) {
    const std::string& text = sources.text(line.place);
    List chains;
    for (const std::string& chain : line.chains) chains.emplace_back(chain);
    out.rows.push_back(
        {line.place.file.empty() ? Value() : Value(line.place.file),
         line.place.file.empty() ? Value() : Value(line.place.line), Value(line.cost.hits),
         Value(line.cost.latency), Value(line.cost.stall), Value(line.cost.idle),
         trace.code.timed ? Value(scale.share(line.cost, line.samples)) : Value(),
         pct_value(static_cast<double>(line.cost.stall), static_cast<double>(line.cost.latency)),
         Value(std::uint64_t{line.rows.size()}), sampled ? Value(line.samples.count()) : Value(),
         sampled ? pct_value(static_cast<double>(line.samples.issued),
                             static_cast<double>(line.samples.count()))
                 : Value(),
         main_reason(line.samples), text.empty() ? Value() : Value(text),
         Value(std::move(chains))});
  }
  if (out.rows.size() < all) out.total_rows = all;
  out.text = one_line(entry) + "\n" +
             lines_text(lines, scale, sources, args.inlining == "caller" ? "inlines" : "inlined in",
                        canvas_of(context));
  if (out.rows.size() < all)
    out.text += fmt::format("({} of {} lines; --top 0 shows all, --file NAME one file in order)\n",
                            out.rows.size(), all);
  out.provenance = provenance_of(trace);
  out.next = {"att insts", "att waits", "att summary"};
  return out;
}

struct AttInstsArgs {
  std::string att;
  std::int64_t top = 0;
  bool all = false, waits = false;
};

Result<Document> att_insts(Context& context, const AttInstsArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const att::CodeTable& code = trace.code;
  std::shared_ptr<const att::WaveFacts> facts;
  if (args.waits && !trace.manifest.waves.empty()) facts = TRY(wave_facts_of(context, entry));
  const auto waits = waited_for(trace, facts.get());
  const HeatScale scale(code);
  const std::vector<std::uint32_t> order = insts_order(code, args.top);
  const bool sampled = !code.samples.empty();
  Document out;
  out.set("id", entry->id);
  std::uint64_t instructions = 0;
  for (const att::Instruction& row : code.rows) instructions += row.label ? 0 : 1;
  out.set("instructions", instructions);
  for (const std::uint32_t at : order) {
    const att::Instruction& row = code.rows[at];
    if (row.label) continue;
    const att::Samples samples = sampled ? code.samples[at] : att::Samples();
    List lines;
    for (const std::int64_t line : waits[at]) lines.emplace_back(line);
    out.rows.push_back(
        {Value(row.line), Value(hex(row.address)), Value(row.code_object), Value(row.text),
         Value(to_string(row.traits.category)), Value(row.hit), Value(row.latency),
         Value(row.stall), Value(row.idle),
         code.timed
             ? Value(scale.share(
                   {.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle},
                   samples))
             : Value(),
         pct_value(static_cast<double>(row.stall), static_cast<double>(row.latency)),
         pct_value(static_cast<double>(row.latency) / 100, static_cast<double>(row.hit)),
         sampled ? Value(samples.count()) : Value(), sampled ? Value(samples.issued) : Value(),
         main_reason(samples), facts ? Value(std::move(lines)) : Value(),
         row.source.empty() ? Value() : Value(row.source)});
  }
  if (args.top > 0 && out.rows.size() < instructions) out.total_rows = instructions;
  out.text = one_line(entry) + "\n" +
             insts_text(trace, order, args.all || args.top > 0, waits, scale, canvas_of(context));
  if (!args.all && args.top == 0)
    out.text += "(below 0.5 % each left out; --all shows them, --top 10 the hottest)\n";
  out.provenance = provenance_of(trace);
  out.next = {"att waits", "att lines", "att summary"};
  return out;
}

std::vector<Column> listing_columns(bool lines) {
  std::vector<Column> columns;
  if (lines) {
    columns = {
        {"file", Type::string, Unit::none, "as the debug information names it; null without"},
        {"line", Type::integer, Unit::none, "in the file"}};
  } else {
    columns = {
        {"line", Type::integer, Unit::none, "number in the listing, by which wave files name it"},
        {"address", Type::address, Unit::none, "virtual address in the code object"},
        {"code_object", Type::integer, Unit::none, "its load id"},
        {"text", Type::string, Unit::none, "disassembly"},
        {"pipe", Type::string, Unit::none, "where it executes"}};
  }
  columns.insert(columns.end(),
                 {{"hits", Type::integer, Unit::count, "executions"},
                  {"latency", Type::integer, Unit::cycles, "wave-cycles, stall included"},
                  {"stall", Type::integer, Unit::cycles, "of these, in which it could not issue"},
                  {"idle", Type::integer, Unit::cycles, "gaps before the first attempt"},
                  {"latency_pct", Type::number, Unit::pct, "of the latency of all instructions"},
                  {"stall_pct", Type::number, Unit::pct, "stall / latency"}});
  if (lines)
    columns.push_back(
        {"instructions", Type::integer, Unit::count, "of the listing that belong to it"});
  if (!lines) columns.push_back({"cycles_each", Type::number, Unit::none, "latency / hits"});
  columns.push_back({"samples", Type::integer, Unit::count, "PC samples; null without"});
  if (lines)
    columns.push_back(
        {"samples_issued_pct", Type::number, Unit::pct, "samples in which the wave issued"});
  if (!lines)
    columns.push_back(
        {"samples_issued", Type::integer, Unit::count, "samples in which the wave issued"});
  columns.push_back({"main_reason", Type::string, Unit::none, "why most others did not"});
  if (lines) {
    columns.push_back({"text", Type::string, Unit::none, "the line, from the copy in the trace"});
    columns.push_back({"chains", Type::strings, Unit::none,
                       "inlined chains through it, innermost first; at most 4"});
  } else {
    columns.push_back(
        {"waits_for", Type::any, Unit::none, "with --waits: lines of what this wait waited for"});
    columns.push_back(
        {"source", Type::string, Unit::none, "file:line, or the inlined chain, innermost first"});
  }
  return columns;
}

}  // namespace

void add_att_listing_commands(Registry& registry) {
  const Column id{"id", Type::id, Unit::none, "name of the trace in this session"};
  add(registry,
      command(Command{.path = "att lines",
                      .chapter = Class::analysis,
                      .summary = "Show source lines by the cycles of their instructions.",
                      .help = "An instruction of an inlined function counts for the line where it "
                              "was written (`--inlining leaf`), for the line "
                              "of the kernel that led there (`caller`), or for every line of the "
                              "chain (`all`: sums then exceed the total). The bar is the "
                              "share of all latency, its dark part stall. `--file` shows the lines "
                              "of one file in order.",
                      .fields = {id,
                                 {"lines", Type::integer, Unit::count,
                                  "source lines with instructions"}},
                      .columns = listing_columns(true),
                      .scalar = "line",
                      .examples = {"att lines ATT", "att lines ATT --inlining caller --top 5"}},
              {arg("att", &AttLinesArgs::att, "thread trace; the current one without")
                   .completes(Complete::file),
               option("inlining", &AttLinesArgs::inlining, "which line of an inlined chain counts")
                   .one_of({"leaf", "caller", "all"}),
               option("file", &AttLinesArgs::file, "only files whose path contains this, in order"),
               option("top", &AttLinesArgs::top, "lines to show; 0 shows all")},
              att_lines));
  add(registry,
      command(
          Command{.path = "att insts",
                  .chapter = Class::analysis,
                  .summary = "Show the disassembly with executions and stalls.",
                  .help = "In the order of the code; what costs below 0.5 % each is left out in "
                          "text unless `--all` is given. `--top N` "
                          "shows the N instructions with most latency. `--waits` reads the wave "
                          "files and names behind each wait the lines that it waited "
                          "for. `each` is the mean latency of an execution.",
                  .fields = {id, {"instructions", Type::integer, Unit::count, "of the listing"}},
                  .columns = listing_columns(false),
                  .scalar = "text",
                  .examples = {"att insts ATT", "att insts ATT --top 3", "att insts ATT --waits"}},
          {arg("att", &AttInstsArgs::att, "thread trace; the current one without")
               .completes(Complete::file),
           option("top", &AttInstsArgs::top, "the N with most latency; 0 shows the code in order"),
           flag("all", &AttInstsArgs::all, "leave nothing out of the text"),
           flag("waits", &AttInstsArgs::waits, "name what each wait waited for")},
          att_insts));
}

}  // namespace rpl
