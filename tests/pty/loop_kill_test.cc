// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "engine/base/files.h"
#include "engine/optimize/store/store.h"
#include "engine/process/run.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// The optimization of a softmax in a session that programs are killed over.
class KilledLoop : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("/usr/lib/llvm-19/bin/clang"))
      GTEST_SKIP() << "no clang-19: scripts/setup --full installs it";
    fs::copy_file(std::string(RPL_EXAMPLES) + "/hip/softmax.hip", source_);
  }

  [[nodiscard]] std::string first_step() const {
    return "step --source " + source_ + " --capture " + RPL_EXAMPLES + "/captures/softmax";
  }

  /// Runs rpl over the lines of `script` until `enough` of what it printed, then kills it. What came is returned.
  template <class Enough>
  std::string killed_when(const std::string& script, const Enough& enough) {
    int in[2], out[2];
    EXPECT_EQ(pipe(in), 0);
    EXPECT_EQ(pipe(out), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
      execl(RPL_PROGRAM, RPL_PROGRAM, "-q", "-nx", "--session", session_.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    EXPECT_EQ(write(in[1], script.data(), script.size()), static_cast<ssize_t>(script.size()));
    std::string text;
    char byte = 0;
    while (read(out[0], &byte, 1) == 1) {
      text += byte;
      if (byte == '\n' && enough(text)) kill(child, SIGKILL);
    }
    close(in[1]);
    close(out[0]);
    waitpid(child, nullptr, 0);
    return text;
  }

  /// One command, to its end.
  std::string said(std::vector<std::string> words) {
    words.insert(words.begin(), {RPL_PROGRAM, "--session", session_});
    const auto exit = run({.argv = words});
    EXPECT_TRUE(exit.has_value());
    return exit ? exit->out.text + exit->err.text : "";
  }

  /// Makes one more proposal, which gains more than the model may be off, and takes it to its decision. Which one.
  std::string accept_restrict() {
    said({"propose", "rule", "restrict", "--assume-captured"});
    const std::string id = store().proposals().back().id();
    said({"finish", id});
    EXPECT_EQ(store().proposal(id)->state, ProposalState::accepted);
    return id;
  }

  ProposalStore store() {
    opened_ = std::move(*Session::open(session_, {}));
    auto store = ProposalStore::read(*opened_);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    return std::move(*store);
  }

  testing_support::TempDir folder_;
  const std::string source_ = folder_ / "softmax.hip", session_ = folder_ / "kept";
  std::unique_ptr<Session> opened_;
};

TEST_F(KilledLoop, GoesOnAfterEveryStage) {
  // Each program is killed when it has reported one stage; the next one must go on with the stage that was announced.
  std::string announced = "profile";
  std::vector<std::string> stages;
  for (int program = 0; program < 9; ++program) {
    const std::string command = program == 0 ? first_step() + "\n" : "step\n";
    const std::string text = killed_when(command + "echo never\n", [](const std::string& so_far) {
      return so_far.find("\nnext ") != std::string::npos;
    });
    stages.push_back(text.substr(0, text.find(' ')));
    EXPECT_EQ(stages.back(), announced) << text;
    const std::size_t next = text.find("\nnext ");
    ASSERT_NE(next, std::string::npos) << text;
    const std::string line = text.substr(next + 1, text.find('\n', next + 1) - next - 1);
    announced = line.substr(line.rfind(' ') + 1);
  }
  EXPECT_EQ(stages.back(), "decide");
  // What p1 gains is less than the model may be off.
  EXPECT_EQ(store().proposal("p1")->state, ProposalState::rejected);
  const std::string id = accept_restrict();
  EXPECT_NE(said({"--allow", "approve", "approve", id, "--accept-modelled"}).find("revert " + id),
            std::string::npos);
  EXPECT_EQ(store().proposal(id)->state, ProposalState::approved);
}

TEST_F(KilledLoop, MakesNoProposalTwice) {
  said({"iterate", "--source", source_, "--capture",
        std::string(RPL_EXAMPLES) + "/captures/softmax", "--to", "select"});
  const pid_t child = fork();
  if (child == 0) {
    execl(RPL_PROGRAM, RPL_PROGRAM, "--session", session_.c_str(), "step", nullptr);
    _exit(127);
  }
  // In the middle of making many; it may be done before we look, which is no failure.
  while (!fs::exists(session_ + "/proposals/p4") && waitpid(child, nullptr, WNOHANG) == 0) {
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::size_t before = store().proposals().size();
  said({"iterate", "--to", "propose"});
  const ProposalStore now = store();
  EXPECT_GE(now.proposals().size(), std::max<std::size_t>(before, 12));
  std::set<std::pair<std::string, std::string>> known;
  for (const Proposal& proposal : now.proposals()) {
    EXPECT_TRUE(known.emplace(proposal.rule, proposal.title).second) << proposal.title;
    EXPECT_TRUE(fs::exists(proposal.candidate_source())) << proposal.id();
    EXPECT_TRUE(fs::exists(proposal.patch())) << proposal.id();
  }
}

TEST_F(KilledLoop, FinishesAnApprovalThatWasCutOff) {
  said({"iterate", "--source", source_, "--capture",
        std::string(RPL_EXAMPLES) + "/captures/softmax", "--to", "propose"});
  const std::string id = accept_restrict();
  // What a program leaves that is killed between replacing the file and saying so.
  const Proposal accepted = *store().proposal(id);
  ASSERT_EQ(accepted.state, ProposalState::accepted);
  fs::copy_file(source_, accepted.backup());
  fs::copy_file(accepted.candidate_source(), source_, fs::copy_options::overwrite_existing);
  said({"--allow", "approve", "approve", id, "--accept-modelled"});
  EXPECT_EQ(store().proposal(id)->state, ProposalState::approved);
  said({"--allow", "approve", "revert", id});
  EXPECT_EQ(*read_text_file(source_),
            *read_text_file(std::string(RPL_EXAMPLES) + "/hip/softmax.hip"));
}

}  // namespace
}  // namespace rpl
