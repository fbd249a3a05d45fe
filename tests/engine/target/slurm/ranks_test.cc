// SPDX-License-Identifier: MIT
// rpl profiles programs of two ranks through a cluster on this machine: all goes well, one rank fails, the job is cancelled, a node goes away.
#include "engine/target/slurm/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/document/json.h"
#include "tests/support/slurm_cluster.h"

namespace rpl::cluster {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing_support::SlurmCluster;
using testing_support::TempDir;
using testing_support::until;
using namespace std::chrono_literals;

RanksRequest asked_for() {
  return {.options = {.account = "proj",
                      .partition = "mi300",
                      .time_limit = "00:05:00",
                      .gpus_per_task = 2,
                      .extra = {"--exclusive"},
                      .program = "/opt/rpl"},
          .name = "rpl-app",
          .ranks = 4,
          .folder = "/shared/out",
          .cwd = "/work",
          .words = {"--target", "emu", "--", "./app"}};
}

TEST(Ranks, AskForWhatIsWanted) {
  const auto line = srun_line(asked_for(), 0);
  for (const char* word : {"--account=proj", "--partition=mi300", "--time=00:05:00",
                           "--gpus-per-task=2", "--exclusive", "--ntasks=4", "--job-name=rpl-app",
                           "--chdir=/work", "--label", "/shared/out", "/opt/rpl"}) {
    EXPECT_THAT(line, Contains(word));
  }
  EXPECT_EQ(line.front(), "srun");
  EXPECT_EQ(line.back(), "./app");
  EXPECT_THAT(srun_line(asked_for(), 2), Contains("/shared/out/again_2"))
      << "a lost job may still write into its folder";
}

TEST(Ranks, FailByThemselvesWithAnErrorOrAProgramThatFails) {
  EXPECT_TRUE(Rank{}.lost());
  EXPECT_FALSE(Rank{}.failed_itself());
  EXPECT_TRUE(
      Rank{.document = *parse_json(R"({"schema": "rpl.error/1", "code": "io"})")}.failed_itself());
  EXPECT_TRUE(
      Rank{.document = *parse_json(R"({"schema": "rpl.profile/1", "run": {"exit_code": 3}})")}
          .failed_itself());
  EXPECT_FALSE(
      Rank{.document = *parse_json(R"({"schema": "rpl.profile/1", "run": {"exit_code": 0}})")}
          .failed_itself());
}

/// `profile` of a script as two ranks, its document printed.
std::vector<std::string> profile_line(const TempDir& folder, const std::string& script) {
  const std::string program =
      folder.write("app", "#!/bin/sh\n" + script + "\nexec " RPL_HIP_EXAMPLE "\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return {RPL_PROGRAM, "-q",
          "-nx",       "-batch",
          "--session", folder / ".rpl",
          "-ex",       "set slurm poll-ms 200",
          "-ex",       "target slurm --partition debug --runs emu",
          "-ex",       "profile/j --quiet --ranks 2 --output " + folder / "out" + " -- " + program};
}

/// The last document that was printed.
Value document_in(const std::string& printed) {
  const std::size_t at = printed.rfind("{\n  \"schema\"");
  const auto parsed = parse_json(printed.substr(at == std::string::npos ? 0 : at));
  EXPECT_TRUE(parsed) << printed;
  return parsed ? *parsed : Value();
}

const Value* field(const Value& document, std::initializer_list<const char*> path) {
  const Value* out = &document;
  for (const char* name : path) out = out == nullptr ? nullptr : out->find(name);
  return out;
}

std::string state_of(const Value& document, std::size_t rank) {
  const Value* ranks = field(document, {"run", "ranks"});
  const List* list = ranks == nullptr ? nullptr : ranks->as<List>();
  return list == nullptr || rank >= list->size() ? "none"
                                                 : *(*list)[rank].find("state")->as<std::string>();
}

/// How often the job was run again, of a profile whose ranks all ended well; `dispatches` from both databases together.
std::int64_t requeued_in(const Value& document) {
  EXPECT_EQ(state_of(document, 0), "ok");
  EXPECT_EQ(state_of(document, 1), "ok");
  const Value* recording = field(document, {"recording"});
  EXPECT_TRUE(recording != nullptr && recording->as<List>() != nullptr &&
              recording->as<List>()->size() == 2);
  const Value* runtime = field(document, {"runtime_ms"});
  const Value* kernel = field(document, {"kernel_runtime_ms"});
  EXPECT_TRUE(runtime != nullptr && kernel != nullptr && runtime->number() &&
              *runtime->number() == *kernel->number())
      << "both ranks count";
  const Value* requeued = field(document, {"run", "requeued"});
  return requeued == nullptr ? -1 : *requeued->as<std::int64_t>();
}

std::string running_job() {
  return SlurmCluster::asked({"squeue", "--noheader", "--states=RUNNING", "--format=%i"});
}

bool both_began(const TempDir& folder) {
  return until([&] {
    return !folder.read("out/rank_0/where.txt").empty() &&
           !folder.read("out/rank_1/where.txt").empty();
  });
}

TEST(Ranks, LeaveADatabaseEachThatMergeIntoOneTrace) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  {
    const TempDir folder;
    auto line = profile_line(folder, ":");
    line.insert(line.end(), {"-ex", "info trace/j"});
    const auto done = run({.argv = line, .cwd = folder.path(), .timeout = 120s});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->ok()) << done->err.text << cluster.log();
    const Value trace = document_in(done->out.text);
    EXPECT_EQ(*field(trace, {"dispatches"}), Value(4));
    EXPECT_EQ(*field(trace, {"processes"}), Value(2));
    EXPECT_EQ(requeued_in(document_in(folder.read("out/profile.json"))), 0);
    for (const char* name : {"out/rank_0.db", "out/rank_1.db", "out/srun.txt"})
      EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    EXPECT_EQ(folder.read("out/rank_1/stdout.txt"), "PASSED\n");
  }
  // A rank that fails by itself is said, and not run again.
  const TempDir folder;
  const auto failed =
      run({.argv = profile_line(folder,
                                R"([ "$SLURM_PROCID" = 0 ] || { )" RPL_HIP_EXAMPLE "; exit 3; }"),
           .cwd = folder.path(),
           .timeout = 120s});
  ASSERT_TRUE(failed) << failed.error().message;
  EXPECT_EQ(failed->code, 1) << failed->err.text;
  const Value document = document_in(failed->out.text);
  EXPECT_EQ(state_of(document, 0), "ok");
  EXPECT_EQ(state_of(document, 1), "failed");
  EXPECT_EQ(*field(document, {"run", "requeued"}), Value(0));
  EXPECT_EQ(*field(document, {"run", "exit_code"}), Value(3));
  EXPECT_THAT(failed->out.text, HasSubstr("rank 1 failed: the program ended with status 3"));
}

