// SPDX-License-Identifier: MIT
// What becomes of a model's replies: those of the corpus of answers, honest and not, and the repair of what did not pass. The compiler alone is made up.
#include "engine/optimize/rounds/model_round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "tests/support/model_server.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing_support::ModelServer;
using testing_support::ServerAnswer;
using testing_support::streamed_answer;

constexpr const char* kBase =
    "#include <hip/hip_runtime.h>\n#define TWICE(x) ((x) * SCALE)\n#define SCALE 2.0f\n__device__ "
    "float helper(float x) { return TWICE(x); }\n"
    "__device__ float unused(float x) { return x; }\n__global__ void scale(float* x) {\n  "
    "x[threadIdx.x] = helper(x[threadIdx.x]);\n}\nint main() {}\n";

std::string answer_with(const std::string& body, const std::string& strategy = "") {
  return (strategy.empty() ? "" : "Strategy: " + strategy + "\n\n") +
         "```cpp\n__global__ void scale(float* x) {\n" + body + "\n}\n```\n";
}

/// A session with one optimization, and a model that answers from a script.
class Replies : public ::testing::Test {
 protected:
  void begin(const std::string& source, const std::string& kernel) {
    session_ = Session::open(folder_ / ("session" + std::to_string(++sessions_)), {}).value();
    store_.emplace(ProposalStore::read(*session_).value());
    base_ = {};
    base_.kernel = kernel;
    base_.source = folder_.write("k.hip", source);
    base_.source_versions = {sha256_hex(source)};
    base_.capture = "c";
    base_.architecture = "gfx942";
    ASSERT_TRUE(store_->claim(base_));
    ASSERT_TRUE(write_file(base_.base_source(), source));
    base_.reached = Stage::profile;
    ASSERT_TRUE(store_->save(base_));
  }

  Result<ModelRound> ask(const ModelServer& server) {
    auto log = ModelLog::read(*session_).value();
    auto client = llm::Client::make({.endpoint = server.url(),
                                     .key = {},
                                     .key_header = {},
                                     .consent = true,
                                     .cassette = {}},
                                    {.most_requests = 100, .most_tokens = 1'000'000},
                                    {.transport = transport_.get(),
                                     .clock = llm::real_clock(),
                                     .on_attempt =
                                         [&](const llm::Attempt& attempt) {
                                           return log.attempted(attempt, "here", base_.number);
                                         }})
                      .value();
    ModelQuestion question{.parts = {}, .model = "m", .temperature = {}};
    question.parts.kernel = base_.kernel;
    return ask_for_patch(base_, question, *store_,
                         {.client = &client,
                          .log = &log,
                          .step = [this](Proposal p) { return step(std::move(p)); },
                          .monitor = {}});
  }

  /// Guard as it is; a compiler that takes everything but the word `error`.
  Result<StepReport> step(Proposal proposal) {
    StepReport out;
    Workbench bench;
    bench.optimization = &base_;
    if (proposal.state == ProposalState::proposed) {
      out.outcome = TRY(advance(proposal, Stage::guard, bench));
    } else if (TRY(read_text_file(proposal.candidate_source())).find("error") !=
               std::string::npos) {
      proposal.state = ProposalState::rejected;
      proposal.decided_at = Stage::build;
      proposal.reasons = {{"does-not-compile", "use of undeclared identifier 'error'", 7}};
    } else {
      proposal.state = ProposalState::built;
    }
    TRY(store_->save(proposal));
    out.proposal = proposal;
    return out;
  }

  std::vector<std::string> refusals() const {
    std::vector<std::string> out;
    const auto log = ModelLog::read(*session_);
    for (const RefusedReply& reply : log->refusals()) out.push_back(reply.reasons.front().rule);
    return out;
  }

  testing_support::TempDir folder_;
  std::unique_ptr<Session> session_;
  std::optional<ProposalStore> store_;
  Optimization base_;
  std::unique_ptr<llm::Transport> transport_ = llm::make_transport();
  int sessions_ = 0;
};

TEST_F(Replies, ThatPassBecomeProposals) {
  begin(kBase, "scale");
  const ModelServer server({streamed_answer(
      llm::Dialect::chat,
      answer_with("  const float v = x[threadIdx.x];\n  x[threadIdx.x] = helper(v);",
                  "**one load** `v`."))});
  const auto round = ask(server);
  ASSERT_TRUE(round) << round.error().message;
  ASSERT_TRUE(round->proposal);
  EXPECT_EQ(round->proposal->origin, "model");
  EXPECT_EQ(round->proposal->title, "one load v");
  EXPECT_EQ(round->proposal->state, ProposalState::built);
  EXPECT_EQ(text_in(round->proposal->evidence, "propose", "model"), "example-model");
  EXPECT_EQ(ModelLog::read(*session_)->requests(), 1);
  EXPECT_EQ(ModelLog::read(*session_)->tokens(), 1500);
}

