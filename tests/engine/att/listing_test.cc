// SPDX-License-Identifier: MIT
// Source lines, alignment of two builds, PC samples, pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/att/analyse/diff.h"
#include "engine/att/analyse/legacy.h"
#include "engine/att/read/pc_samples.h"
#include "engine/plot/svg.h"
#include "tests/engine/att/recordings_of_att.h"
#include "tests/support/generate_att.h"

namespace rpl::att {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::write_att;

TEST(Lines, ChainsAreSplitAtArrowsAndLastColons) {
  EXPECT_THAT(chain_of("a.h:7 -> dir/../b.hip:20"),
              ElementsAre(Place{"a.h", 7}, Place{"dir/../b.hip", 20}));
  EXPECT_THAT(chain_of("C:/x.h:3"), ElementsAre(Place{"C:/x.h", 3}));
  EXPECT_THAT(chain_of("nowhere"), ElementsAre(Place{"nowhere", 0}));
  EXPECT_TRUE(chain_of("").empty());
}

TEST(Lines, EachInstructionCountsOnceOrForItsWholeChain) {
  const TempDir temp;
  write_att(temp / "t", {});
  const TracePtr trace = must_open(temp / "t");
  const Summary summary = summarise(*trace);
  for (const Inlining inlining : {Inlining::leaf, Inlining::caller, Inlining::all}) {
    Cost sum;
    for (const LineCost& line : lines_of(trace->code, inlining)) sum += line.cost;
    if (inlining == Inlining::all) {
      EXPECT_GT(sum.latency, summary.totals.latency);
    } else {
      EXPECT_EQ(sum, summary.totals);
    }
  }
  const auto leaf = lines_of(trace->code, Inlining::leaf),
             caller = lines_of(trace->code, Inlining::caller);
  EXPECT_EQ(leaf.front().place, (Place{"/work/kernels/pair.h", 7}));
  EXPECT_EQ(caller.front().place, (Place{"/work/kernels/rowsum.hip", 19}));
  EXPECT_THAT(leaf.front().chains,
              ElementsAre("/work/kernels/pair.h:7 -> /work/kernels/rowsum.hip:19"));
  EXPECT_THAT(*trace->source_text("/work/kernels/pair.h"), HasSubstr("return pair.x +"));
  EXPECT_FALSE(trace->source_text("/etc/passwd"));
}

TEST(Diff, ChangesAddUpAndNameTheirCause) {
  const TempDir temp;
  write_att(temp / "a", {.waves_per_simd = 2});
  write_att(temp / "b", {.waves_per_simd = 3, .prefetch = true});
  const TracePtr a = must_open(temp / "a"), b = must_open(temp / "b");
  const auto diff = diff_traces(*a, *b);
  ASSERT_TRUE(diff);
  EXPECT_EQ(diff->matched, 22);
  EXPECT_EQ(diff->added, 1);
  EXPECT_EQ(diff->removed, 0);
  double rows = 0, causes = 0;
  for (const DiffRow& row : diff->rows) rows += row.change();
  for (const auto& [cause, cycles] : diff->change_by_cause) causes += cycles;
  EXPECT_NEAR(rows, diff->after_cycles - diff->before_cycles, 1e-6);
  EXPECT_NEAR(causes, rows, 1e-6);
  EXPECT_LT(diff->change_by_cause.at("wait vmcnt"), -500);
  EXPECT_NEAR(diff->before_cycles, static_cast<double>(summarise(*a).cycles()) / 8, 1e-9);
}

TEST(Diff, ATraceAgainstItselfIsUnchanged) {
  const TempDir temp;
  write_att(temp / "a", {});
  const TracePtr a = must_open(temp / "a");
  const auto diff = diff_traces(*a, *a);
  ASSERT_TRUE(diff);
  EXPECT_EQ(diff->added + diff->removed, 0);
  for (const DiffRow& row : diff->rows) EXPECT_EQ(row.before, row.after);
}

TEST(Diff, LargeListingsAreCutAtWhatIsUnique) {
  std::vector<Instruction> a(12'000), b;
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i].text =
        i % 100 == 0 ? "s_mov_b32 s0, " + std::to_string(i) : "v_add_f32 v" + std::to_string(i % 7);
  b.assign(a.begin() + 50, a.end());
  b.insert(b.begin() + 3000, Instruction{.text = "v_new", .source = ""});
  b.front().text = "s_first";
  b.back().text = "s_last";
  std::vector<const Instruction*> left, right;
  for (const auto& row : a) left.push_back(&row);
  for (const auto& row : b) right.push_back(&row);
  const auto pairs = align_listings(left, right);
  EXPECT_GT(pairs.size(), 11'800U);
  EXPECT_TRUE(std::ranges::is_sorted(pairs));
  for (const auto& [i, j] : pairs)
    EXPECT_EQ(mnemonic_of(left[i]->text), mnemonic_of(right[j]->text));
}

TEST(PcSamples, CsvOfTheDocumentation) {
  const std::string folder = testing_support::shared_data("att/pc_sampling_csv-rocm-docs");
  if (folder.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const TracePtr stochastic = must_open(folder + "/pc_sampling_stochastic_debug.csv");
  EXPECT_EQ(stochastic->kind, Kind::samples);
  Samples all;
  for (const Samples& row : stochastic->code.samples) {
    all.issued += row.issued;
    all.stalled += row.stalled;
    all.reasons[3] += row.reasons[3];
  }
  EXPECT_EQ(all.issued, 20);
  EXPECT_EQ(all.stalled, 77);
  EXPECT_EQ(all.reasons[3], 71);
  EXPECT_EQ(must_open(folder + "/pc_sampling_host_trap.csv")->notes.size(), 1)
      << "no reasons in host-trap samples";
}

TEST(PcSamples, TheFormOfAListing) {
  const std::string folder = testing_support::shared_data("att/pcsampling-code-json-rcv");
  if (folder.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const TracePtr trace = must_open(folder);
  EXPECT_EQ(trace->kind, Kind::samples);
  std::uint64_t samples = 0, reasons = 0, stalled = 0;
  for (const Samples& row : trace->code.samples) {
    samples += row.count();
    stalled += row.stalled;
    for (const std::uint64_t count : row.reasons) reasons += count;
  }
  EXPECT_EQ(samples, 4690);
  EXPECT_EQ(reasons, stalled);
}

TEST(PcSamples, ResultsJsonByAddress) {
  const TempDir temp;
  const std::string path = temp.write(
      "results.json",
      R"({"rocprofiler-sdk-tool":[{"strings":{"pc_sample_instructions":["s_nop 0","v_add_f32 v0"],
    "pc_sample_comments":["a.hip:3","a.hip:4"]},"buffer_records":{"pc_sample_stochastic":[
    {"record":{"pc":{"code_object_id":2,"code_object_offset":16},"exec_mask":18446744073709551615,"wave_issued":1,"wave_cnt":4},"inst_index":1},
    {"record":{"pc":{"code_object_id":2,"code_object_offset":8},"exec_mask":15,"wave_issued":0,"wave_cnt":4,"snapshot":{"stall_reason":3}},"inst_index":0},
    {"record":{"pc":{"code_object_id":2,"code_object_offset":8},"exec_mask":15,"wave_issued":false,"snapshot":{"stall_reason":"ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_BARRIER_WAIT"}},"inst_index":-1}
    ]}}]})");
  const TracePtr trace = must_open(path);
  ASSERT_EQ(trace->code.rows.size(), 2);
  EXPECT_EQ(trace->code.rows[0].address, 8);
  EXPECT_EQ(trace->code.rows[0].text, "s_nop 0");
  EXPECT_EQ(trace->code.samples[0].stalled, 2);
  EXPECT_EQ(trace->code.samples[0].reasons[3], 1);
  EXPECT_EQ(trace->code.samples[0].reasons[5], 1);
  EXPECT_EQ(trace->code.samples[1].lanes, 64);
  EXPECT_FALSE(open_trace(temp.write("empty.json", "{}")));
}