TEST(Ranks, RunAgainWhenTheirJobIsCancelledOrANodeGoesAway) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
    GTEST_SKIP() << obstacle;
  SlurmCluster cluster;
  ASSERT_TRUE(cluster.ready()) << cluster.log();
  for (const bool cancelled : {true, false}) {
    const TempDir folder;
    // Ranks wait until they are told to go on.
    auto started = Background::start(
        {.argv = profile_line(folder, "until [ -e " + folder / "go" + " ]; do sleep 0.1; done"),
         .cwd = folder.path()});
    ASSERT_TRUE(started) << started.error().message;
    ASSERT_TRUE(both_began(folder))
        << started->printed(OutputStream::err, 0, 10000) << cluster.log();
    if (cancelled) {
      const std::string job = running_job();
      ASSERT_FALSE(job.empty());
      ASSERT_TRUE(run({.argv = {"scancel", job.substr(0, job.find('\n'))}})->ok());
    } else {
      cluster.stop_node(2);
    }
    // The job is gone; the next one gets both nodes.
    ASSERT_TRUE(until([&] { return folder.read("out/srun.txt").size() > 0; })) << cluster.log();
    if (!cancelled) cluster.start_node(2);
    folder.write("go", "");
    ASSERT_TRUE(until([&] { return started->ended() != nullptr; }, 120s))
        << started->printed(OutputStream::err, 0, 10000) << cluster.log();
    const std::string printed = started->printed(OutputStream::out, 0, 1U << 20U),
                      said = started->printed(OutputStream::err, 0, 10000);
    EXPECT_EQ(requeued_in(document_in(printed)), 1) << said << folder.read("out/srun.txt");
    EXPECT_THAT(printed, HasSubstr("the job was lost and run again once"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/again_1/rank_1/result.json"));
    std::printf("[   seen   ] %s: srun said %s", cancelled ? "cancelled" : "node lost",
                folder.read("out/srun.txt").c_str());
  }
}

}  // namespace
}  // namespace rpl::cluster
