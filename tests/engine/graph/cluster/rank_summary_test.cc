// SPDX-License-Identifier: MIT
// Summaries of ranks: they say what the recordings say, are small, and are believed in nothing when they come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "engine/document/json.h"
#include "engine/graph/cluster/reduction.h"
#include "engine/trace/import/open.h"
#include "tests/support/ranks.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

std::string text_of(const std::vector<RecordingSummary>& recordings) {
  List list;
  for (const RecordingSummary& one : recordings) list.push_back(to_value(one));
  return to_json(
      Value(Record{{"schema", Value(kRankSummarySchema)}, {"recordings", Value(std::move(list))}}));
}

/// The places of a document in which a value stands, as texts that begin with a colon and end before a comma or a closing bracket.
std::vector<std::pair<std::size_t, std::size_t>> values_in(const std::string& json) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t at = json.find(": "); at != std::string::npos; at = json.find(": ", at + 1)) {
    const char first = json[at + 2];
    const std::size_t end = first == '[' || first == '{' ? at + 3 : json.find_first_of(",\n}", at);
    out.emplace_back(at + 2, end - at - 2);
  }
  return out;
}

class RankSummaries : public ::testing::Test {
 protected:
  std::vector<std::string> make(test::RanksOptions options) {
    options.folder = folder / "ranks";
    EXPECT_TRUE(test::generate_ranks(options));
    return recordings_in(options.folder).value();
  }
  static std::vector<RecordingSummary> reduced(const std::vector<std::string>& recordings) {
    return cluster::summaries_of(recordings, {}).value();
  }
  static std::vector<RecordingSummary> back_and_forth(const std::vector<std::string>& recordings) {
    return summaries_from(text_of(reduced(recordings)), "node").value();
  }
  void expect_same(const std::vector<std::string>& recordings) {
    const auto trace = open_trace(recordings).value();
    const Ranks opened = find_ranks(*trace).value();
    const RanksOfSummaries summed = ranks_of(back_and_forth(recordings));
    const Ranks& found = summed.ranks;
    EXPECT_EQ(found.why_none, opened.why_none);
    EXPECT_EQ(found.collectives, opened.collectives);
    EXPECT_EQ(found.of_step, opened.of_step);
    EXPECT_EQ(found.clocks_compare, opened.clocks_compare);
    EXPECT_EQ(found.straggler, opened.straggler);
    ASSERT_EQ(found.ranks.size(), opened.ranks.size());
    for (std::size_t i = 0; i < found.ranks.size(); ++i) {
      const RankWork &a = found.ranks[i], &b = opened.ranks[i];
      EXPECT_EQ(std::tuple(a.work_ns, a.collective_ns, a.wait_ns, a.last, a.slowest),
                std::tuple(b.work_ns, b.collective_ns, b.wait_ns, b.last, b.slowest));
      EXPECT_EQ(rank_text(summed.entities, a.process, a.agent),
                rank_text(trace->entities(), b.process, b.agent));
    }
    ASSERT_EQ(found.steps.size(), opened.steps.size());
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
      const RankStep &a = found.steps[i], &b = opened.steps[i];
      EXPECT_EQ(std::tuple(a.start_ns, a.end_ns, a.slowest, a.most_ns, a.mean_ns, a.wait_ns),
                std::tuple(b.start_ns, b.end_ns, b.slowest, b.most_ns, b.mean_ns, b.wait_ns));
    }
    EXPECT_EQ(summed.begin_ns, trace->extent_ns().first);
  }

  const TempDir folder;
};

TEST_F(RankSummaries, SayWhatTheRecordingsSay) {
  expect_same(make({.folder = {}, .ranks = 8, .ranks_of_host = 4, .straggler = 5, .seed = 3}));
}

