// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shell/commands/report/report.h"

/// Results of commands as parts of a report.
namespace rpl {

/// One question of a report. `{}` in the line is the id of the trace or thread trace.
struct PartOf {
  std::string_view anchor, title, line;
  std::string_view columns = "";  ///< that are shown, in this order; "": all that text has
  /// Columns of which a row must have one, and not "insufficient data", to be shown; "": every row is.
  std::string_view tells = "";
  std::string_view lacks = "";  ///< what to say where no row is left
  bool of_times = false;        ///< says nothing where only counters were recorded
};

std::span<const PartOf> trace_parts();
std::span<const PartOf> thread_trace_parts();
/// Of the last run on the emulated device.
std::span<const PartOf> run_parts();

/// Asks the command; its notes are added to `remarks`. Fails with `interrupted`.
Result<ReportPart> make_part(const ReportInputs& inputs, const ReportArgs& args, const PartOf& part,
                             const std::string& subject, std::vector<std::string>& remarks);
/// The rows of a result that tell something, so many of them, without columns that are empty in all.
Result<ReportPart> part_of(Document document, const ReportArgs& args, const PartOf& part,
                           const std::string& subject);

/// A field or cell as text; "" where there is none.
std::string text_in(const Document& document, std::string_view field);
std::optional<double> number_in(const Document& document, std::string_view field);
/// The index of a column; nullopt where there is none.
std::optional<std::size_t> column_index(const Document& document, std::string_view name);

}  // namespace rpl
