// SPDX-License-Identifier: MIT
// Who may be asked.
#include "shell/commands/optimize/model_session.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/session_log.h"
#include "shell/render/render.h"
#include "tests/support/temp_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace rpl {
namespace {

using ::testing::HasSubstr;

class Consent : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    ASSERT_TRUE(context_.log().start(
        {.folder = folder_ / "session", .create = SessionLog::Create::at_once}));
    ASSERT_TRUE(context_.settings().set("llm endpoint", Value("https://models.example.com/v1")));
  }
  /// A person who answers sits at the prompt.
  void attend() {
    console_.attend([this](const TerminalText& question) {
      questions_.emplace_back(question.bytes());
      return answer_;
    });
  }

  testing_support::TempDir folder_;
  Context context_;
  Console console_{context_, render, [](OutputBytes) { return Status(); },
                   [](OutputBytes) { return Status(); }};
  std::vector<std::string> questions_;
  bool answer_ = true;
};

TEST_F(Consent, OfAPersonIsAskedOnceForEachServerAndRemembered) {
  attend();
  ASSERT_TRUE(ModelSession::open(context_, {}));
  ASSERT_TRUE(ModelSession::open(context_, {}));
  ASSERT_EQ(questions_.size(), 1U);
  EXPECT_THAT(questions_[0], HasSubstr("https://models.example.com:443"));
  ASSERT_TRUE(context_.settings().set("llm endpoint", Value("https://other.example.com/v1")));
  ASSERT_TRUE(ModelSession::open(context_, {}));
  EXPECT_EQ(questions_.size(), 2U);
}

TEST_F(Consent, ThatIsRefusedIsAskedForAgain) {
  attend();
  answer_ = false;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(ModelSession::open(context_, {}).error().code, Errc::denied);
  EXPECT_EQ(questions_.size(), 2U);
}

TEST_F(Consent, OfScriptsIsASetting) {
  EXPECT_EQ(ModelSession::open(context_, {}).error().code, Errc::denied);
  ASSERT_TRUE(context_.settings().set("llm consent", Value(true)));
  EXPECT_TRUE(ModelSession::open(context_, {}));
  EXPECT_TRUE(questions_.empty()) << "nobody is there";
}

TEST_F(Consent, IsNotNeededWhereNothingIsSent) {
  folder_.write("c.jsonl", "");
  ASSERT_TRUE(context_.settings().set("llm cassette", Value(folder_ / "c.jsonl")));
  ASSERT_TRUE(context_.settings().set("llm cassette-mode", Value("replay")));
  EXPECT_TRUE(ModelSession::open(context_, {}));
  ASSERT_TRUE(context_.settings().set("llm cassette-mode", Value("auto")));
  EXPECT_FALSE(ModelSession::open(context_, {}));
}

}  // namespace
}  // namespace rpl