TEST_F(RankSummaries, SayLikewiseThatClocksDoNotCompare) {
  const auto recordings = make({.folder = {},
                                .ranks = 4,
                                .ranks_of_host = 2,
                                .steps = 6,
                                .collectives = 2,
                                .kernels = 5,
                                .jitter_ns = 900'000,
                                .seed = 4});
  expect_same(recordings);
  const RanksOfSummaries summed = ranks_of(reduced(recordings));
  EXPECT_FALSE(summed.ranks.clocks_compare);
  ASSERT_EQ(summed.notes.size(), 1U);
  EXPECT_EQ(summed.notes, open_trace(recordings).value()->entities().notes);
}

TEST_F(RankSummaries, AreSmall) {
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 50, .collectives = 4});
  const std::size_t bytes = text_of(reduced({recordings.front()})).size();
  EXPECT_LT(bytes, 8000U) << "200 collectives";
  EXPECT_LT(50 * bytes, std::filesystem::file_size(recordings.front()));
}

TEST_F(RankSummaries, LeaveCopiesOut) {
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 6});
  std::vector<RecordingSummary> twice = reduced(recordings);
  twice.push_back(twice.front());
  twice.back().path = "elsewhere.db";
  const RanksOfSummaries summed = ranks_of(twice);
  EXPECT_EQ(summed.ranks.ranks.size(), 2U);
  EXPECT_THAT(summed.notes.front(), HasSubstr("elsewhere.db holds the same recording"));
}

TEST_F(RankSummaries, WithoutRanksSayWhy) {
  EXPECT_EQ(ranks_of({}).ranks.why_none, "no collective was recorded");
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 6});
  EXPECT_EQ(ranks_of(reduced({recordings.front()})).ranks.why_none,
            "one rank alone has collectives");
}

/// A summary with one thing in it that no node writes.
TEST_F(RankSummaries, ThatCannotBeAreRefusedByName) {
  const auto recordings = make({.folder = {}, .ranks = 1, .steps = 3, .collectives = 2});
  const RecordingSummary good = reduced(recordings).front();
  const auto refused = [&](auto change, const char* words) {
    RecordingSummary bad = good;
    change(bad);
    const auto read = summaries_from(text_of({bad}), "results/0.json");
    ASSERT_FALSE(read) << words;
    EXPECT_EQ(read.error().code, Errc::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr("results/0.json"));
    EXPECT_THAT(read.error().message, HasSubstr(words));
  };
  using Of = RecordingSummary;
  refused([](Of& of) { of.ranks[0].process = 7; }, "no process");
  refused([](Of& of) { of.ranks[0].agent = 99; }, "no device");
  refused([](Of& of) { of.ranks[0].lengths_ns.pop_back(); }, "different lengths");
  refused([](Of& of) { of.ranks[0].launches[1] = -3; }, "no kernel");
  refused([](Of& of) { of.ranks[0].launches[1] = 1 << 20; }, "no kernel");
  refused([](Of& of) { of.ranks[0].starts_ns[1] = -1; }, "order of their starts");
  refused([](Of& of) { of.ranks[0].starts_ns[1] = INT64_MAX; }, "too far away");
  refused([](Of& of) { of.ranks[0].lengths_ns[1] = INT64_MIN; }, "too far away");
  refused([](Of& of) { of.begin_ns = INT64_MIN; }, "too far away");
  refused([](Of& of) { of.agents = -1; }, "too many");
  refused([](Of& of) { of.agents = INT64_MAX; }, "too many");
  refused([](Of& of) { of.kernels[0] = std::string(5000, 'k'); }, "too long");
  refused([](Of& of) { of.ranks.resize(5000, of.ranks[0]); }, "too many");
  EXPECT_FALSE(summaries_from("[]", "n"));
  EXPECT_FALSE(summaries_from("{\"recordings\": [{}]}", "n"));
  EXPECT_FALSE(summaries_from(std::string(100, '['), "n"));
  EXPECT_TRUE(summaries_from(text_of({good}), "n"));
}

