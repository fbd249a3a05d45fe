// SPDX-License-Identifier: MIT
// att lines and att insts: cycles beside source lines and beside the disassembly.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "engine/base/units.h"
#include "shell/command/define.h"
#include "shell/commands/att_view.h"
#include "shell/commands/families.h"
#include "shell/commands/loaded.h"
#include "shell/commands/opened.h"
#include "shell/render/names.h"

namespace rpl {
namespace {

/// What shares are of: cycles where they were recorded, else samples.
struct HeatScale {
  bool samples = false;
  double whole = 0;

  explicit HeatScale(const att::CodeTable& code) : samples(!code.timed) {
    for (std::size_t i = 0; i < code.rows.size(); ++i)
      whole += samples ? static_cast<double>(code.samples[i].count()) : static_cast<double>(code.rows[i].latency);
  }
  [[nodiscard]] double share(const att::Cost& cost, const att::Samples& sampled) const {
    const auto part = static_cast<double>(samples ? sampled.count() : cost.latency);
    return att::percent(part, whole).value_or(0);
  }
  [[nodiscard]] double stalled(const att::Cost& cost, const att::Samples& sampled) const {
    return samples ? att::percent(static_cast<double>(sampled.stalled), static_cast<double>(sampled.count())).value_or(0)
                   : att::percent(static_cast<double>(cost.stall), static_cast<double>(cost.latency)).value_or(0);
  }
};

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

std::string place_text(const att::Place& place) {
  if (place.file.empty()) return "(no source)";
  return fmt::format("{}:{}", att::file_name_of(place.file), place.line);
}

struct AttLinesArgs {
  std::string att, inlining = "leaf", file;
  std::int64_t top = 20;
};

att::Inlining inlining_of(const std::string& word) {
  return word == "all" ? att::Inlining::all : word == "caller" ? att::Inlining::caller : att::Inlining::leaf;
}

/// The rest of the chain, outwards: "rowsum.hip:19".
std::string callers_text(const att::LineCost& line) {
  std::set<std::string> callers;
  for (const std::string& chain : line.chains) {
    std::vector<std::string> names;
    for (const att::Place& place : att::chain_of(chain)) {
      if (place != line.place) names.push_back(place_text(place));
    }
    callers.insert(fmt::format("{}", fmt::join(names, " <- ")));
  }
  return fmt::format("{}", fmt::join(callers, ", "));
}

std::string lines_text(const std::vector<att::LineCost>& lines, const HeatScale& scale, SourceLines& sources,
                       std::string_view relation, const Canvas& canvas) {
  std::size_t places = 8;
  double most = 0;
  for (const att::LineCost& line : lines) {
    places = std::max(places, place_text(line.place).size());
    most = std::max(most, scale.share(line.cost, line.samples));
  }
  places = std::min<std::size_t>(places, canvas.width / 4);
  const std::size_t rest = canvas.width > heat_width(canvas) + places + 12 ? canvas.width - heat_width(canvas) - places - 2 : 10;
  std::string text = heat_header(scale.samples, canvas) + fmt::format("{:<{}}  source\n", "line", places);
  for (const att::LineCost& line : lines) {
    std::string shown = heat_cells(scale.share(line.cost, line.samples), scale.stalled(line.cost, line.samples), most, canvas);
    shown += fmt::format("{}  {}", fitted(place_text(line.place), places), elide_middle(sources.text(line.place), rest));
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
    const std::string callers = callers_text(line);
    if (!callers.empty())
      text += std::string(heat_width(canvas), ' ') + elide_middle(fmt::format("  {} {}", relation, callers), places + rest) + "\n";
  }
  return text;
}

Result<Document> att_lines(Context& context, const AttLinesArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const HeatScale scale(trace.code);
  auto lines = att::lines_of(trace.code, inlining_of(args.inlining));
  if (!args.file.empty()) {
    std::erase_if(lines, [&](const auto& line) { return line.place.file.find(args.file) == std::string::npos; });
    if (lines.empty()) return fail(Errc::not_found, fmt::format("no line of a file '{}'", args.file), "'att lines --top 0' lists all");
    std::ranges::sort(lines, {}, &att::LineCost::place);
  }
  const std::size_t all = lines.size();
  if (args.top > 0 && args.file.empty()) lines.resize(std::min(all, static_cast<std::size_t>(args.top)));
  SourceLines sources(trace);
  Document out;
  out.set("id", entry->id);
  out.set("lines", std::uint64_t{all});
  const bool sampled = !trace.code.samples.empty();
  for (const att::LineCost& line : lines) {
    const std::string& text = sources.text(line.place);
    List chains;
    for (const std::string& chain : line.chains) chains.emplace_back(chain);
    out.rows.push_back({line.place.file.empty() ? Value() : Value(line.place.file),
                        line.place.file.empty() ? Value() : Value(line.place.line), Value(line.cost.hits),
                        Value(line.cost.latency), Value(line.cost.stall), Value(line.cost.idle),
                        trace.code.timed ? Value(scale.share(line.cost, line.samples)) : Value(),
                        pct_value(static_cast<double>(line.cost.stall), static_cast<double>(line.cost.latency)),
                        Value(std::uint64_t{line.rows.size()}), sampled ? Value(line.samples.count()) : Value(),
                        sampled ? pct_value(static_cast<double>(line.samples.issued), static_cast<double>(line.samples.count())) : Value(),
                        main_reason(line.samples), text.empty() ? Value() : Value(text), Value(std::move(chains))});
  }
  if (out.rows.size() < all) out.total_rows = all;
  out.text = one_line(entry) + "\n" + lines_text(lines, scale, sources, args.inlining == "caller" ? "inlines" : "inlined in", canvas_of(context));
  if (out.rows.size() < all)
    out.text += fmt::format("({} of {} lines; --top 0 shows all, --file NAME one file in order)\n", out.rows.size(), all);
  out.provenance = Provenance::recorded;
  out.next = {"att insts", "att waits", "att summary"};
  return out;
}

struct AttInstsArgs {
  std::string att;
  std::int64_t top = 0;
  bool all = false, waits = false;
};

/// For each wait row, the listing numbers of what it waited for.
std::vector<std::vector<std::int64_t>> waited_for(const att::ThreadTrace& trace, const att::WaveFacts* facts) {
  std::vector<std::vector<std::int64_t>> out(trace.code.rows.size());
  if (!facts) return out;
  for (const att::WaitPair& pair : facts->pairs) out[pair.wait_row].push_back(trace.code.rows[pair.row].line);
  return out;
}

std::string insts_text(const att::ThreadTrace& trace, const std::vector<std::uint32_t>& order, bool all,
                       const std::vector<std::vector<std::int64_t>>& waits, const HeatScale& scale, const Canvas& canvas) {
  constexpr double kWarm = 0.5;
  const att::CodeTable& code = trace.code;
  const auto samples_of = [&](std::uint32_t at) { return code.samples.empty() ? att::Samples() : code.samples[at]; };
  const auto cost_of = [&](std::uint32_t at) {
    const att::Instruction& row = code.rows[at];
    return att::Cost{.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
  };
  double most = 0;
  for (const std::uint32_t at : order) most = std::max(most, scale.share(cost_of(at), samples_of(at)));
  const bool hits = !scale.samples;
  std::string text = heat_header(scale.samples, canvas) + (hits ? fmt::format("{:>9} {:>7} ", "executed", "each") : "") + "  line  instruction\n";
  const std::size_t taken = heat_width(canvas) + (hits ? 18 : 0) + 8;
  const std::size_t rest = canvas.width > taken + 20 ? canvas.width - taken : 20;
  std::size_t left_out = 0;
  double cold = 0;
  const auto say_cold = [&] {
    if (left_out > 0) text += fmt::format("{:>8}  ({} instruction{}, {:.2f} %)\n", "..", left_out, left_out == 1 ? "" : "s", cold);
    left_out = 0;
    cold = 0;
  };
  for (const std::uint32_t at : order) {
    const att::Instruction& row = code.rows[at];
    const double share = scale.share(cost_of(at), samples_of(at));
    if (row.label) {
      say_cold();
      text += elide_middle(short_kernel(code.function_of(at)) + ":", canvas.width) + "\n";
      continue;
    }
    if (!all && share < kWarm) {
      ++left_out;
      cold += share;
      continue;
    }
    say_cold();
    text += heat_cells(share, scale.stalled(cost_of(at), samples_of(at)), most, canvas);
    if (hits && row.hit > 0) {
      text += fmt::format("{:>9} {:>7.1f} ", format_count(row.hit), static_cast<double>(row.latency) / static_cast<double>(row.hit));
    } else if (hits) {
      text += std::string(18, ' ');
    }
    std::string shown = row.text;
    if (!waits[at].empty()) shown += fmt::format("  <- {}", fmt::join(waits[at], ", "));
    text += fmt::format("{:>6}  {}\n", row.line, elide_middle(shown, rest));
  }
  say_cold();
  return text;
}

Result<Document> att_insts(Context& context, const AttInstsArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  const att::CodeTable& code = trace.code;
  std::shared_ptr<const att::WaveFacts> facts;
  if (args.waits && !trace.manifest.waves.empty()) facts = TRY(wave_facts_of(context, entry));
  const auto waits = waited_for(trace, facts.get());
  const HeatScale scale(code);
  std::vector<std::uint32_t> order;
  for (std::uint32_t at = 0; at < code.rows.size(); ++at) order.push_back(at);
  const bool sampled = !code.samples.empty();
  if (args.top > 0) {
    std::erase_if(order, [&](std::uint32_t at) { return code.rows[at].label; });
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return scale.samples ? code.samples[a].count() > code.samples[b].count() : code.rows[a].latency > code.rows[b].latency;
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(args.top)));
  }
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
        {Value(row.line), Value(hex(row.address)), Value(row.code_object), Value(row.text), Value(to_string(row.traits.category)),
         Value(row.hit), Value(row.latency), Value(row.stall), Value(row.idle),
         code.timed ? Value(scale.share({.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle}, samples)) : Value(),
         pct_value(static_cast<double>(row.stall), static_cast<double>(row.latency)),
         pct_value(static_cast<double>(row.latency) / 100, static_cast<double>(row.hit)), sampled ? Value(samples.count()) : Value(),
         sampled ? Value(samples.issued) : Value(), main_reason(samples), facts ? Value(std::move(lines)) : Value(),
         row.source.empty() ? Value() : Value(row.source)});
  }
  if (args.top > 0 && out.rows.size() < instructions) out.total_rows = instructions;
  out.text = one_line(entry) + "\n" + insts_text(trace, order, args.all || args.top > 0, waits, scale, canvas_of(context));
  if (!args.all && args.top == 0) out.text += "(below 0.5 % each left out; --all shows them, --top 10 the hottest)\n";
  out.provenance = Provenance::recorded;
  out.next = {"att waits", "att lines", "att summary"};
  return out;
}

