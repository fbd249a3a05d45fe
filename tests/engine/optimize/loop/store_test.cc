// SPDX-License-Identifier: MIT
#include "engine/optimize/store/store.h"
#include "engine/document/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/document/bound.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

class Store : public testing::Test {
 protected:
  std::unique_ptr<Session> session() { return std::move(*Session::open(folder_ / "kept", {})); }

  static ProposalStore read(Session& session) {
    auto store = ProposalStore::read(session);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return std::move(*store);
  }

  testing_support::TempDir folder_;
};

Proposal with_everything(std::int64_t optimization) {
  Proposal out;
  out.optimization = optimization;
  out.origin = "rule";
  out.rule = "loop-unroll";
  out.title = "unroll \"it\"\n";
  out.why = "because";
  out.bit_exact = true;
  out.state = ProposalState::rejected;
  out.decided_at = Stage::verify;
  out.reasons = {{"wrong-values", "element 3", 0}, {"header", "line", 7}};
  out.evidence = {{"decide", Value(Record{{"ratio", 1.25}, {"verdict", "improved"}})}};
  return out;
}

TEST_F(Store, ReadsBackWhatItKept) {
  const auto writer = session();
  ProposalStore store = read(*writer);
  Optimization optimization;
  optimization.kernel = "softmax";
  optimization.source = "/a b/softmax.hip";
  optimization.flags = {"-DX=1", "-g"};
  optimization.reached = Stage::profile;
  optimization.profile = {{"cycles", 17}};
  ASSERT_TRUE(store.claim(optimization));
  ASSERT_TRUE(store.save(optimization));
  Proposal proposal = with_everything(optimization.number);
  ASSERT_TRUE(store.claim(proposal));
  ASSERT_TRUE(store.save(proposal));

  const auto reader = session();
  const ProposalStore again = read(*reader);
  ASSERT_EQ(again.optimizations().size(), 1U);
  EXPECT_EQ(to_value(again.optimizations().front()), to_value(optimization));
  EXPECT_EQ(again.optimizations().front().folder, optimization.folder);
  ASSERT_EQ(again.proposals().size(), 1U);
  EXPECT_EQ(to_value(again.proposals().front()), to_value(proposal));
  EXPECT_EQ(number_in(again.proposals().front().evidence, "decide", "ratio"), 1.25);
}

TEST_F(Store, TheLastRecordIsHowItStands) {
  const auto writer = session();
  ProposalStore store = read(*writer);
  Proposal proposal = with_everything(1);
  proposal.state = ProposalState::proposed;
  ASSERT_TRUE(store.claim(proposal));
  ASSERT_TRUE(store.save(proposal));
  proposal.state = ProposalState::guarded;
  ASSERT_TRUE(store.save(proposal));
  EXPECT_EQ(read(*writer).proposal("p1")->state, ProposalState::guarded);
  EXPECT_EQ(writer->events_of(SessionEventKind::proposal)->size(), 2U);
}

TEST_F(Store, TwoProgramsNeverGetTheSameNumber) {
  const auto one = session(), two = session();
  ProposalStore first = read(*one), second = read(*two);
  Proposal a, b;
  ASSERT_TRUE(first.claim(a));
  ASSERT_TRUE(second.claim(b));
  EXPECT_NE(a.number, b.number);
  EXPECT_NE(a.folder, b.folder);
}

TEST_F(Store, FindsFilesWhereTheSessionIsNow) {
  {
    const auto writer = session();
    ProposalStore store = read(*writer);
    Proposal proposal = with_everything(1);
    ASSERT_TRUE(store.claim(proposal));
    ASSERT_TRUE(write_file(proposal.patch(), "a patch"));
    ASSERT_TRUE(store.save(proposal));
  }
  std::filesystem::rename(folder_ / "kept", folder_ / "moved");
  const auto moved = std::move(*Session::open(folder_ / "moved", {}));
  EXPECT_EQ(*read_text_file(read(*moved).proposal("p1")->patch()), "a patch");
}

TEST_F(Store, SaysWhatThereIs) {
  const auto writer = session();
  ProposalStore store = read(*writer);
  EXPECT_THAT(store.current().error().hint, HasSubstr("step --source"));
  EXPECT_THAT(store.proposal("p1").error().hint, HasSubstr("propose rule"));
  Proposal proposal = with_everything(1);
  ASSERT_TRUE(store.claim(proposal));
  ASSERT_TRUE(store.save(proposal));
  EXPECT_THAT(store.proposal("p2").error().hint, HasSubstr("p1 to p1"));
  EXPECT_FALSE(store.proposal("1x"));
  EXPECT_TRUE(store.proposal("1"));
}

TEST_F(Store, RefusesRecordsOfAnotherShape) {
  for (const char* field : {"number", "state", "evidence", "reasons", "title"}) {
    Value value = to_value(with_everything(1));
    for (auto& [name, held] : *value.as<Record>()) {
      if (name == field) held = Value(Record{});
    }
    // Any record is evidence.
    if (std::string(field) == "evidence")
      std::erase_if(*value.as<Record>(), [](const auto& each) { return each.first == "evidence"; });
    const auto read_back = from_value<Proposal>(value, "p");
    ASSERT_FALSE(read_back) << field;
    EXPECT_EQ(read_back.error().code, Errc::corrupt);
    EXPECT_THAT(read_back.error().message, HasSubstr(field));
  }
  EXPECT_FALSE(optimization_from(Value("text")));
}

TEST_F(Store, TellsOnceWhatRecordsOfEarlierVersionsLack) {
  const auto writer = session();
  for (int state = 0; state < 2; ++state) {
    Proposal proposal = with_everything(1);
    proposal.number = 1;
    Value body = to_value(proposal);
    std::erase_if(*body.as<Record>(), [](const auto& field) { return field.first == "assumes"; });
    ASSERT_TRUE(writer->append({.kind = SessionEventKind::proposal, .what = "p1", .body = body}));
  }
  Optimization optimization;
  optimization.number = 1;
  Value body = to_value(optimization);
  std::erase_if(*body.as<Record>(), [](const auto& field) {
    return field.first == "source_versions" || field.first == "parent";
  });
  body.as<Record>()->emplace_back("source_sha256", Value("abc"));
  ASSERT_TRUE(writer->append({.kind = SessionEventKind::optimizing, .what = "o1", .body = body}));
  const ProposalStore store = read(*writer);
  EXPECT_THAT(store.notes(), testing::ElementsAre(
                                 "the session's optimization: parent is missing; its default holds",
                                 "the session's proposal: assumes is missing; its default holds"));
  EXPECT_EQ(store.proposals().front().assumes, "");
  EXPECT_EQ(store.optimizations().front().source_versions, std::vector<std::string>{"abc"});
}

}  // namespace
}  // namespace rpl
