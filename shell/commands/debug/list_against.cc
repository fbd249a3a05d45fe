// SPDX-License-Identifier: MIT
// list --against: the source once, with what each line cost in two profiles.
#include "shell/commands/debug/list_against.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/att/analyse/lines.h"
#include "engine/base/text.h"
#include "engine/isa/object/function_names.h"
#include "engine/optimize/rules/diff.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using OfLine = ProfiledSource::Line;
constexpr unsigned kOfRun = 1, kOfTrace = 2, kOfSamples = 4, kOfCounted = 8;

/// A figure of a line; nothing where it has none.
struct Figure {
  const char* column;
  const char* name;
  unsigned sources;
  bool adds_up;  ///< a line that has none in one profile costs nothing there
  std::optional<double> (*of)(const ProfiledSource& profile, const OfLine& line);
};

std::optional<double> number(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}
std::optional<double> percent(const std::optional<double>& share) {
  constexpr double kPercent = 100;
  return share ? std::optional(*share * kPercent) : std::nullopt;
}
std::optional<double> stall(const ProfiledSource& profile, const OfLine& line) {
  const auto& cycles = profile.source == ListSource::run ? line.row.stall_caused : line.row.stalled;
  return cycles ? std::optional(static_cast<double>(*cycles) / profile.waves) : std::nullopt;
}
template <WaitReason::Index reason>
std::optional<double> stall_by(const ProfiledSource& profile, const OfLine& line) {
  const auto& share = line.row.waits[reason];
  return share ? std::optional(*share * profile.stalled) : std::nullopt;
}

constexpr unsigned kTimed = kOfRun | kOfTrace;
constexpr Figure kFigures[] = {
    {"cycles", "cycles per wave", kOfTrace, true,
     [](const ProfiledSource&, const OfLine& line) { return std::optional(line.cycles); }},
    {"stall", "stall, cycles per wave", kTimed, true, &stall},
    {"samples", "samples, % of all", kOfSamples, true,
     [](const ProfiledSource&, const OfLine& line) { return percent(line.row.cycles_share); }},
    {"executed", "times executed", kTimed | kOfCounted, true,
     [](const ProfiledSource&, const OfLine& line) { return number(line.row.executed); }},
    {"memory", "stall on memory, cycles per wave", kTimed, true, &stall_by<WaitReason::memory>},
    {"lds", "stall on LDS and scalar memory, cycles per wave", kTimed, true,
     &stall_by<WaitReason::lds_and_scalar_memory>},
    {"barrier", "stall on barriers, cycles per wave", kTimed, true, &stall_by<WaitReason::barrier>},
    {"math", "stall on arithmetic, cycles per wave", kTimed, true,
     &stall_by<WaitReason::arithmetic>},
    {"other", "stall on others, cycles per wave", kTimed, true, &stall_by<WaitReason::other>},
    {"lanes", "active lanes", kOfRun | kOfSamples | kOfCounted, false,
     [](const ProfiledSource&, const OfLine& line) { return line.row.lanes; }},
    {"transactions", "lines of memory, x the least", kOfRun | kOfCounted, false,
     [](const ProfiledSource&, const OfLine& line) { return line.row.least; }},
    {"conflicts", "LDS bank conflicts, cycles", kOfRun | kOfCounted, true,
     [](const ProfiledSource&, const OfLine& line) { return number(line.row.conflicts); }},
    {"spills", "accesses of scratch memory", kOfRun | kOfCounted, true,
     [](const ProfiledSource&, const OfLine& line) { return number(line.row.spills); }},
};

unsigned figure_bit(ListSource source) {
  switch (source) {
    case ListSource::run:
      return kOfRun;
    case ListSource::trace:
      return kOfTrace;
    case ListSource::samples:
      return kOfSamples;
    default:
      return kOfCounted;
  }
}

Result<std::size_t> figure_of(const std::vector<std::string>& columns, unsigned sources) {
  std::vector<std::string_view> there;
  for (std::size_t i = 0; i < std::size(kFigures); ++i) {
    // Both profiles need it.
    if ((kFigures[i].sources & sources) != sources) continue;
    if (columns.empty() || (columns.size() == 1 && columns[0] == kFigures[i].column)) return i;
    there.emplace_back(kFigures[i].column);
  }
  if (there.empty())
    return fail(Errc::usage, "the two profiles have no figure in common",
                "two thread traces, or two runs");
  return fail(Errc::usage,
              columns.size() > 1
                  ? std::string("two profiles are compared by one column at a time")
                  : fmt::format("these two profiles have no column '{}'", columns[0]),
              fmt::format("--columns takes one of {}", fmt::join(there, ", ")));
}

