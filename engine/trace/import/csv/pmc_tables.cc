// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/pmc_tables.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/csv/csv_table.h"

namespace rpl {
namespace {

/// The first word of counter names, by hardware block.
constexpr std::array<std::string_view, 17> kBlocks{"SQ",   "SQC",  "TA",   "TD",   "TCP",  "TCC",
                                                   "TCA",  "GRBM", "CPC",  "CPF",  "SPI",  "GDS",
                                                   "GL1C", "GL2C", "GL2A", "GCEA", "GRBMH"};

/// A counter's column of the wide form: the name of what it is an instance of, or its own.
struct CounterColumn {
  std::size_t at = 0;
  std::string counter;
};

bool is_counter_name(std::string_view name) {
  const std::string_view block = name.substr(0, name.find('_'));
  return block.size() < name.size() &&
         std::find(kBlocks.begin(), kBlocks.end(), block) != kBlocks.end();
}

std::vector<CounterColumn> counter_columns(const CsvTable& table) {
  std::set<std::string, std::less<>> plain;
  for (const std::string& name : table.header()) {
    if (name.find('[') == std::string::npos) plain.insert(name);
  }
  std::vector<CounterColumn> columns;
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    const std::string& name = table.header()[i];
    if (!is_counter_name(name)) continue;
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) {
      columns.push_back({i, name});
      continue;
    }
    std::string sum = name.substr(0, bracket) + "_sum";
    if (!plain.contains(sum)) columns.push_back({i, std::move(sum)});
  }
  return columns;
}

/// As the reader of dispatches reads them.
std::int64_t rounded_whole(std::string_view field) {
  if (const auto exact = whole_number<std::int64_t>(field)) return *exact;
  const auto number = whole_number<double>(field);
  return number && *number > -9e18 && *number < 9e18 ? static_cast<std::int64_t>(*number) : 0;
}

class PmcTables : public FileTables {
 public:
  PmcTables(std::string path, PmcRows rows) : path_(std::move(path)), rows_(std::move(rows)) {}

  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override {
    const RowIndex index(trace, file, RowIndex::Key::event_id);
    std::uint32_t process = kNone;
    for (std::uint32_t i = 0; i < trace.entities().processes.size() && process == kNone; ++i) {
      if (trace.entities().processes[i].file == file) process = i;
    }
    if (process == kNone) return {};
    CsvTable table = TRY(CsvTable::open(path_));
    const auto row_of = [&](std::size_t number) {
      return index.find(process, static_cast<std::int64_t>(number));
    };
    TRY(table.has("Counter_Name") ? read_long(table, row_of, out) : read_wide(table, row_of, out));
    fold_samples(out.rows);
    if (bad_ > 0)
      out.notes.push_back(fmt::format("{}: {} counter values are no numbers", path_, bad_));
    return {};
  }

 private:
  template <class RowOf>
  Status read_wide(CsvTable& table, RowOf row_of, CounterTable& out) {
    const std::vector<CounterColumn> columns = counter_columns(table);
    NameIndex names(out.names);
    std::vector<std::uint32_t> indices;
    for (const CounterColumn& column : columns) indices.push_back(names(column.counter));
    for (std::size_t number = 1; TRY(table.next()); ++number) {
      TRY(interrupt::check());
      const std::uint32_t row = row_of(number);
      if (row == kNone) continue;
      std::vector<CounterSample> samples;
      for (std::size_t i = 0; i < columns.size(); ++i)
        add(samples, row, indices[i], table.text(columns[i].at));
      fold_samples(samples);
      out.rows.insert(out.rows.end(), samples.begin(), samples.end());
    }
    return {};
  }

  template <class RowOf>
  Status read_long(CsvTable& table, RowOf row_of, CounterTable& out) {
    NameIndex names(out.names);
    const std::size_t id = table.column("Dispatch_ID"), start = table.column("Start_Timestamp");
    const std::size_t name = table.column("Counter_Name"), value = table.column("Counter_Value");
    for (std::size_t rows = 1; TRY(table.next()); ++rows) {
      if (rows % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const auto found =
          rows_.dispatches.find({rounded_whole(table.text(id)), rounded_whole(table.text(start))});
      const std::uint32_t row = found == rows_.dispatches.end() ? kNone : row_of(found->second);
      if (row == kNone) continue;
      std::string counter(table.text(name));
      if (const std::size_t bracket = counter.find('['); bracket != std::string::npos) {
        if (counted_whole(table, counter.substr(0, bracket) + "_sum")) continue;
        counter = counter.substr(0, bracket) + "_sum";
      }
      add(out.rows, row, names(counter), table.text(value));
    }
    return {};
  }

  /// Whether the long form has the sum beside the instances; the file is asked once.
  bool counted_whole(const CsvTable& table, const std::string& sum) {
    if (!sums_read_) {
      sums_read_ = true;
      auto again = CsvTable::open(path_);
      const std::size_t name = table.column("Counter_Name");
      while (again && again->next().value_or(false)) {
        const std::string_view counter = again->text(name);
        if (counter.ends_with("_sum")) sums_.emplace(counter);
      }
    }
    return sums_.contains(sum);
  }

  void add(std::vector<CounterSample>& rows, std::uint32_t row, std::uint32_t counter,
           std::string_view field) {
    if (field.empty()) return;
    const auto value = whole_number<double>(field);
    if (!value || !std::isfinite(*value)) {
      ++bad_;
      return;
    }
    add_sample(rows, {row, counter, 1, *value, *value});
  }

  std::string path_;
  PmcRows rows_;
  std::set<std::string, std::less<>> sums_;
  bool sums_read_ = false;
  std::size_t bad_ = 0;
};

}  // namespace

std::unique_ptr<FileTables> pmc_tables(std::string path, PmcRows rows) {
  return std::make_unique<PmcTables>(std::move(path), std::move(rows));
}

}  // namespace rpl
