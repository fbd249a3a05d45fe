// SPDX-License-Identifier: MIT
// code.json: the listing with hits and cycles, or with PC samples.
#include <fmt/format.h>

#include <algorithm>

#include "engine/att/read/code_table.h"
#include "engine/att/read/json_document.h"

namespace rpl::att {
namespace {

constexpr std::size_t kBaseColumns = 10;

/// Where the columns stand that not every writer has; kAbsent for those that are not there.
struct CodeColumns {
  static constexpr std::size_t kAbsent = SIZE_MAX;
  std::size_t issued = kAbsent, stalled = kAbsent, reasons = kAbsent;
};

std::vector<std::string> header_names(JsonNode header) {
  std::vector<std::string> names;
  if (const auto text = header.text()) {
    for (std::size_t at = 0; at <= text->size();) {
      const std::size_t comma = std::min(text->find(',', at), text->size());
      std::string_view name = text->substr(at, comma - at);
      while (name.starts_with(' ')) name.remove_prefix(1);
      names.emplace_back(name);
      at = comma + 1;
    }
    return names;
  }
  for (const JsonNode& item : header.elements()) names.emplace_back(item.text().value_or(""));
  return names;
}

CodeColumns columns_of(const std::vector<std::string>& names) {
  CodeColumns columns;
  const auto at = [&](std::initializer_list<std::string_view> spellings) {
    for (std::size_t i = kBaseColumns; i < names.size(); ++i) {
      if (std::ranges::find(spellings, names[i]) != spellings.end()) return i;
    }
    return CodeColumns::kAbsent;
  };
  columns.issued = at({"PC_Issued", "Issued"});
  columns.stalled = at({"PC_Stalled", "Stalled"});
  columns.reasons = at({"Stall_Reasons", "NotIssuedReasons"});
  return columns;
}

class CodeReader {
 public:
  CodeReader(const CodeColumns& columns, std::string_view name, ReadNotes& notes)
      : columns_(columns), name_(name), notes_(notes) {}

  CodeTable read(JsonNode rows) {
    for (const JsonNode& item : rows.elements()) {
      if (table_.rows.size() >= kMostRows) {
        notes_.add(fmt::format("{}: only the first {} rows were read", name_, kMostRows));
        break;
      }
      if (take(item.elements())) continue;
      ++skipped_;
    }
    if (skipped_ > 0) {
      notes_.add(fmt::format("{}: {} row{} left out: too short, or values that cannot be", name_,
                             skipped_, skipped_ == 1 ? " was" : "s were"));
    }
    if (columns_.issued == CodeColumns::kAbsent) table_.samples.clear();
    table_.index();
    return std::move(table_);
  }

 private:
  bool take(const std::vector<JsonNode>& cell) {
    if (cell.size() < kBaseColumns) return false;
    Instruction row;
    const auto text = cell[0].text();
    const auto line = cell[2].integer();
    const auto object = cell[4].integer();
    if (!text || !line || !object) return false;
    row.text = *text;
    row.line = *line;
    row.source = cell[3].text().value_or("");
    row.code_object = *object;
    row.address = cell[5].count(UINT64_MAX).value_or(0);
    std::uint64_t* const counts[] = {&row.hit, &row.latency, &row.stall, &row.idle};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = cell[6 + i].count(kLargestCell);
      if (!value) return false;
      *counts[i] = *value;
    }
    if (row.stall > row.latency) return false;
    row.label = row.text.starts_with(';') || row.text.starts_with("label");
    if (!row.label) row.traits = traits_of(row.text);
    Samples samples;
    if (!take_samples(cell, samples)) return false;
    table_.rows.push_back(std::move(row));
    table_.samples.push_back(samples);
    return true;
  }

  bool take_samples(const std::vector<JsonNode>& cell, Samples& samples) const {
    const auto read = [&](std::size_t column, std::uint64_t& into) {
      if (column == CodeColumns::kAbsent || column >= cell.size()) return true;
      const auto value = cell[column].count(kLargestCell);
      into = value.value_or(0);
      return value.has_value();
    };
    if (!read(columns_.issued, samples.issued) || !read(columns_.stalled, samples.stalled))
      return false;
    if (columns_.reasons >= cell.size()) return true;
    std::size_t at = 0;
    for (const JsonNode& reason : cell[columns_.reasons].elements()) {
      if (at >= kStallReasons) break;
      samples.reasons[at++] = reason.count(kLargestCell).value_or(0);
    }
    return true;
  }

  CodeColumns columns_;
  std::string_view name_;
  ReadNotes& notes_;
  CodeTable table_;
  std::size_t skipped_ = 0;
};

Result<CodeTable> table_from(JsonNode root, std::string_view name, ReadNotes& notes) {
  const auto header = root.member("header");
  if (!header) {
    return fail(Errc::unsupported,
                fmt::format("{}: no header, as written by rocprofv2 (attv2)", name),
                "record it again with rocprofv3 --att (ROCm 6.4 or newer)");
  }
  const auto names = header_names(*header);
  const auto rows = root.list("code");
  const CodeColumns columns = columns_of(names);
  CodeTable table = rows ? CodeReader(columns, name, notes).read(*rows) : CodeTable();
  table.timed = columns.issued == CodeColumns::kAbsent ||
                std::ranges::any_of(table.rows, [](const auto& row) { return row.latency > 0; });
  return table;
}

}  // namespace

Result<CodeTable> read_code_json(std::string_view json, std::string_view name, ReadNotes& notes) {
  JsonDocument document;
  return table_from(TRY(document.parse(json, name)), name, notes);
}

Result<CodeTable> read_code_file(const std::string& path, ReadNotes& notes) {
  JsonDocument document;
  return table_from(TRY(document.read(path)), path, notes);
}

}  // namespace rpl::att