/// Another value wherever one stands: of another type, too large, and nested without end. Whatever is still taken can be put together.
TEST_F(RankSummaries, WithAnotherValueInAnyPlaceGiveAnErrorOrAResult) {
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 2, .collectives = 1});
  const std::string good = text_of(reduced(recordings));
  const auto places = values_in(good);
  ASSERT_GT(places.size(), 30U);
  std::size_t refused = 0;
  for (const auto& [at, length] : places) {
    for (const std::string& value :
         {std::string("null"), std::string("true"), std::string("\"text\""), std::string("-1"),
          std::string("1.5"), std::string("1e300"), std::string("18446744073709551615"),
          std::string("-9223372036854775808"), std::string("99999999999999999999999999"),
          std::string("{}"), std::string("[[[[]]]]"), std::string(100'000, '['),
          "\"" + std::string(100'000, 'x') + "\""}) {
      std::string bad = good;
      bad.replace(at, length, value);
      const auto read = summaries_from(bad, "node");
      refused += read ? 0 : 1;
      if (read) {
        ranks_of(*read);
      } else {
        EXPECT_LT(read.error().message.size(), 10'000U) << bad.substr(at, 40);
      }
    }
  }
  EXPECT_GT(refused, places.size() * 5);
}

TEST_F(RankSummaries, ThatCallThemselvesSomethingElseAreRefused) {
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 2, .collectives = 1});
  const std::string good = text_of(reduced(recordings));
  ASSERT_TRUE(summaries_from(good, "node"));
  for (const char* schema : {"rpl.ranks.reduce/2", "rpl.ranks/1", "", "RPL.RANKS.REDUCE/1"}) {
    std::string bad = good;
    bad.replace(bad.find(kRankSummarySchema), std::string_view(kRankSummarySchema).size(), schema);
    EXPECT_EQ(summaries_from(bad, "node").error().code, Errc::corrupt) << schema;
  }
}

/// Ranks that come twice, in one recording or in several, are told or taken once, and cost no more than what they say.
TEST_F(RankSummaries, OfRanksThatComeTwiceAreTakenOnce) {
  const auto recordings = make({.folder = {}, .ranks = 2, .steps = 3, .collectives = 2});
  std::vector<RecordingSummary> twice = reduced(recordings);
  const std::size_t ranks = ranks_of(twice).ranks.ranks.size();
  const std::vector<RecordingSummary> once = twice;
  for (int i = 0; i < 50; ++i) twice.insert(twice.end(), once.begin(), once.end());
  const RanksOfSummaries summed = ranks_of(summaries_from(text_of(twice), "node").value());
  EXPECT_EQ(summed.ranks.ranks.size(), ranks);
  std::vector<RecordingSummary> within = once;
  within[0].ranks.resize(200, within[0].ranks[0]);
  const RanksOfSummaries same = ranks_of(summaries_from(text_of(within), "node").value());
  for (const RankWork& rank : same.ranks.ranks)
    EXPECT_LT(rank.process, same.entities.processes.size());
}

TEST_F(RankSummaries, WithRandomDamageGiveAnErrorOrAResult) {
  const auto recordings = make({.folder = {}, .ranks = 4, .ranks_of_host = 2, .steps = 6});
  const std::string good = text_of(reduced(recordings));
  std::mt19937 random(7);
  std::size_t taken = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    for (auto times = 1 + random() % 3; times > 0; --times) {
      const std::size_t at = random() % bad.size();
      switch (random() % 4) {
        case 0:
          bad[at] = static_cast<char>(random());
          break;
        case 1:
          bad[at] = static_cast<char>('0' + random() % 10);
          break;
        case 2:
          bad.insert(at, "99999999");
          break;
        default:
          bad.erase(at, random() % 40);
      }
    }
    if (const auto read = summaries_from(bad, "node")) {
      ++taken;
      const RanksOfSummaries summed = ranks_of(*read);
      for (const RankWork& rank : summed.ranks.ranks)
        EXPECT_LT(rank.process, summed.entities.processes.size());
    }
  }
  EXPECT_GT(taken, 20U) << "damage of digits leaves a document";
}

}  // namespace
}  // namespace rpl
