// SPDX-License-Identifier: MIT
// rpl tunes through a cluster on this machine while jobs are cancelled, a node goes away, and rpl itself is killed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>

#include "engine/document/json.h"
#include "engine/process/background.h"
#include "tests/support/slurm_cluster.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using testing_support::SlurmCluster;
using testing_support::TempDir;
using testing_support::until;
using namespace std::chrono_literals;

/// What rpl is typed: a space of 18 configurations, each of which takes a second.
std::vector<std::string> rpl_line(const TempDir& folder, const std::string& last,
                                  const std::string& partition = "debug") {
  return {RPL_PROGRAM, "-q",
          "-nx",       "-batch",
          "--session", folder / ".rpl",
          "-ex",       "set slurm poll-ms 200",
          "-ex",       "target slurm --partition " + partition + " --runs emu",
          "-ex",       last};
}

/// `before` is what each configuration's program does first, in the shell's words.
std::string autotune(const TempDir& folder, const std::string& options,
                     const std::string& before = "") {
  return fmt::format(
      "autotune/j --space {} --cmd-template 'sh -c \"{}sleep 1; echo took {{A}}{{B}} ms\"' "
      "--no-rocprof --time-pattern 'took ([0-9]+) ms' {}",
      folder / "space.json", before, options);
}

std::size_t results(const TempDir& folder) {
  std::error_code ignored;
  std::size_t out = 0;
  for (std::filesystem::directory_iterator entry(folder / ".rpl/tunings/n1/slurm/results", ignored),
       end;
       !ignored && entry != end; entry.increment(ignored))
    ++out;
  return out;
}

/// Checks that the document has each configuration once, all of them ok; how often any was run again.
std::int64_t requeued_in(const std::string& json, std::size_t configurations) {
  const std::size_t begin = json.find("{\n  \"schema\": \"rpl.");
  std::int64_t requeued = 0;
  std::set<std::string> seen;
  const std::size_t document = json.rfind("{\n  \"schema\"");
  EXPECT_NE(begin, std::string::npos) << json;
  const auto parsed = parse_json(json.substr(document == std::string::npos ? 0 : document));
  EXPECT_TRUE(parsed) << json;
  const Value* rows = parsed ? parsed->find("rows") : nullptr;
  const List* list = rows == nullptr ? nullptr : rows->as<List>();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Value& row = (*list)[i];
    EXPECT_EQ(*row.find("state"), Value("ok")) << *row.find("configuration")->as<std::string>();
    EXPECT_TRUE(seen.insert(*row.find("configuration")->as<std::string>()).second);
    requeued += *row.find("requeued")->as<std::int64_t>();
  }
  EXPECT_EQ(seen.size(), configurations);
  const Value* target = parsed ? parsed->find("target") : nullptr;
  EXPECT_TRUE(target != nullptr && *target == Value("slurm")) << json;
  return requeued;
}

TEST(Slurm, EvaluatesEachConfigurationOnceWhateverHappensToJobsNodesAndRpl) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  const TempDir folder;
  folder.write("space.json", R"({"parameters": {"A": [3, 1, 2, 4, 5, 6], "B": [7, 8, 9]}})");
  constexpr std::size_t kAll = 18;

  // No job ends before this file is there: the one that is cancelled cannot have ended when the signal arrives.
  const std::string gate = folder / "open";
  auto first = Background::start(
      {.argv =
           rpl_line(folder, autotune(folder, "--strategy exhaustive --batch 9 --confirm 0",
                                     fmt::format("until test -e {}; do sleep 0.1; done; ", gate))),
       .cwd = folder.path()});
  ASSERT_TRUE(first) << first.error().message;
  // A job is cancelled from outside while it runs.
  std::string running;
  ASSERT_TRUE(until([&] {
    running =
        SlurmCluster::asked({"squeue", "--noheader", "--array", "--states=RUNNING", "--format=%i"});
    return !running.empty();
  })) << first->printed(OutputStream::out, 0, 10000)
      << first->printed(OutputStream::err, 0, 10000) << cluster.log();
  const std::string job = running.substr(0, running.find('\n'));
  ASSERT_TRUE(run({.argv = {"scancel", job}})->ok());
  ASSERT_TRUE(until([&] {
    return SlurmCluster::asked(
               {"squeue", "--noheader", "--array", "--jobs=" + job, "--states=RUNNING"})
        .empty();
  }));
  folder.write("open", "");
  // A node's daemon goes away in mid-run and comes back.
  ASSERT_TRUE(until([&] { return results(folder) >= 3; }));
  cluster.stop_node(2);
  ASSERT_TRUE(until([&] { return results(folder) >= 5; }));
  cluster.start_node(2);
  ASSERT_TRUE(until([&] { return results(folder) >= 7; }));
  // rpl is killed, its jobs go on; another one takes the tuning up.
  ASSERT_EQ(first->ended(), nullptr) << first->printed(OutputStream::err, 0, 10000);
  const std::string pids =
      SlurmCluster::asked({"pgrep", "-f", "^" RPL_PROGRAM ".*" + folder.path()});
  ASSERT_FALSE(pids.empty());
  kill(std::atoi(pids.c_str()), SIGKILL);
  ASSERT_TRUE(until([&] { return first->ended() != nullptr; }));

  const auto resumed =
      run({.argv = rpl_line(folder, "tune resume/j"), .cwd = folder.path(), .timeout = 240s});
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_TRUE(resumed->ok()) << resumed->err.text << cluster.log();
  const std::int64_t requeued = requeued_in(resumed->out.text, kAll);
  EXPECT_GE(requeued, 1) << "the cancelled one was run again";
  std::printf("[   seen   ] %zu configurations once each, %lld run again; %s", results(folder),
              static_cast<long long>(requeued), resumed->err.text.c_str());
}