/// The lines of a file of today. Files of one name may lie beside both profiles.
std::vector<std::string> lines_of_today(Debugging& all, const std::string& file,
                                        const std::string& beside) {
  all.sources.erase(file);
  auto lines = source_lines_of(all, file, beside);
  all.sources.erase(file);
  return lines;
}

ProfiledSource of_trace(Debugging& all, const AttEntry& entry) {
  const att::ThreadTrace& trace = *entry->value->trace;
  ProfiledSource out{.id = entry->id, .title = one_line(entry), .kernel = trace.kernel()};
  out.source = trace.code.timed ? ListSource::trace : ListSource::samples;
  const std::size_t waves = trace.manifest.waves.size();
  out.waves = waves == 0 ? 1 : static_cast<double>(waves);
  const auto own = att::lines_of(trace.code, att::Inlining::caller);
  for (const att::LineCost& line : own) {
    out.cycles += static_cast<double>(line.cost.latency + line.cost.idle) / out.waves;
    out.stalled += static_cast<double>(line.cost.stall) / out.waves;
  }
  const TraceHeat heat(trace.code, own);
  for (const att::LineCost& cost : att::lines_of(trace.code, att::Inlining::all)) {
    if (cost.place.file.empty() || cost.place.line <= 0) continue;
    const auto number = static_cast<std::uint32_t>(cost.place.line);
    OfLine& line = out.lines[{cost.place.file, number}];
    line.row.line = number;
    static_cast<void>(heat.line(cost, line.row));
    line.cycles = static_cast<double>(cost.cost.latency + cost.cost.idle) / out.waves;
  }
  // PC samples keep no source.
  out.text = [&all, held = entry->value, path = entry->path](const std::string& file) {
    const auto text = held->trace->source_text(file);
    return text ? split_lines(*text) : lines_of_today(all, file, path);
  };
  return out;
}

Result<ProfiledSource> of_run(const Debugger& debugger, const EmulatedRun& run,
                              const std::string& which) {
  const RunCosts costs = TRY(RunCosts::of(run));
  const auto object = debugger.workspace.objects.find(run.of);
  const std::string path = object ? object->path : std::string();
  ProfiledSource out{.id = which, .title = {}, .kernel = run.kernel};
  const bool timed = run.executed.modelled.has_value();
  out.title = fmt::format("{} {}: {}, {} waves, {}", which, run.of, isa::function_text(run.kernel),
                          run.executed.counts.waves, timed ? "modelled" : "counted");
  out.source = timed ? ListSource::run : ListSource::counted;
  out.waves = std::max(1.0, static_cast<double>(run.executed.counts.waves));
  out.stalled = static_cast<double>(costs.all_stall()) / out.waves;
  for (const auto& [place, cost] : costs.lines()) {
    OfLine& line = out.lines[place];
    line.row.line = place.second;
    fill_row(cost, costs, timed, line.row);
  }
  if (out.lines.empty())
    return fail(Errc::not_found, fmt::format("the code of {} has no line table", run.kernel),
                "build it with --flag=-gline-tables-only, which leaves the code as it is");
  Debugging& all = debugging(debugger);
  out.text = [&all, path](const std::string& file) { return lines_of_today(all, file, path); };
  return out;
}

