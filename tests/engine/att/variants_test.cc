// SPDX-License-Identifier: MIT
// Traces of other writers, with parts left out, cut short or damaged: a note for what is broken, results for the rest.
#include <fstream>

#include "engine/att/analyse/summary.h"
#include "tests/engine/att/recordings_of_att.h"
#include "tests/support/generate_att.h"

namespace rpl::att {
namespace {

using testing_support::AttSpec;
using testing_support::TempDir;
using testing_support::write_att;

struct Answers {
  Cost totals;
  std::array<Cost, kCategories> categories;
  StateCycles states{};
  std::vector<WaitPair> pairs;
  std::vector<LatencyStats> latencies;
  StateStrip strip;  ///< 60 bins
  std::vector<UnitFacts> units;
  std::optional<double> ipc, valu, mfma;
};

/// Shares of the states in a bin; all 0 for a bin without waves.
std::array<double, kWaveStates> shares_of(const std::array<double, kWaveStates>& bin) {
  std::array<double, kWaveStates> out{};
  double whole = 0;
  for (const double cycles : bin) whole += cycles;
  for (std::size_t state = 0; state < kWaveStates && whole > 0; ++state)
    out[state] = bin[state] / whole;
  return out;
}

/// The same part of each column. wstates files end up to 4 cycles after the waves, which moves the edges of the columns by as much.
void expect_same_strip(const StateStrip& a, const StateStrip& b) {
  ASSERT_EQ(a.bins.size(), b.bins.size());
  EXPECT_NEAR(static_cast<double>(a.last - b.last), 0, 4);
  const double tolerance =
      0.002 + 2 * 4.0 * static_cast<double>(a.bins.size()) / static_cast<double>(a.last - a.first);
  for (std::size_t bin = 0; bin < a.bins.size(); ++bin) {
    const auto left = shares_of(a.bins[bin]), right = shares_of(b.bins[bin]);
    for (std::size_t state = 0; state < kWaveStates; ++state)
      EXPECT_NEAR(left[state], right[state], tolerance) << bin << " " << wave_state_name(state);
  }
}

void expect_same(const Answers& a, const Answers& b) {
  EXPECT_EQ(a.totals, b.totals);
  EXPECT_EQ(a.categories, b.categories);
  EXPECT_EQ(a.states, b.states);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    EXPECT_EQ(a.pairs[i].wait_row, b.pairs[i].wait_row);
    EXPECT_EQ(a.pairs[i].row, b.pairs[i].row);
    EXPECT_EQ(a.pairs[i].times, b.pairs[i].times);
    EXPECT_EQ(a.pairs[i].latency_sum, b.pairs[i].latency_sum);
    EXPECT_EQ(a.pairs[i].exposed, b.pairs[i].exposed);
  }
  expect_same_strip(a.strip, b.strip);
  EXPECT_EQ(a.ipc, b.ipc);
  EXPECT_EQ(a.valu, b.valu);
  EXPECT_EQ(a.mfma, b.mfma);
  ASSERT_EQ(a.units.size(), b.units.size());
  for (std::size_t i = 0; i < a.units.size(); ++i) {
    EXPECT_EQ(a.units[i].cu, b.units[i].cu);
    EXPECT_EQ(a.units[i].instructions, b.units[i].instructions);
    EXPECT_EQ(a.units[i].busy_cycles, b.units[i].busy_cycles);
  }
  for (std::size_t i = 0; i < kCounters; ++i) {
    EXPECT_EQ(a.latencies[i].n, b.latencies[i].n);
    EXPECT_EQ(a.latencies[i].p95, b.latencies[i].p95);
  }
}

Answers answers_of(const std::string& folder, unsigned threads = 0) {
  Answers out;
  const TracePtr trace = must_open(folder);
  if (!trace) return out;
  const auto facts = read_waves(*trace, {}, {.strip = true, .threads = threads});
  EXPECT_TRUE(facts);
  const Summary summary = summarise(*trace, &*facts);
  out.totals = summary.totals;
  out.categories = facts->categories;
  out.states = summary.states.value_or(StateCycles{});
  out.pairs = facts->pairs;
  constexpr std::size_t kBins = 60;
  out.strip =
      trace->states.empty() ? narrowed(facts->strip, kBins) : state_strip(trace->states, kBins);
  out.units = summary.units;
  out.ipc = summary.ipc();
  out.valu = summary.util_pct(Category::valu);
  out.mfma = summary.util_pct(Category::matrix);
  out.latencies.assign(facts->latencies.begin(), facts->latencies.end());
  EXPECT_EQ(facts->stored_waits, facts->equal_waits);
  return out;
}

/// Takes `"key":value` out of a wave file.
void remove_key(const std::filesystem::path& path, const std::string& key) {
  std::string text = *read_text_file(path.string());
  const std::size_t at = text.find(",\"" + key + "\":");
  if (at == std::string::npos) return;
  std::size_t end = at + key.size() + 4;
  int depth = 0;
  for (; end < text.size(); ++end) {
    if (text[end] == '[') ++depth;
    if (text[end] == ']' && --depth == 0) break;
    if (depth == 0 && text.compare(end, 4, "null") == 0) {
      end += 3;
      break;
    }
  }
  text.erase(at, end + 1 - at);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

TEST(Variants, RealTracesWithoutRedundantPartsGiveTheSame) {
  const Record golden = golden_of_att();
  if (golden.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  for (const auto& [name, expected] : golden) {
    SCOPED_TRACE(name);
    const std::string folder = recording_folder(name, expected);
    const Answers whole = answers_of(folder);
    for (const std::string key : {"timeline", "waitcnt", "wstates"}) {
      SCOPED_TRACE(key);
      const TempDir temp;
      const std::string copy = copy_of(folder, temp, [&](const std::string& file) {
        return key != "wstates" || !file.starts_with("wstates");
      });
      for (const auto& entry : std::filesystem::directory_iterator(copy)) {
        if (key != "wstates" && entry.path().filename().string().find("_wv") != std::string::npos)
          remove_key(entry.path(), key);
      }
      expect_same(answers_of(copy), whole);
    }
  }
}

TEST(Variants, OneThreadGivesTheSameAsFour) {
  const TempDir temp;
  write_att(temp / "t", {.engines = 2, .waves_per_simd = 5});
  expect_same(answers_of(temp / "t", 1), answers_of(temp / "t", 4));
}

TEST(Variants, IndentedFilesReadTheSame) {
  const TempDir temp;
  write_att(temp / "a", {.waves_per_simd = 3});
  write_att(temp / "b", {.waves_per_simd = 3, .indented = true});
  expect_same(answers_of(temp / "a"), answers_of(temp / "b"));
}

TEST(Variants, RebuiltStatesEqualRecordedOnesOfTheModel) {
  const TempDir temp;
  write_att(temp / "a", {.engines = 2, .waves_per_simd = 3});
  write_att(temp / "b", {.engines = 2,
                         .waves_per_simd = 3,
                         .timelines = false,
                         .wait_lists = false,
                         .states = false});
  const TracePtr trace = must_open(temp / "b");
  const auto facts = read_waves(*trace);
  EXPECT_EQ(summarise(*trace, &*facts).states_from, "instructions");
  EXPECT_EQ(facts->stored_waits, 0);
  expect_same(answers_of(temp / "a"), answers_of(temp / "b"));
}

TEST(Variants, CutEmptyAndMissingFilesAreNotes) {
  for (const std::string file : {"code.json", "filenames.json", "occupancy.json", "realtime.json",
                                 "snapshots.json", "wstates2.json", "se0_sm1_sl0_wv0.json"}) {
    for (const char* damage : {"cut", "empty", "missing"}) {
      SCOPED_TRACE(file + " " + damage);
      const TempDir temp;
      write_att(temp / "t", {.waves_per_simd = 2});
      const std::filesystem::path path = temp / ("t/" + file);
      const auto size = std::filesystem::file_size(path);
      if (damage == std::string("missing")) {
        std::filesystem::remove(path);
      } else {
        std::filesystem::resize_file(path, damage == std::string("cut") ? size / 2 : 0);
      }
      const TracePtr trace = must_open(temp / "t");
      ASSERT_NE(trace, nullptr);
      const auto facts = read_waves(*trace);
      ASSERT_TRUE(facts);
      std::vector<std::string> notes(trace->notes);
      notes.insert(notes.end(), facts->notes.begin(), facts->notes.end());
      const bool optional =
          std::string(damage) == "missing" && (file == "realtime.json" || file == "snapshots.json");
      const bool states = std::string(damage) == "missing" && file == "wstates2.json";
      if (!optional && !states) {
        ASSERT_FALSE(notes.empty());
        EXPECT_NE(notes[0].find(file), std::string::npos) << notes[0];
      }
      const Summary summary = summarise(*trace, &*facts);
      EXPECT_GT(summary.totals.hits, 0);
      const bool wave = file.starts_with("se0");
      EXPECT_EQ(facts->failed, wave ? 1 : 0);
      // Without code.json the CSV file beside the folder is the listing, to which wave files are joined.
      EXPECT_EQ(facts->waves, wave ? 7 : 8);
      EXPECT_TRUE(summary.states);
    }
  }
}

TEST(Variants, TheListingMayBeACsvFileAlone) {
  const TempDir temp;
  write_att(temp / "ui_output_agent_7_dispatch_3", {});
  std::filesystem::remove_all(temp / "ui_output_agent_7_dispatch_3");
  const auto found = find_traces(temp.path());
  ASSERT_EQ(found.size(), 1);
  const TracePtr trace = must_open(found[0]);
  EXPECT_EQ(trace->kind, Kind::stats);
  EXPECT_EQ(trace->dispatch, 3);
  EXPECT_GT(summarise(*trace).totals.latency, 0);
  EXPECT_EQ(trace->kernel(), "rowsum(float const*, float*, int)");
  EXPECT_TRUE(is_trace_csv(found[0]));
}

TEST(Variants, NothingTracedIsAnAnswer) {
  const TempDir temp;
  temp.write(
      "t/code.json",
      R"({"code":null,"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle","version":"3.0.0"})");
  temp.write(
      "t/filenames.json",
      R"({"counter_names":[],"gfxip":9,"gfxv":"vega","global_begin_time":0,"version":"3.0.0","wave_filenames":null})");
  temp.write("t/occupancy.json", R"({"dispatches":{"0":"0 / 0x0"},"version":"3.0.0"})");
  const TracePtr trace = must_open(temp / "t");
  const auto facts = read_waves(*trace);
  ASSERT_TRUE(facts);
  const Summary summary = summarise(*trace, &*facts);
  EXPECT_EQ(summary.totals.hits, 0);
  EXPECT_FALSE(summary.ipc());
  EXPECT_FALSE(summary.of_cycles_pct(0));
  EXPECT_FALSE(summary.states);
}

TEST(Variants, TheOlderFormatIsRefusedByName) {
  const TempDir temp;
  temp.write("t/code.json", R"({"code":[["s_endpgm",0,0,"",1,4,5]],"top_n":[]})");
  const auto trace = open_trace(temp / "t");
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, Errc::unsupported);
  EXPECT_NE(trace.error().message.find("attv2"), std::string::npos);
}

TEST(Variants, NewerOccupancyHasMoreColumns) {
  const TempDir temp;
  temp.write(
      "t/code.json",
      R"({"code":[],"header":["ISA","_","LineNumber","Source","Codeobj","Vaddr","Hit","Latency","Stall","Idle"]})");
  temp.write("t/filenames.json", R"({"gfxip":9,"wave_filenames":null})");
  temp.write(
      "t/occupancy.json",
      R"({"0":[[100,4,2,1,1,7,3,5,1,42,9],[160,4,2,1,0,7,3,5,1,42,9],[170,4,2,1,0,7,3,5,1,42,9]],
                "dispatches":{"7":"matrixTranspose"},"occupancy_fields":["time"],
                "events":{"0":[{"kind":"event","type":6,"time":3},{"kind":"event","type":9,"time":4}]}})");
  const TracePtr trace = must_open(temp / "t");
  ASSERT_TRUE(trace->occupancy);
  EXPECT_EQ(trace->occupancy->packet_losses, 1);
  EXPECT_EQ(trace->occupancy->stalls, 1);
  EXPECT_EQ(trace->kernel(), "matrixTranspose");
  const EngineOccupancy engine = occupancy_of(trace->occupancy->engines.at(0));
  EXPECT_EQ(engine.final_waves, 0) << "an end without a start counts nothing";
  EXPECT_EQ(engine.peak_waves, 1);
  EXPECT_EQ(engine.span, 70);
}

}  // namespace
}  // namespace rpl::att
