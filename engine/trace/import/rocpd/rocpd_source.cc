// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::string_view kPrefix = "rocpd_";
constexpr std::size_t kGuidChars = 36;

/// "_" and a guid with underscores for dashes (rocpd.md §1.1); "" when the name has none.
std::string_view suffix_of(std::string_view name) {
  if (name.size() <= kGuidChars + 1) return {};
  const std::string_view suffix = name.substr(name.size() - kGuidChars - 1);
  for (std::size_t i = 0; i < suffix.size(); ++i) {
    const bool separator = i == 0 || i == 9 || i == 14 || i == 19 || i == 24;
    const bool hex =
        std::string_view("0123456789abcdefABCDEF").find(suffix[i]) != std::string_view::npos;
    if (separator ? suffix[i] != '_' : !hex) return {};
  }
  return suffix;
}

void read_band(std::string_view text, RocpdSource& source) {
  const auto word = [&] {
    const std::string_view out = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), out.size() + 1));
    return whole_number<double>(out).value_or(0);
  };
  constexpr double kMost = 100;
  const double low = word(), high = word(), ratio = word();
  if (low > 0 && low <= high && high < kMost && ratio >= 0 && ratio < kMost && !text.empty())
    source.bands.emplace(text, RocpdSource::Band{low, high, ratio});
}

/// "NAME JSON"; what the JSON says is checked where it is used.
void read_findings(std::string_view text, RocpdSource& source) {
  constexpr std::size_t kMostBytes = 1 << 20;
  const std::size_t end = text.find(" {");
  if (end != std::string_view::npos && text.size() <= kMostBytes)
    source.findings.emplace(text.substr(0, end), text.substr(end + 1));
}

Status read_metadata(ForeignDatabase& database, RocpdSource& source) {
  if (!source.suffix.empty()) {
    source.guid = source.suffix.substr(1);
    std::replace(source.guid.begin(), source.guid.end(), '_', '-');
  }
  Statement rows = TRY(select_columns(database, source.table("rocpd_metadata"), {"tag", "value"}));
  while (TRY(rows.step())) {
    const std::string_view tag = rows.text(0), value = rows.text(1);
    if (tag == "schema_version") source.version = value;
    if (tag == "guid" && source.guid.empty()) source.guid = value;
    if (tag == "provenance") source.modelled = value == "modelled";
    if (tag == "model_band") read_band(value, source);
    if (tag == "findings") read_findings(value, source);
    if (tag == "counters") source.joined_counters = value == "joined";
  }
  return {};
}

}  // namespace

bool RocpdSource::has(std::string_view base) const {
  return std::binary_search(tables.begin(), tables.end(), table(base));
}

bool is_numbered(std::string_view table) {
  return table.starts_with("rocpd_kernel_dispatch") || table.starts_with("rocpd_string") ||
         (table.starts_with("rocpd_event") && !table.starts_with("rocpd_event_operation"));
}

bool is_appended(std::string_view table) {
  constexpr std::array<std::string_view, 5> kAppended = {
      "rocpd_region", "rocpd_arg", "rocpd_sample", "rocpd_pmc_event", "rocpd_memory_"};
  return is_numbered(table) || std::ranges::any_of(kAppended, [&](std::string_view begin) {
           return table.starts_with(begin);
         });
}

std::string sql_name(std::string_view identifier) {
  std::string text = "\"";
  for (const char c : identifier) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

Result<std::vector<RocpdSource>> rocpd_sources(ForeignDatabase& database) {
  Statement rows = TRY(database.database().prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"));
  std::map<std::string, RocpdSource, std::less<>> sources;
  while (TRY(rows.step())) {
    const std::string_view name = rows.text(0);
    if (!name.starts_with(kPrefix)) continue;
    const std::string suffix(suffix_of(name));
    RocpdSource& source = sources[suffix];
    source.suffix = suffix;
    source.tables.emplace_back(name);
  }
  std::vector<RocpdSource> found;
  for (auto& [suffix, source] : sources) {
    TRY(read_metadata(database, source));
    found.push_back(std::move(source));
  }
  return found;
}

Result<Statement> select_columns(ForeignDatabase& database, const std::string& table,
                                 std::initializer_list<std::string_view> columns,
                                 std::string_view tail) {
  const std::vector<std::string> present = TRY(database.columns(table));
  std::string sql = "SELECT ";
  for (const std::string_view column : columns) {
    if (sql.back() != ' ') sql += ',';
    const bool there = std::find(present.begin(), present.end(), column) != present.end();
    sql += there ? sql_name(column) : "NULL";
  }
  if (present.empty()) {
    sql += " WHERE 0";
    for (const char c : tail) {
      if (c == '?') sql += " AND ? IS NULL";  // the caller binds them all the same
    }
    return database.database().prepare(sql);
  }
  return database.database().prepare(fmt::format("{} FROM {} {}", sql, sql_name(table), tail));
}

}  // namespace rpl
