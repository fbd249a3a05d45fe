// SPDX-License-Identifier: MIT
#include "engine/att/read/pc_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>

#include "engine/att/read/json_document.h"
#include "engine/base/numbers.h"
#include "engine/trace/import/csv/csv_parser.h"

namespace rpl::att {
namespace {

constexpr std::string_view kReasonPrefix = "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_";

std::size_t reason_of(std::string_view name) {
  if (name.starts_with(kReasonPrefix)) name.remove_prefix(kReasonPrefix.size());
  for (std::size_t reason = 0; reason < kStallReasons; ++reason) {
    if (stall_reason_name(reason) == name) return reason;
  }
  // The header also spells some of them out differently (NO_INSTRUCTION_AVAILABLE, INTERNAL_INSTRUCTION).
  if (name == "NO_INSTRUCTION") return 1;
  if (name == "INTERNAL") return 4;
  return 0;
}

struct OneSample {
  bool issued = true, knows_issue = false;
  std::size_t reason = 0;
  std::uint64_t mask = 0, waves = 0;
};

void count(Samples& into, const OneSample& sample) {
  if (sample.issued) {
    ++into.issued;
  } else {
    ++into.stalled;
    ++into.reasons[sample.reason];
  }
  into.lanes += static_cast<std::uint64_t>(std::popcount(sample.mask));
  into.waves += sample.waves;
}

struct SampleColumns {
  std::size_t mask = SIZE_MAX, text = SIZE_MAX, comment = SIZE_MAX, issued = SIZE_MAX,
              reason = SIZE_MAX, waves = SIZE_MAX;
};

Result<SampleColumns> sample_columns(CsvParser& csv) {
  SampleColumns columns;
  if (!TRY(csv.next())) return Failure(csv.error("the file is empty"));
  const std::pair<std::string_view, std::size_t*> wanted[] = {
      {"Exec_Mask", &columns.mask},
      {"Instruction", &columns.text},
      {"Instruction_Comment", &columns.comment},
      {"Wave_Issued_Instruction", &columns.issued},
      {"Stall_Reason", &columns.reason},
      {"Wave_Count", &columns.waves}};
  for (std::size_t i = 0; i < csv.fields().size(); ++i) {
    for (const auto& [name, place] : wanted) {
      if (csv.fields()[i] == name) *place = i;
    }
  }
  if (columns.text == SIZE_MAX) return Failure(csv.error("no column Instruction"));
  return columns;
}

OneSample sample_of(const CsvParser& csv, const SampleColumns& columns) {
  const auto at = [&](std::size_t column) -> std::string_view {
    return column < csv.fields().size() ? csv.fields()[column] : std::string_view();
  };
  OneSample sample;
  sample.knows_issue = columns.issued != SIZE_MAX;
  sample.issued = !sample.knows_issue || at(columns.issued) != "0";
  sample.reason = reason_of(at(columns.reason));
  sample.mask = whole_number<std::uint64_t>(at(columns.mask)).value_or(0);
  sample.waves =
      std::min<std::uint64_t>(whole_number<std::uint64_t>(at(columns.waves)).value_or(0), 4096);
  return sample;
}

/// Adds instructions as they come.
class SampleTable {
 public:
  /// The row of a key that was not seen before is made with `text` and `source`; nullptr when there are too many.
  Samples* row(const std::string& key, std::string_view text, std::string_view source) {
    const auto [found, is_new] = rows_.try_emplace(key, table_.rows.size());
    if (!is_new) return &table_.samples[found->second];
    if (table_.rows.size() >= kMostRows) {
      rows_.erase(found);
      return nullptr;
    }
    Instruction& made = table_.rows.emplace_back();
    made.text = text.empty() ? "(unknown)" : std::string(text);
    made.source = source;
    made.line = static_cast<std::int64_t>(found->second);
    made.traits = traits_of(made.text);
    return &table_.samples.emplace_back();
  }
  [[nodiscard]] CodeTable& table() { return table_; }
  CodeTable finish() {
    table_.timed = false;
    table_.index();
    return std::move(table_);
  }

 private:
  CodeTable table_;
  std::unordered_map<std::string, std::size_t> rows_;
};

}  // namespace

Result<CodeTable> read_samples_csv(const std::string& path, ReadNotes& notes) {
  CsvParser csv(TRY(ByteSource::open(path)));
  const SampleColumns columns = TRY(sample_columns(csv));
  SampleTable table;
  std::size_t dropped = 0;
  while (true) {
    const auto more = csv.next();
    if (!more) {
      notes.add(more.error().message + "; the samples before it were read");
      break;
    }
    if (!*more) break;
    const auto fields = csv.fields();
    if (columns.text >= fields.size()) {
      ++dropped;
      continue;
    }
    const std::string_view text = fields[columns.text];
    const std::string_view source =
        columns.comment < fields.size() ? fields[columns.comment] : std::string_view();
    std::string key(text);
    key += '\n';
    key += source;
    if (Samples* row = table.row(key, text, source)) {
      count(*row, sample_of(csv, columns));
    } else {
      ++dropped;
    }
  }
  if (dropped > 0) notes.add(fmt::format("{}: {} samples were left out", path, dropped));
  if (columns.issued == SIZE_MAX)
    notes.add("host-trap samples do not say whether a wave issued, nor why it did not");
  return table.finish();
}

namespace {

/// The samples of one list of results.json.
class JsonSamples {
 public:
  JsonSamples(const JsonNode& tool, SampleTable& table) : table_(table) {
    const auto strings = tool.member("strings");
    if (!strings) return;
    load(*strings, "pc_sample_instructions", texts_);
    load(*strings, "pc_sample_comments", comments_);
  }

