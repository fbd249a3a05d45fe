// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/read/code_table.h"
#include "engine/base/label.h"
#include "engine/base/result.h"
#include "engine/document/bound.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/object/source_lines.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/inputs/wait_reason.h"

/// Lines as `list` shows them, and the columns beside them that a person chooses.
namespace rpl {

struct ListedLine {
  std::uint32_t line = 0;
  bool current = false;
  std::string_view text;
  std::optional<std::uint64_t> executed = {}, stall_caused = {};
  std::optional<double> share = {};  ///< of all that waves waited
  std::string cause = {};
  std::optional<std::uint64_t> cycles = {}, stalled = {};
  std::optional<std::uint64_t> samples = {}, samples_waited = {};
  std::optional<double> cycles_share = {};         ///< of the cycles or samples of all lines
  ByWaitReason<std::optional<double>> waits = {};  ///< of all that waves waited, by reason
  std::optional<double> lanes = {};  ///< active ones, of vector instructions, in the mean
  std::optional<double> least = {};  ///< lines of memory that were touched, of the least possible
  std::optional<std::uint64_t> conflicts = {}, spills = {};
  std::string findings = {};  ///< all causes that name it
  std::string kind = {};      ///< of two profiles: both, added, removed
  std::optional<std::uint32_t> before_line = {};
  std::optional<double> before = {}, after = {}, change = {};  ///< the figure that is compared

  /// Its number; none for what only the earlier source has.
  [[nodiscard]] std::optional<std::uint32_t> number() const {
    return kind == "removed" ? std::nullopt : std::optional(line);
  }
};

inline constexpr auto kLineColumns = bound_to<ListedLine>(
    column<&ListedLine::number>("line", "its number; null for a line of the earlier source")
        .in(Unit::none),
    column<&ListedLine::current>("current", "whether the wave is there"),
    column<&ListedLine::executed>("executed",
                                  "times that waves came here; null outside a run, and for lines "
                                  "without code"),
    column<&ListedLine::stall_caused>(
        "stall_caused", "wave-cycles that waves waited because of it, wherever they did, modelled")
        .in(Unit::cycles),
    column<&ListedLine::share>("stall_share", "of all such cycles of the run").in(Unit::share),
    column<&ListedLine::cause>("cause",
                               "of the first finding that names the line; of a thread trace the "
                               "instruction of the line at which waves waited longest")
        .or_null(),
    column<&ListedLine::cycles>("cycles",
                                "of a thread trace: of waves at its instructions and at those that "
                                "were inlined there; null elsewhere"),
    column<&ListedLine::stalled>("stalled", "of these, in which they waited").in(Unit::cycles),
    column<&ListedLine::samples>("samples", "of PC samples alone: those at its instructions"),
    column<&ListedLine::samples_waited>("samples_waited", "of these, in which the wave waited"),
    column<+[](const ListedLine& row) { return row.waits[WaitReason::memory]; }>(
        "stall_memory", "of all stall, what is because of global memory")
        .in(Unit::share),
    column<+[](const ListedLine& row) { return row.waits[WaitReason::lds_and_scalar_memory]; }>(
        "stall_lds", "of LDS and scalar memory")
        .in(Unit::share),
    column<+[](const ListedLine& row) { return row.waits[WaitReason::barrier]; }>("stall_barrier",
                                                                                  "of barriers")
        .in(Unit::share),
    column<+[](const ListedLine& row) { return row.waits[WaitReason::arithmetic]; }>(
        "stall_math", "of arithmetic")
        .in(Unit::share),
    column<+[](const ListedLine& row) { return row.waits[WaitReason::other]; }>("stall_other",
                                                                                "of anything else")
        .in(Unit::share),
    column<&ListedLine::lanes>("lanes", "active ones of vector instructions, in the mean")
        .in(Unit::none),
    column<&ListedLine::least>(
        "lines_of_least", "lines of memory that global accesses touched, of the least possible")
        .in(Unit::none),
    column<&ListedLine::conflicts>("lds_conflicts", "extra LDS cycles because of bank conflicts")
        .in(Unit::cycles),
    column<&ListedLine::spills>("spills", "times that scratch memory was loaded from or stored to"),
    column<&ListedLine::findings>("findings", "all that name the line").or_null(),
    column<&ListedLine::kind>("kind", "with --against: both, added or removed").or_null(),
    column<&ListedLine::before_line>("before_line", "its number in the earlier source")
        .in(Unit::none),
    column<&ListedLine::before>("before", "with --against: what is compared, earlier")
        .in(Unit::none),
    column<&ListedLine::after>("after", "and in the later profile").in(Unit::none),
    column<&ListedLine::change>("change", "after - before").in(Unit::none),
    column<&ListedLine::text>("text", "of the line"));

/// A file may be named by its last part.
bool same_file(std::string_view path, std::string_view name);
/// Where a function of a code object begins, or its first kernel; line 0 where nothing is known.
isa::SourcePlace first_line_of(const isa::CodeObject& object, const isa::SourceLines& lines,
                               const std::string& name);

/// `timed`: the run was modelled, else only counted.
void fill_row(const PlaceCost& cost, const RunCosts& costs, bool timed, ListedLine& row);

/// What lines are listed of.
enum class ListSource : std::uint8_t { run, trace, samples, counted };

/// The names that `--columns` takes.
std::vector<Label> list_column_names();

/// The chosen columns, in the order in which they are shown.
class ListColumns {
 public:
  /// Fails with usage for one that the source does not carry, and names those that it does.
  static Result<ListColumns> of(const std::vector<std::string>& names, ListSource source);
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(const ListedLine& row) const;

 private:
  std::vector<std::size_t> chosen_;
  bool findings_ = false;  ///< stand behind the text
};

/// Shares of one thread trace, or of PC samples alone, of which the cycles are not known.
class TraceHeat {
 public:
  /// `own`: what each line cost by itself, each instruction once.
  TraceHeat(const att::CodeTable& code, const std::vector<att::LineCost>& own);
  [[nodiscard]] std::string header() const;
  /// Fills the row, and gives it as it is shown.
  std::string line(const att::LineCost& cost, ListedLine& row) const;

 private:
  [[nodiscard]] std::string worst_of(const att::LineCost& line) const;
  void add_waits(const att::LineCost& line, ListedLine& row) const;
  void add_lanes(const att::LineCost& line, ListedLine& row) const;

  const att::CodeTable& code_;
  std::uint64_t whole_ = 0, waited_ = 0;  ///< cycles of waves, or samples
};

}  // namespace rpl
