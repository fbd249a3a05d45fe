// SPDX-License-Identifier: MIT
#include "shell/commands/report/report_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

/// In the order in which one asks.
constexpr std::array kTraceParts{
    PartOf{"numbers", "In numbers", "summary", "-"},
    PartOf{"findings", "Why it takes its time", "findings",
           "id kernel cause worth_low worth_high where says remedy", "cause", "no cause was found"},
    PartOf{"advice", "What to do, kernel by kernel", "advise",
           "rank id kernel action gain_low gain_high command", "action",
           "no step follows from what was recorded"},
    PartOf{"path", "Critical path", "critpath",
           "id kernel calls path_calls path_ns share gain_if_2x", "path_ns",
           "no operation is on a path", true},
    PartOf{"kernels", "Kernels", "info kernels",
           "id kernel calls total_ns mean_ns min_ns max_ns variation share", "calls",
           "no kernel ran"},
    PartOf{
        "diagnosis", "What limits each kernel", "classify", "id kernel label sure because", "label",
        "too little was recorded to tell; 'counters plan roofline' names the counters to record"},
    PartOf{"headroom", "What there is to gain", "headroom",
           "id kernel low high critical_share cause roof_share waits", "high",
           "no roof is known; counters give the roofs ('counters plan roofline')", true},
    PartOf{"roofline-table", "Roofline in numbers", "roofline",
           "at id kernel level type arithmetic_intensity achieved_gflops achieved_gbps roof_share "
           "bound",
           "achieved_gflops achieved_gbps",
           "no counters of flops and bytes; 'counters plan roofline' names them"},
    PartOf{"memory", "Metrics from counters", "counters metrics", "id metric value unit", "value",
           "no counters; 'counters plan' names what to record"},
    PartOf{"occupancy", "Occupancy", "occupancy",
           "id kernel waves_per_cu occupancy grid_cap limiter change vgprs lds_bytes", "occupancy",
           "the recording does not say what each dispatch allocates"},
    PartOf{"gaps", "Gaps", "gaps", "at_ns length_ns cause before after kernel", "length_ns",
           "no gap on the GPU", true},
};

constexpr std::array kThreadTraceParts{
    PartOf{"cycles", "Where the cycles went", "att summary {}", ""},
    PartOf{"lines", "Source lines by cycles", "att lines {}",
           "file line latency latency_pct stall_pct hits samples main_reason text",
           "latency samples", "no line of source is known; build with -gline-tables-only"},
    PartOf{"waits", "What the waits waited for", "att waits {}",
           "wait source hits stall stall_pct text latency_cycles", "wait", "no wait was traced"},
};

constexpr std::array kRunParts{
    PartOf{"run-findings", "Why the run takes its time", "findings run",
           "cause worth_low worth_high where says remedy", "cause", "no cause was found"},
    PartOf{"run-diagnosis", "What limits the run", "classify run", "label sure because", "label",
           "too little is known"},
    PartOf{"run-headroom", "What there is to gain in the run", "headroom run",
           "low high cause roof_share waits physical", "high", "no roof is known"},
};

bool tells(const Row& row, const std::vector<std::size_t>& of) {
  if (of.empty()) return true;
  return std::ranges::any_of(of, [&](std::size_t at) {
    const auto* text = row[at].as<std::string>();
    return !row[at].is_null() &&
           (text == nullptr || (!text->empty() && *text != "insufficient data"));
  });
}

std::vector<std::size_t> columns_named(const Document& document, std::string_view names) {
  std::vector<std::size_t> out;
  for (const std::string& name : split_words(names)) {
    if (const auto at = column_index(document, name)) out.push_back(*at);
  }
  return out;
}

/// Texts of a value without the folders of files.
void shorten_paths(Value& value) {
  if (const auto* text = value.as<std::string>()) value = Value(without_folders(*text));
  if (const auto* list = value.as<List>()) {
    List shorter = *list;
    for (Value& one : shorter) shorten_paths(one);
    value = Value(std::move(shorter));
  }
  if (const auto* record = value.as<Record>()) {
    Record shorter = *record;
    for (auto& [name, one] : shorter) shorten_paths(one);
    value = Value(std::move(shorter));
  }
}

bool has_nothing(const Value& value) {
  const auto* text = value.as<std::string>();
  return value.is_null() || (text != nullptr && text->empty());
}

/// The columns `wanted` of the rows that tell something, without those that are empty in all of them.
Status keep_rows(Document& document, const std::vector<std::size_t>& wanted,
                 const std::vector<std::size_t>& telling, const ReportArgs& args,
                 std::uint64_t& all) {
  std::vector<Row> rows;
  const std::uint64_t most = args.rows <= 0 ? UINT64_MAX : static_cast<std::uint64_t>(args.rows);
  TRY(document.each_row([&](const Row& row) {
    if (!tells(row, telling)) return true;
    if (++all > most) return true;
    Row& kept = rows.emplace_back();
    for (const std::size_t at : wanted) {
      kept.push_back(row[at]);
      if (!args.paths) shorten_paths(kept.back());
    }
    return true;
  }));
  std::vector<Column> columns;
  for (const std::size_t at : wanted) columns.push_back(document.columns[at]);
  for (std::size_t at = columns.size(); at-- > 0;) {
    const bool empty =
        std::ranges::all_of(rows, [&](const Row& row) { return has_nothing(row[at]); });
    if (!empty) {
      // What the whole table has no room for was left out above; a kernel's name is shortened, whatever its column is.
      columns[at].in_text = InText::always;
      if (columns[at].name == "kernel") columns[at].type = Type::kernel;
      continue;
    }
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(at));
    for (Row& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
  }
  document.columns = std::move(columns);
  document.rows = std::move(rows);
  document.rows_from = nullptr;
  document.total_rows = 0;
  return {};
}

