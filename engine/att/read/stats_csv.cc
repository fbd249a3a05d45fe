// SPDX-License-Identifier: MIT
// stats_ui_output_*.csv: the rows of code.json by address.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/att/read/code_table.h"
#include "engine/base/numbers.h"
#include "engine/trace/import/csv/csv_parser.h"

namespace rpl::att {
namespace {

enum Cell : std::size_t {
  kObject,
  kAddress,
  kText,
  kHit,
  kLatency,
  kStall,
  kIdle,
  kSource,
  kCells
};

constexpr std::array<std::string_view, kCells> kSpelling{
    "codeobj", "vaddr", "instruction", "hitcount", "latency", "stall", "idle", "source"};

bool same_letters(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

using CellPlaces = std::array<std::size_t, kCells>;

Result<CellPlaces> places_of(CsvParser& csv) {
  CellPlaces places{};
  places.fill(SIZE_MAX);
  if (!TRY(csv.next())) return Failure(csv.error("the file is empty"));
  for (std::size_t i = 0; i < csv.fields().size(); ++i) {
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      if (same_letters(csv.fields()[i], kSpelling[cell])) places[cell] = i;
    }
  }
  for (std::size_t cell = 0; cell < kSource; ++cell) {
    if (places[cell] == SIZE_MAX)
      return Failure(csv.error(fmt::format("no column {}", kSpelling[cell])));
  }
  return places;
}

bool take_row(const CsvParser& csv, const CellPlaces& places, Instruction& row) {
  const auto cell = [&](Cell which) -> std::string_view {
    return places[which] < csv.fields().size() ? csv.fields()[places[which]] : std::string_view();
  };
  const auto object = whole_number<std::int64_t>(cell(kObject));
  const auto address = whole_number<std::uint64_t>(cell(kAddress));
  if (!object || !address || cell(kText).empty()) return false;
  row.text = cell(kText);
  row.source = cell(kSource);
  row.code_object = *object;
  row.address = *address;
  constexpr std::array kCounts{kHit, kLatency, kStall, kIdle};
  std::uint64_t* const into[] = {&row.hit, &row.latency, &row.stall, &row.idle};
  for (std::size_t i = 0; i < kCounts.size(); ++i) {
    const auto value = whole_number<std::uint64_t>(cell(kCounts[i]));
    if (!value || *value > kLargestCell) return false;
    *into[i] = *value;
  }
  row.label = row.text.starts_with(';');
  if (!row.label) row.traits = traits_of(row.text);
  return row.stall <= row.latency;
}

}  // namespace

Result<CodeTable> read_stats_csv(const std::string& path, ReadNotes& notes) {
  CsvParser csv(TRY(ByteSource::open(path)));
  const CellPlaces places = TRY(places_of(csv));
  CodeTable table;
  std::size_t skipped = 0;
  while (true) {
    const auto more = csv.next();
    if (!more) {
      notes.add(more.error().message + "; the rows before it were read");
      break;
    }
    if (!*more) break;
    if (table.rows.size() >= kMostRows) {
      notes.add(fmt::format("{}: only the first {} rows were read", path, kMostRows));
      break;
    }
    Instruction row;
    row.line = static_cast<std::int64_t>(table.rows.size());
    if (take_row(csv, places, row)) {
      table.rows.push_back(std::move(row));
    } else {
      ++skipped;
    }
  }
  if (skipped > 0)
    notes.add(fmt::format("{}: {} damaged row{} left out", path, skipped,
                          skipped == 1 ? " was" : "s were"));
  table.index();
  return table;
}

}  // namespace rpl::att