TEST(Facts, NameTheirInputsAndTheOlderFormula) {
  const TempDir temp;
  write_att(temp / "t", {});
  const TracePtr trace = must_open(temp / "t");
  const auto facts = stall_facts(*trace, summarise(*trace));
  const auto stall = std::ranges::find(facts, "stall_pct", &Fact::name);
  ASSERT_NE(stall, facts.end());
  EXPECT_EQ(stall->inputs.size(), 3);
  EXPECT_NEAR(*stall->value,
              100 * stall->inputs[0].second / (stall->inputs[1].second + stall->inputs[2].second),
              1e-9);
  EXPECT_LT(*stall->legacy_value, 0.5);
  EXPECT_THAT(stall->legacy_why, HasSubstr("counted twice"));
}

TEST(Svg, IsWellFormedTextEvenForHostileInput) {
  const std::string heat =
      stall_heat_svg("<a> & b", {{"x.hip:1", "if (a < b && c)", 60, 90}, {"y", "", NAN, -5}})
          .string();
  EXPECT_THAT(heat, HasSubstr("&lt;a&gt; &amp; b"));
  EXPECT_THAT(heat, HasSubstr("if (a &lt; b &amp;&amp; c)"));
  EXPECT_TRUE(heat.ends_with("</svg>\n"));
  StateStrip strip{.first = 0, .last = 100, .bins = {{0, 1, 2, 3, 4}, {0, 0, 0, 0, 0}}};
  EXPECT_THAT(state_strip_svg("states", strip, {}).string(), HasSubstr("100 cycles"));
  const OccupancyStrip waves{.first = 5, .last = 205, .waves = {0, 3, 1.5}};
  EXPECT_THAT(state_strip_svg("states", strip, waves).string(),
              HasSubstr("waves in flight, up to 3<"));
  EXPECT_THAT(state_strip_svg("states", {}, waves).string(), HasSubstr("200 cycles"));
  EXPECT_TRUE(state_strip_svg("none", {}, {}).bytes().ends_with("</svg>\n"));
  EXPECT_THAT(cycle_bars_svg("cycles", {{"issue", 40}, {"wait vmcnt", 60}}).string(),
              HasSubstr("wait vmcnt"));
}

}  // namespace
}  // namespace rpl::att