  std::size_t read(const JsonNode& list, bool stochastic) {
    std::size_t seen = 0;
    for (const JsonNode& item : list.elements()) {
      take(item, stochastic);
      ++seen;
    }
    return seen;
  }

 private:
  static void load(const JsonNode& strings, std::string_view key,
                   std::vector<std::string_view>& into) {
    const auto list = strings.list(key);
    if (!list) return;
    for (const JsonNode& text : list->elements()) into.push_back(text.text().value_or(""));
  }

  static std::uint64_t number(const JsonNode& from, std::string_view key) {
    const auto found = from.member(key);
    return found ? found->count(UINT64_MAX).value_or(0) : 0;
  }

  /// A reason as the number of the enumeration or by its name.
  static std::size_t reason_in(const JsonNode& record) {
    const auto snapshot = record.member("snapshot");
    const auto reason = snapshot ? snapshot->member("stall_reason") : std::nullopt;
    if (!reason) return 0;
    if (const auto name = reason->text()) return reason_of(*name);
    return reason->count(kStallReasons - 1).value_or(0);
  }

  void take(const JsonNode& item, bool stochastic) {
    const JsonNode record = item.member("record").value_or(item);
    OneSample sample;
    sample.mask = number(record, "exec_mask");
    sample.knows_issue = stochastic;
    if (stochastic) {
      const auto issued = record.member("wave_issued");
      sample.issued = issued && issued->boolean().value_or(issued->integer().value_or(0) != 0);
      sample.reason = reason_in(record);
      sample.waves = std::min<std::uint64_t>(number(record, "wave_cnt"), 4096);
    }
    std::uint64_t object = 0, offset = 0;
    if (const auto pc = record.member("pc")) {
      object = number(*pc, "code_object_id");
      offset = number(*pc, "code_object_offset");
    }
    const std::uint64_t index = number(item, "inst_index");
    const std::string_view text = index < texts_.size() ? texts_[index] : std::string_view();
    const std::string_view source =
        index < comments_.size() ? comments_[index] : std::string_view();
    const std::size_t before = table_.table().rows.size();
    Samples* row = table_.row(fmt::format("{} {}", object, offset), text, source);
    if (row == nullptr) return;
    if (table_.table().rows.size() > before) {
      table_.table().rows.back().code_object = static_cast<std::int64_t>(object);
      table_.table().rows.back().address = offset;
    }
    count(*row, sample);
  }

  SampleTable& table_;
  std::vector<std::string_view> texts_, comments_;
};

/// Rows and their samples by code object and address, as a listing is read.
void sort_by_address(CodeTable& table) {
  std::vector<std::size_t> order(table.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::tuple(table.rows[i].code_object, table.rows[i].address);
  });
  CodeTable sorted;
  for (const std::size_t i : order) {
    sorted.rows.push_back(std::move(table.rows[i]));
    sorted.rows.back().line = static_cast<std::int64_t>(sorted.rows.size() - 1);
    sorted.samples.push_back(table.samples[i]);
  }
  table = std::move(sorted);
}

}  // namespace

Result<CodeTable> read_samples_json(const std::string& path, ReadNotes& notes) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path));
  SampleTable table;
  std::size_t seen = 0;
  bool reasons = false;
  const auto tools = root.list("rocprofiler-sdk-tool");
  if (tools) {
    for (const JsonNode& tool : tools->elements()) {
      const auto records = tool.member("buffer_records");
      if (!records) continue;
      JsonSamples reader(tool, table);
      if (const auto list = records->list("pc_sample_host_trap")) seen += reader.read(*list, false);
      const std::size_t before = seen;
      if (const auto list = records->list("pc_sample_stochastic")) seen += reader.read(*list, true);
      reasons = reasons || seen > before;
    }
  }
  if (seen == 0) {
    return fail(
        Errc::not_found, path + ": it holds no PC samples",
        "record them: rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic "
        "--pc-sampling-unit cycles --pc-sampling-interval 1048576 --output-format json -- APP");
  }
  if (!reasons) notes.add("host-trap samples do not say whether a wave issued, nor why it did not");
  sort_by_address(table.table());
  return table.finish();
}

}  // namespace rpl::att