/// "p12"
bool is_proposal_id(std::string_view text) {
  return text.size() > 1 && text.front() == 'p' &&
         text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

std::string cell(const std::optional<double>& value, bool sign) {
  if (!value) return "";
  return sign ? fmt::format("{:+.1f}", *value) : fmt::format("{:.1f}", *value);
}

std::string row_text(const ListedLine& row, double most) {
  constexpr double kHeat = 4;  // characters
  const double size = std::max(std::abs(row.before.value_or(0)), std::abs(row.after.value_or(0)));
  const auto heat = static_cast<std::size_t>(most > 0 ? std::ceil(kHeat * size / most) : 0);
  const char mark = row.kind == "added" ? '+' : row.kind == "removed" ? '-' : ' ';
  std::string out = fmt::format("{} {:<5} {:>9} {:>9} {:>9} {:<4} {}", mark,
                                row.kind == "removed" ? row.before_line.value_or(0) : row.line,
                                cell(row.before, false), cell(row.after, false),
                                cell(row.change, true), std::string(heat, '#'), row.text);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

void compare(const Figure& figure, const ComparedSources& both, const OfLine* before,
             const OfLine* after, ListedLine& row) {
  if (before == nullptr && after == nullptr) return;
  row.before = before != nullptr ? figure.of(both.before, *before) : std::nullopt;
  row.after = after != nullptr ? figure.of(both.after, *after) : std::nullopt;
  if (figure.adds_up) {
    row.before = row.before.value_or(0);
    row.after = row.after.value_or(0);
  }
  if (row.before && row.after) row.change = *row.after - *row.before;
}

std::optional<double> whole_of(const Figure& figure, const ProfiledSource& profile) {
  if (std::string_view(figure.column) == "cycles") return profile.cycles;
  if (std::string_view(figure.column) == "stall") return profile.stalled;
  return std::nullopt;
}

}  // namespace

std::string ComparedSources::figure() const { return kFigures[compared].name; }

std::string ComparedSources::file_before(const std::string& file) const {
  std::string same_name, most;
  double most_cost = -1;
  const std::string_view name = att::file_name_of(file);
  for (const auto& [place, line] : before.lines) {
    if (place.first == file) return file;
    if (same_file(place.first, name)) same_name = place.first;
    const double cost = kFigures[compared].of(before, line).value_or(0);
    if (cost > most_cost) {
      most_cost = cost;
      most = place.first;
    }
  }
  // A candidate has another name: the costliest file that the later build has not.
  const bool kept =
      std::ranges::any_of(after.lines, [&](const auto& one) { return one.first.first == most; });
  return !same_name.empty() ? same_name : kept ? std::string() : most;
}

std::vector<ListedLine> ComparedSources::rows(const std::string& file,
                                              const std::vector<std::string>& old_text,
                                              const std::vector<std::string>& new_text,
                                              const std::string& old_file) const {
  const auto line_of = [](const ProfiledSource& profile, const std::string& name,
                          std::optional<std::size_t> at) -> const OfLine* {
    if (!at) return nullptr;
    const auto found = profile.lines.find({name, static_cast<std::uint32_t>(*at + 1)});
    return found == profile.lines.end() ? nullptr : &found->second;
  };
  std::vector<ListedLine> out;
  for (const DiffLine& one : diff_lines(old_text, new_text)) {
    const OfLine* earlier = line_of(before, old_file, one.before);
    const OfLine* later = line_of(after, file, one.after);
    ListedLine row = later != nullptr ? later->row : ListedLine{};
    row.kind = !one.before ? "added" : !one.after ? "removed" : "both";
    if (one.before) row.before_line = static_cast<std::uint32_t>(*one.before + 1);
    row.line = one.after ? static_cast<std::uint32_t>(*one.after + 1) : 0;
    row.text = one.after ? new_text[*one.after] : old_text[*one.before];
    compare(kFigures[compared], *this, earlier, later, row);
    out.push_back(std::move(row));
  }
  return out;
}

isa::SourcePlace ComparedSources::most_changed() const {
  isa::SourcePlace out;
  double most = -1;
  std::string file;
  std::vector<std::string> new_text;
  for (const auto& [place, line] : after.lines) {
    if (place.first == file) continue;
    file = place.first;
    new_text = after.text(file);
    if (new_text.empty()) continue;
    const std::string old_file = file_before(file);
    std::uint32_t number = 1;
    for (const ListedLine& row : rows(file, before.text(old_file), new_text, old_file)) {
      // What was removed is shown in front of the line that follows.
      if (row.kind != "removed") number = row.line;
      const double change = std::abs(row.change.value_or(-1));
      if (!row.change || change <= most) continue;
      most = change;
      out = {.file = file, .line = number, .function = {}};
    }
  }
  return out;
}

std::string ComparedSources::file_named(const std::string& asked) const {
  const auto found = std::ranges::find_if(
      after.lines, [&](const auto& one) { return same_file(one.first.first, asked); });
  return found == after.lines.end() ? asked : found->first.first;
}

Result<Document> ComparedSources::document(const std::string& file, std::uint32_t first,
                                           std::uint32_t last) const {
  const std::vector<std::string> new_text = after.text(file);
  if (new_text.empty())
    return fail(Errc::not_found,
                file.empty() ? std::string("the later profile has no line whose source is there")
                             : fmt::format("{} cannot be found", file),
                "put the source into the current folder, or beside the code object");
  if (first > new_text.size())
    return fail(Errc::not_found, fmt::format("{} has {} lines", file, new_text.size()),
                "'list 1 --against BEFORE' begins at the first");
  const std::string old_file = file_before(file);
  const std::vector<std::string> old_text = before.text(old_file);
  std::vector<ListedLine> every = rows(file, old_text, new_text, old_file), shown;
  double most = 0;
  std::uint32_t next = 1;  // line of the later source in front of which a removed one stands
  for (const ListedLine& row : every) {
    most = std::max({most, std::abs(row.before.value_or(0)), std::abs(row.after.value_or(0))});
    if (row.kind != "removed") next = row.line + 1;
    const std::uint32_t at = row.kind == "removed" ? next : row.line;
    if (at >= first && at <= last) shown.push_back(row);
  }
  const Figure& figure = kFigures[compared];
  Document out;
  out.put(kComparedFields, *this);
  out.text = fmt::format("before  {}\nafter   {}\n", before.title, after.title);
  const auto was = whole_of(figure, before), is = whole_of(figure, after);
  out.text += figure.name;
  if (was && is)
    out.text += fmt::format(": {:.1f} before, {:.1f} after, {:+.1f}{}", *was, *is, *is - *was,
                            *was > 0 ? fmt::format(" ({:+.1f} %)", 100 * (*is - *was) / *was) : "");
  out.text += fmt::format("\n{}\n  {:<5} {:>9} {:>9} {:>9} {:<4} source\n", file, "line", "before",
                          "after", "change", "heat");
  for (const ListedLine& row : shown) out.text += row_text(row, most);
  out.table(kLineColumns, shown);
  if (old_text.empty())
    out.notes.push_back(
        fmt::format("the earlier profile has no source of {}: all its lines count as added",
                    att::file_name_of(file)));
  out.provenance = modelled ? Provenance::modelled : Provenance::recorded;
  out.next = {"list"};
  if (before.source == ListSource::trace)
    out.next.push_back(fmt::format("att diff {} {}", before.id, after.id));
  return out;
}

Result<ComparedSources> compared_sources(const Debugger& debugger, const Inputs& inputs,
                                         const std::string& reference,
                                         const std::vector<std::string>& columns) {
  Workspace& workspace = debugger.workspace;
  ComparedSources out;
  const auto& previous = debugging(debugger).previous_run;
  if (reference == "run") {
    if (workspace.last_run == nullptr || previous == nullptr ||
        workspace.last_run->mode == emu::Mode::functional)
      return fail(Errc::not_found,
                  "two counted or modelled runs are compared, and there is no second",
                  "kernel run BASELINE …, then kernel run CANDIDATE …");
    out.before = TRY(of_run(debugger, *previous, "previous run"));
    out.after = TRY(of_run(debugger, *workspace.last_run, "last run"));
    out.modelled = true;
  } else if (is_proposal_id(reference) && workspace.thread_traces.find(reference) == nullptr) {
    return fail(
        Errc::usage,
        fmt::format("{} is a proposal, and no profile by line is kept of it", reference),
        fmt::format("build BASELINE.hip and .rpl/proposals/{}/candidate.hip with --device-only "
                    "--flag=-gline-tables-only, kernel run both, then list --against run",
                    reference));
  } else {
    const AttEntry current = workspace.thread_traces.current();
    const AttEntry before = TRY(thread_trace_named(inputs, reference));
    if (current == nullptr || current == before)
      return fail(Errc::usage,
                  fmt::format("{} is the thread trace that is current; the later one is missing",
                              before->id),
                  fmt::format("att open AFTER, then list --against {0}; from outside: rpl AFTER "
                              "-ex 'list --against {1}'",
                              before->id, before->path));
    // Naming it made it current, and the other one is what `list` goes on with.
    workspace.thread_traces.make_current(current);
    out.before = of_trace(debugging(debugger), before);
    out.after = of_trace(debugging(debugger), current);
    out.modelled = !before->value->trace->manifest.model.empty() ||
                   !current->value->trace->manifest.model.empty();
  }
  out.compared =
      TRY(figure_of(columns, figure_bit(out.before.source) | figure_bit(out.after.source)));
  return out;
}

}  // namespace rpl