/// What the document says of the winner against the default; null when it was not measured again.
Value confirmation_in(const std::string& json) {
  const std::size_t document = json.rfind("{\n  \"schema\"");
  const auto parsed = parse_json(json.substr(document == std::string::npos ? 0 : document));
  const Value* found = parsed ? parsed->find("confirmation") : nullptr;
  return found == nullptr ? Value() : *found;
}

TEST(Slurm, MeasuresTheWinnerAgainOnItsNodesAndGoesOnWhenKilledMeanwhile) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  const TempDir folder;
  folder.write("space.json", R"({"parameters": {"A": [3, 1], "B": [7]}})");
  auto first = Background::start(
      {.argv = rpl_line(folder, autotune(folder, "--batch 2 --confirm 5")), .cwd = folder.path()});
  ASSERT_TRUE(first) << first.error().message;
  const std::string processes = folder / ".rpl/tunings/n1/confirm_1/slurm/results";
  const auto measured = [&] {
    std::error_code ignored;
    return std::distance(std::filesystem::directory_iterator(processes, ignored),
                         std::filesystem::directory_iterator());
  };
  ASSERT_TRUE(until([&] { return std::filesystem::exists(processes) && measured() >= 1; }))
      << first->printed(OutputStream::err, 0, 10000);
  // One of its jobs is cancelled, and rpl is killed.
  const std::string running =
      SlurmCluster::asked({"squeue", "--noheader", "--array", "--states=RUNNING", "--format=%i"});
  if (!running.empty()) (void)run({.argv = {"scancel", running.substr(0, running.find('\n'))}});
  const std::string pids =
      SlurmCluster::asked({"pgrep", "-f", "^" RPL_PROGRAM ".*" + folder.path() + ".*autotune"});
  ASSERT_FALSE(pids.empty());
  kill(std::atoi(pids.c_str()), SIGKILL);
  ASSERT_TRUE(until([&] { return first->ended() != nullptr; }));

  const auto resumed =
      run({.argv = rpl_line(folder, "tune resume/j"), .cwd = folder.path(), .timeout = 240s});
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_TRUE(resumed->ok()) << resumed->err.text << cluster.log();
  EXPECT_EQ(requeued_in(resumed->out.text, 2), 0);
  const Value confirmation = confirmation_in(resumed->out.text);
  ASSERT_FALSE(confirmation.is_null()) << resumed->out.text;
  EXPECT_EQ(*confirmation.find("verdict"), Value("improved"));
  EXPECT_EQ(*confirmation.find("ratio"), Value(37.0 / 17.0));
  EXPECT_EQ(*confirmation.find("samples"), Value(10))
      << "five processes, the second block of each, both sides";
  EXPECT_EQ(measured(), 5) << "those that ran before are counted, none twice";
  EXPECT_TRUE(std::filesystem::exists(folder / ".rpl/tunings/n1/confirm_1/decided.json"));
  // One that is done is judged by new measurements.
  const auto again =
      run({.argv = rpl_line(folder, "tune resume/j"), .cwd = folder.path(), .timeout = 240s});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(confirmation_in(again->out.text), confirmation);
  EXPECT_TRUE(std::filesystem::exists(folder / ".rpl/tunings/n1/confirm_2/decided.json"));
}

TEST(Slurm, RunsOneAtATimeUnderSrun) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  const TempDir folder;
  folder.write("space.json", R"({"parameters": {"A": [3, 1], "B": [7]}})");
  const auto done = run({.argv = rpl_line(folder, autotune(folder, "--batch 1 --confirm 0")),
                         .cwd = folder.path(),
                         .timeout = 120s});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(done->ok()) << done->err.text;
  EXPECT_EQ(requeued_in(done->out.text, 2), 0);
}

TEST(Slurm, SaysAtOnceThatTheClusterTakesNoSuchJob) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  for (const int batch : {1, 2}) {
    const TempDir folder;
    folder.write("space.json", R"({"parameters": {"A": [3, 1], "B": [7]}})");
    const auto refused =
        run({.argv = rpl_line(
                 folder, autotune(folder, fmt::format("--batch {} --confirm 0", batch)), "absent"),
             .cwd = folder.path(),
             .timeout = 120s});
    ASSERT_TRUE(refused) << refused.error().message;
    EXPECT_FALSE(refused->ok()) << refused->out.text;
    EXPECT_NE(refused->out.text.find("the cluster does not take the job: "), std::string::npos)
        << refused->out.text << refused->err.text;
    EXPECT_NE(refused->out.text.find("target slurm --partition P"), std::string::npos)
        << refused->out.text << refused->err.text;
    EXPECT_EQ(results(folder), 0U);
    std::printf("[   seen   ] %s", refused->out.text.c_str());
  }
}

}  // namespace
}  // namespace rpl::tune