bool has_fields(const Document& document) {
  return std::ranges::any_of(document.fields, [&](const Column& field) {
    const Value* value = document.get(field.name);
    return value != nullptr && !value->is_null() && field.in_text != InText::never;
  });
}

}  // namespace

std::span<const PartOf> trace_parts() { return kTraceParts; }
std::span<const PartOf> thread_trace_parts() { return kThreadTraceParts; }
std::span<const PartOf> run_parts() { return kRunParts; }

std::string without_folders(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins =
        at == 0 || std::string_view(" '\"(=,>`").find(text[at - 1]) != std::string_view::npos;
    // Looked for where a path begins alone: a name may have a million letters.
    const std::size_t end =
        begins && text[at] == '/' ? std::min(text.find_first_of(" '\"),;`", at), text.size()) : at;
    if (end > at + 1) {
      std::string_view path = text.substr(at, end - at);
      while (path.ends_with('/')) path.remove_suffix(1);
      out += path.substr(path.rfind('/') + 1);
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::optional<std::size_t> column_index(const Document& document, std::string_view name) {
  const auto found = std::ranges::find_if(document.columns, [&](const Column& column) {
    return std::string_view(column.name) == name;
  });
  if (found == document.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - document.columns.begin());
}

std::string text_in(const Document& document, std::string_view field) {
  const Value* value = document.get(field);
  const auto* text = value != nullptr ? value->as<std::string>() : nullptr;
  return text != nullptr ? *text : std::string();
}

std::optional<double> number_in(const Document& document, std::string_view field) {
  const Value* value = document.get(field);
  return value != nullptr ? value->number() : std::nullopt;
}

Result<ReportPart> part_of(Document document, const ReportArgs& args, const PartOf& part,
                           const std::string& subject) {
  ReportPart made;
  made.title = part.title;
  made.anchor = fmt::format("{}{}", part.anchor, subject);
  made.document = std::move(document);
  Document& shown = made.document;
  // Where it lies, and what it is called in the session that made the report, is no reader's business.
  // Nor is what the paragraph at the top says already.
  std::erase_if(shown.fields, [&](const Column& field) {
    constexpr std::array<std::string_view, 7> kElsewhere{
        "path", "id", "before", "after", "verdict", "findings", "limited_by"};
    return (field.name != "path" || !args.paths) &&
           std::ranges::find(kElsewhere, std::string_view(field.name)) != kElsewhere.end();
  });
  if (!args.paths) {
    for (auto& [name, value] : shown.record) shorten_paths(value);
  }
  if (!shown.has_table()) {
    made.empty = !has_fields(shown);
    made.why = part.lacks;
    return made;
  }
  std::vector<std::size_t> wanted = columns_named(shown, part.columns);
  if (part.columns.empty()) {
    for (std::size_t at = 0; at < shown.columns.size(); ++at) {
      if (shown.columns[at].in_text != InText::never) wanted.push_back(at);
    }
  }
  std::uint64_t all = 0;
  TRY(keep_rows(shown, wanted, columns_named(shown, part.tells), args, all));
  if (shown.rows.size() < all && shown.has_table())
    made.below = fmt::format("{} of {} rows", shown.rows.size(), all);
  // Fields that describe a table are nothing without it.
  made.empty = shown.rows.empty() && (!part.tells.empty() || !has_fields(shown));
  made.why = part.lacks;
  return made;
}

Result<ReportPart> make_part(const ReportInputs& inputs, const ReportArgs& args, const PartOf& part,
                             const std::string& subject, std::vector<std::string>& remarks) {
  std::string line(part.line);
  if (const std::size_t hole = line.find("{}"); hole != std::string::npos)
    line.replace(hole, 2, subject);
  Result<Document> document = inputs.face.evaluate_line(line);
  if (!document) {
    if (document.error().code == Errc::interrupted) return std::move(document).failure();
    ReportPart made;
    made.title = part.title;
    made.line = line;
    made.empty = true;
    made.why = document.error().message;
    if (!document.error().hint.empty()) made.why += "; " + document.error().hint;
    if (!args.paths) made.why = without_folders(made.why);
    return made;
  }
  for (const std::string& note : document->notes) {
    const std::string text = args.paths ? note : without_folders(note);
    if (std::ranges::find(remarks, text) == remarks.end()) remarks.push_back(text);
  }
  ReportPart made = TRY(part_of(std::move(*document), args, part, subject));
  made.line = line;
  return made;
}

}  // namespace rpl
