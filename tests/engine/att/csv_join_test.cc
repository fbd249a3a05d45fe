// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_facts.h"

#include <fmt/format.h>

#include <fstream>

#include "engine/att/analyse/summary.h"
#include "tests/engine/att/recordings_of_att.h"
#include "tests/support/generate_att.h"

namespace rpl::att {
namespace {

using testing_support::TempDir;

Instruction label_row(std::string text) {
  Instruction row;
  row.text = std::move(text);
  row.label = true;
  return row;
}
Instruction cost_row(std::string text, std::uint64_t hit, std::uint64_t latency) {
  Instruction row;
  row.text = std::move(text);
  row.hit = hit;
  row.latency = latency;
  return row;
}

/// Two functions that ran and one that did not, as the CSV has them.
CodeTable three_functions() {
  CodeTable code;
  code.rows = {label_row("; first"),     cost_row("v_add", 2, 8), cost_row("s_endpgm", 2, 100),
               label_row("; never"),     cost_row("s_nop", 0, 0), label_row("; second"),
               cost_row("v_mul", 3, 12), cost_row("s_nop", 0, 0), cost_row("s_setpc", 3, 24)};
  code.index();
  return code;
}

TEST(CsvJoin, FindsWhereTheNumbersOfEachFunctionBegin) {
  CodeTable code = three_functions();
  // The recorder met the second function first.
  EXPECT_EQ(
      number_rows(code, {{}, {3, 12, 0, 0}, {}, {3, 24, 0, 0}, {}, {2, 8, 0, 0}, {2, 100, 0, 0}}),
      "");
  EXPECT_EQ(code.rows[6].line, 1);
  EXPECT_EQ(code.rows[8].line, 3);
  EXPECT_EQ(code.rows[1].line, 5);
  EXPECT_EQ(code.row_of(6), 2U);
  EXPECT_EQ(code.row_of(2), 7U) << "an instruction that never ran has its number too";
}

TEST(CsvJoin, RefusesWhatDoesNotAddUp) {
  CodeTable code = three_functions();
  const std::vector<Cost> good{{},           {3, 12, 0, 0}, {}, {3, 24, 0, 0}, {},
                               {2, 8, 0, 0}, {2, 100, 0, 0}};
  std::vector<Cost> other = good;
  other[5].latency = 9;
  EXPECT_NE(number_rows(code, other), "");
  EXPECT_EQ(code.rows[6].line, 0) << "nothing was changed";
  other = good;
  other.push_back({1, 4, 0, 0});
  EXPECT_NE(number_rows(code, other).find("line 7"), std::string::npos) << "a cost that no row has";
  EXPECT_NE(number_rows(code, {}), "");
}

TEST(CsvJoin, EqualFunctionsAreAmbiguous) {
  CodeTable code;
  code.rows = {label_row("; a"), cost_row("s_nop", 1, 4), label_row("; b"),
               cost_row("s_nop", 1, 4)};
  EXPECT_NE(number_rows(code, {{}, {1, 4, 0, 0}, {}, {1, 4, 0, 0}}), "");
}

/// The file beside the folder, as the recorder sorts it: by address.
void write_csv(const CodeTable& code, const std::string& path) {
  std::vector<const Instruction*> rows;
  for (const Instruction& row : code.rows) rows.push_back(&row);
  std::ranges::stable_sort(
      rows, {}, [](const Instruction* row) { return std::pair(row->code_object, row->address); });
  std::ofstream out(path);
  out << "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\","
         "\"Source\"\n";
  for (const Instruction* row : rows)
    out << fmt::format("{},{},\"{}\",{},{},{},{},\"{}\"\n", row->code_object, row->address,
                       row->text, row->hit, row->latency, row->stall, row->idle, row->source);
}

TEST(CsvJoin, RealTracesWithTheCsvForListingGiveTheSame) {
  const Record golden = golden_of_att();
  if (golden.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  for (const auto& [name, expected] : golden) {
    SCOPED_TRACE(name);
    const std::string folder = recording_folder(name, expected);
    const TracePtr whole = must_open(folder);
    const TempDir temp;
    const std::string copy =
        copy_of(folder, temp, [](const std::string& file) { return file != "code.json"; });
    write_csv(whole->code, (std::filesystem::path(copy).parent_path() /
                            ("stats_" + std::filesystem::path(copy).filename().string() + ".csv"))
                               .string());
    const TracePtr joined = must_open(copy);
    ASSERT_NE(joined, nullptr);
    ASSERT_EQ(joined->manifest.waves.size(), whole->manifest.waves.size()) << joined->notes.back();
    const auto expect = read_waves(*whole), got = read_waves(*joined);
    EXPECT_EQ(got->unmapped, expect->unmapped);
    EXPECT_EQ(got->equal_waits, expect->equal_waits);
    EXPECT_EQ(got->categories, expect->categories);
    EXPECT_EQ(got->pairs.size(), expect->pairs.size());
    EXPECT_EQ(summarise(*joined, &*got).states, summarise(*whole, &*expect).states);
    for (const Instruction& row : joined->code.rows) {
      const std::uint32_t at = whole->code.row_of(row.line);
      if (row.label) continue;
      ASSERT_NE(at, CodeTable::kNone);
      EXPECT_EQ(row.address, whole->code.rows[at].address);
      EXPECT_EQ(row.text, whole->code.rows[at].text);
    }
  }
}

}  // namespace
}  // namespace rpl::att