TEST_F(Replies, ThatFailGoBackWithTheReasonsTwiceAtMost) {
  begin(kBase, "scale");
  const ModelServer server(
      {streamed_answer(llm::Dialect::chat, "no code"),
       streamed_answer(llm::Dialect::chat, answer_with("  error(x);")),
       streamed_answer(llm::Dialect::chat, answer_with("  x[threadIdx.x] += x[threadIdx.x];"))});
  const auto round = ask(server);
  ASSERT_TRUE(round) << round.error().message;
  ASSERT_THAT(round->tries, SizeIs(3));
  EXPECT_TRUE(round->proposal);
  const auto requests = server.requests();
  EXPECT_THAT(requests.at(1).body,
              AllOf(HasSubstr("no-block: the answer holds no fenced code block"),
                    HasSubstr("\"role\": \"assistant\", \"content\": \"no code\"")));
  EXPECT_THAT(
      requests.at(2).body,
      HasSubstr(
          "does-not-compile: use of undeclared identifier 'error', in the line `  error(x);`"));
  EXPECT_THAT(refusals(), ElementsAre("no-block"));
}

TEST_F(Replies, ThatNeverPassEndTheRound) {
  begin(kBase, "scale");
  const ModelServer server({streamed_answer(llm::Dialect::chat, answer_with("  error(x);"))});
  const auto round = ask(server);
  ASSERT_TRUE(round);
  EXPECT_FALSE(round->proposal);
  ASSERT_THAT(round->tries, SizeIs(3));
  EXPECT_EQ(round->tries[1].reasons.front().rule, "tried-before") << "the same again";
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(Replies, ThatChangeNothingAreRefused) {
  begin(kBase, "scale");
  const ModelServer server(
      {streamed_answer(llm::Dialect::chat,
                       answer_with("  // better\n  x[threadIdx.x]   = helper(x[threadIdx.x]);"))});
  ASSERT_TRUE(ask(server));
  EXPECT_THAT(refusals(), ElementsAre("no-change", "no-change", "no-change"));
}

TEST_F(Replies, ThatWereCutOffAreRefused) {
  begin(kBase, "scale");
  ServerAnswer cut =
      testing_support::whole_answer(llm::Dialect::chat, answer_with("  x[threadIdx.x] = 1;"));
  cut.body.replace(cut.body.find("\"stop\""), 6, "\"length\"");
  const ModelServer server({cut});
  ASSERT_TRUE(ask(server));
  EXPECT_THAT(refusals(), ElementsAre("cut-off", "cut-off", "cut-off"));
}

std::string words(const Value& record, std::string_view name) {
  const Value* value = record.find(name);
  const auto* text = value ? value->as<std::string>() : nullptr;
  return text ? *text : "";
}

TEST_F(Replies, OfTheCorpusAreDecidedAsWanted) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  const auto text = read_text_file(path);
  if (!text) GTEST_SKIP() << "no " << path;
  std::size_t seen = 0;
  const Value corpus = parse_json(*text).value();
  for (const Value& one : *corpus.as<List>()) {
    if (words(one, "decided_by") == "unroll rule") continue;
    // Written before instructions were let in: what they do is judged on the machine code.
    if (words(one, "id") == "asm") continue;
    begin(words(one, "source"), words(one, "kernel"));
    const ModelServer server({streamed_answer(llm::Dialect::chat, words(one, "response"))});
    const auto round = ask(server);
    ASSERT_TRUE(round) << words(one, "id") << ": " << round.error().message;
    // What only verification can tell gets as far as a build.
    const bool passes =
        words(one, "want") == "accept" || words(one, "decided_by") == "verification";
    EXPECT_EQ(round->proposal.has_value(), passes) << words(one, "id");
    EXPECT_EQ(refusals().size(), passes ? 0U : 3U) << words(one, "id");
    EXPECT_EQ(ModelLog::read(*session_)->requests(), passes ? 1 : 3) << words(one, "id");
    ++seen;
  }
  EXPECT_GT(seen, 20U);
}

}  // namespace
}  // namespace rpl
