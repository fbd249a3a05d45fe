// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "engine/base/files.h"
#include "engine/optimize/store/store.h"
#include "engine/process/run.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// The optimization of an application of two kernels in a session that programs are killed over. What it comes to when nothing is killed is
/// found out once: it takes half a minute.
class KilledApplication : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!fs::exists("/usr/lib/llvm-19/bin/clang")) return;
    place_ = std::make_unique<Place>();
    const std::string examples = std::string(RPL_EXAMPLES) + "/hip/host/";
    fs::copy_file(examples + "host.h", std::string(place_->folder / "host.h"));
    fs::copy_file(examples + "row_features_main.hip", source());
    place_->text = *read_text_file(source());
    const auto built = run({.argv = {RPL_PROGRAM, "build", source(), "-o", program()}});
    ASSERT_TRUE(built && built->ok()) << (built ? built->err.text : built.error().message);
    const auto straight = run({.argv = words(whole())});
    ASSERT_TRUE(straight && straight->ok()) << straight->err.text;
  }
  static void TearDownTestSuite() { place_.reset(); }
  void SetUp() override {
    if (!place_) GTEST_SKIP() << "no clang-19: scripts/setup --full installs it";
  }

  static std::string in_folder(const std::string& name) { return place_->folder / name; }
  static std::string source() { return in_folder("features.hip"); }
  static std::string program() { return in_folder("features"); }
  /// What the last program printed.
  static std::string said() { return in_folder("said"); }
  /// The session of the run that nothing killed.
  static std::string whole() { return in_folder("whole"); }
  static const std::string& text() { return place_->text; }

  static std::vector<std::string> words(const std::string& session) {
    return {RPL_PROGRAM, "--session", session, "optimize", source(), program(), "--rounds", "1"};
  }

  /// How often something of the loop was kept.
  static std::size_t kept(const std::string& session) {
    if (!fs::exists(Session::path_in(session))) return 0;
    auto opened = Session::open(session, {});
    if (!opened) return 0;
    std::size_t count = 0;
    for (const SessionEventKind kind : {SessionEventKind::optimizing, SessionEventKind::proposal,
                                        SessionEventKind::application}) {
      const auto events = (*opened)->events_of(kind);
      count += events ? events->size() : 0;
    }
    return count;
  }

  /// Whether the session's round came to its end: the program built with the winner was confirmed.
  static bool confirmed(const std::string& session) {
    if (!fs::exists(Session::path_in(session))) return false;
    auto opened = Session::open(session, {});
    if (!opened) return false;
    const auto store = ProposalStore::read(**opened);
    if (!store) return false;
    const auto application = store->application();
    return application && !application->confirmed.empty();
  }

  /// Runs until something more was kept, then kills; false when it came to its end before.
  static bool killed_after_one_more(const std::string& session) {
    const std::size_t before = kept(session);
    const std::vector<std::string> argv = words(session);
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> raw;
      for (const std::string& word : argv) raw.push_back(const_cast<char*>(word.c_str()));
      raw.push_back(nullptr);
      if (freopen(said().c_str(), "w", stdout) == nullptr) _exit(126);
      execv(RPL_PROGRAM, raw.data());
      _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (kept(session) > before) kill(child, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return WIFSIGNALED(status);
  }

  /// "unroll …: accepted" of each proposal, once each, sorted; and what was confirmed.
  static std::set<std::string> outcome(const std::string& session) {
    auto opened = std::move(*Session::open(session, {}));
    const ProposalStore store = *ProposalStore::read(*opened);
    std::set<std::string> out;
    for (const Proposal& proposal : store.proposals())
      out.insert(proposal.title + ": " + std::string(to_string(proposal.state)));
    const Application application = *store.application();
    for (const std::int64_t number : application.confirmed)
      out.insert("confirmed " + store.proposal(std::to_string(number))->title);
    out.insert("span " + std::to_string(application.now.span_ns));
    return out;
  }

 private:
  struct Place {
    testing_support::TempDir folder;
    std::string text;
  };
  static inline std::unique_ptr<Place> place_;
};

TEST_F(KilledApplication, ComesToTheSameEndAfterAKillAtEveryStage) {
  const std::string killed = in_folder("killed");
  int kills = 0;
  // A kill between the round's confirmation and the end of the program finds everything kept; called again, the
  // command would begin the next round.
  while (!confirmed(killed) && killed_after_one_more(killed)) {
    ASSERT_LT(++kills, 200) << "it does not get on";
    EXPECT_EQ(*read_text_file(source()), text()) << "after kill " << kills;
  }
  // application, target, capture, profile, select, propose, six stages of three proposals and fewer of one, confirm.
  EXPECT_GT(kills, 15) << *read_text_file(said());
  EXPECT_EQ(outcome(killed), outcome(whole())) << *read_text_file(said());
  EXPECT_EQ(*read_text_file(source()), text());
}

TEST_F(KilledApplication, HasTheOldFileOrTheNewOneWheneverAnApprovalIsKilled) {
  const std::string session = in_folder("kept");
  fs::copy(whole(), session, fs::copy_options::recursive);
  const std::string id = "p3";
  std::string changed;
  {
    auto opened = std::move(*Session::open(session, {}));
    changed = *read_text_file(ProposalStore::read(*opened)->proposal(id)->candidate_source());
  }
  for (int delay_us = 0; delay_us < 40'000; delay_us += 1'000) {
    const pid_t child = fork();
    if (child == 0) {
      if (freopen("/dev/null", "w", stdout) == nullptr ||
          freopen("/dev/null", "w", stderr) == nullptr)
        _exit(126);
      execl(RPL_PROGRAM, RPL_PROGRAM, "--allow", "approve", "--session", session.c_str(), "approve",
            id.c_str(), "--accept-modelled", nullptr);
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string now = *read_text_file(source());
    EXPECT_TRUE(now == text() || now == changed) << "after " << delay_us << " us";
  }
  EXPECT_TRUE(run({.argv = {RPL_PROGRAM, "--allow", "approve", "--session", session, "approve", id,
                            "--accept-modelled"}})
                  .has_value());
  EXPECT_EQ(*read_text_file(source()), changed);
  EXPECT_TRUE(
      run({.argv = {RPL_PROGRAM, "--allow", "approve", "--session", session, "revert", id}})->ok());
  EXPECT_EQ(*read_text_file(source()), text());
}

}  // namespace
}  // namespace rpl