std::vector<Column> listing_columns(bool lines) {
  std::vector<Column> columns;
  if (lines) {
    columns = {{"file", Type::string, Unit::none, "as the debug information names it; null without"},
               {"line", Type::integer, Unit::none, "in the file"}};
  } else {
    columns = {{"line", Type::integer, Unit::none, "number in the listing, by which wave files name it"},
               {"address", Type::address, Unit::none, "virtual address in the code object"},
               {"code_object", Type::integer, Unit::none, "its load id"},
               {"text", Type::string, Unit::none, "disassembly"},
               {"pipe", Type::string, Unit::none, "where it executes"}};
  }
  columns.insert(columns.end(), {{"hits", Type::integer, Unit::count, "executions"},
                                 {"latency", Type::integer, Unit::cycles, "wave-cycles, stall included"},
                                 {"stall", Type::integer, Unit::cycles, "of these, in which it could not issue"},
                                 {"idle", Type::integer, Unit::cycles, "gaps before the first attempt"},
                                 {"latency_pct", Type::number, Unit::pct, "of the latency of all instructions"},
                                 {"stall_pct", Type::number, Unit::pct, "stall / latency"}});
  if (lines) columns.push_back({"instructions", Type::integer, Unit::count, "of the listing that belong to it"});
  if (!lines) columns.push_back({"cycles_each", Type::number, Unit::none, "latency / hits"});
  columns.push_back({"samples", Type::integer, Unit::count, "PC samples; null without"});
  if (lines) columns.push_back({"samples_issued_pct", Type::number, Unit::pct, "samples in which the wave issued"});
  if (!lines) columns.push_back({"samples_issued", Type::integer, Unit::count, "samples in which the wave issued"});
  columns.push_back({"main_reason", Type::string, Unit::none, "why most others did not"});
  if (lines) {
    columns.push_back({"text", Type::string, Unit::none, "the line, from the copy in the trace"});
    columns.push_back({"chains", Type::strings, Unit::none, "inlined chains through it, innermost first; at most 4"});
  } else {
    columns.push_back({"waits_for", Type::any, Unit::none, "with --waits: lines of what this wait waited for"});
    columns.push_back({"source", Type::string, Unit::none, "file:line, or the inlined chain, innermost first"});
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
                      .help = "An instruction of an inlined function counts for the line where it was written (`--inlining leaf`), for the line "
                              "of the kernel that led there (`caller`), or for every line of the chain (`all`: sums then exceed the total). The bar is the "
                              "share of all latency, its dark part stall. `--file` shows the lines of one file in order.",
                      .fields = {id, {"lines", Type::integer, Unit::count, "source lines with instructions"}},
                      .columns = listing_columns(true),
                      .scalar = "line",
                      .examples = {"att lines ATT", "att lines ATT --inlining caller --top 5"}},
              {arg("att", &AttLinesArgs::att, "thread trace; the current one without").completes(Complete::file),
               option("inlining", &AttLinesArgs::inlining, "which line of an inlined chain counts").one_of({"leaf", "caller", "all"}),
               option("file", &AttLinesArgs::file, "only files whose path contains this, in order"),
               option("top", &AttLinesArgs::top, "lines to show; 0 shows all")},
              att_lines));
  add(registry,
      command(Command{.path = "att insts",
                      .chapter = Class::analysis,
                      .summary = "Show the disassembly with executions and stalls.",
                      .help = "In the order of the code; what costs below 0.5 % each is left out in text unless `--all` is given. `--top N` "
                              "shows the N instructions with most latency. `--waits` reads the wave files and names behind each wait the lines that it waited "
                              "for. `each` is the mean latency of an execution.",
                      .fields = {id, {"instructions", Type::integer, Unit::count, "of the listing"}},
                      .columns = listing_columns(false),
                      .scalar = "text",
                      .examples = {"att insts ATT", "att insts ATT --top 3", "att insts ATT --waits"}},
              {arg("att", &AttInstsArgs::att, "thread trace; the current one without").completes(Complete::file),
               option("top", &AttInstsArgs::top, "the N with most latency; 0 shows the code in order"),
               flag("all", &AttInstsArgs::all, "leave nothing out of the text"),
               flag("waits", &AttInstsArgs::waits, "name what each wait waited for")},
              att_insts));
}

}  // namespace rpl
