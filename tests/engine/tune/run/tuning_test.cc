// SPDX-License-Identifier: MIT
#include "engine/tune/run/tuning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "engine/tune/run/executors.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

/// Times that a formula gives, so that no program has to run; dies after so many.
class Formula : public Executor {
 public:
  Formula(const Space& space, std::size_t most) : space_(space), most_(most) {}
  Status evaluate(std::span<const std::size_t> points, const Finished& finished) override {
    for (const std::size_t point : points) {
      if (measured++ == most_) kill(getpid(), SIGKILL);
      Evaluation one{.point = point, .ok = point % 11 != 3};
      if (one.ok)
        one.samples_ns = {1000.0 + 7 * std::abs(static_cast<double>(space_.places(point)[0]) - 5) +
                          static_cast<double>(point * 2654435761U % 97)};
      TRY(finished(std::move(one)));
    }
    return {};
  }
  std::size_t measured = 0;

 private:
  const Space& space_;
  std::size_t most_;
};

Space grid() {
  Parameter a{"A", {}}, b{"B", {}};
  for (int i = 0; i < 12; ++i) a.values.emplace_back(i);
  for (int i = 0; i < 10; ++i) b.values.emplace_back(i);
  return *Space::product({a, b}, {});
}

struct KeptRun {
  SearchOutcome outcome;
  std::string cache;
};

KeptRun run_in(const std::string& session_folder, std::size_t most, std::size_t batch) {
  auto session = *Session::open(session_folder, {"test", {}});
  auto store = *TuningStore::read(*session);
  Plan plan{.work = {.command = {"./app", "{A}", "{B}"}},
            .search = {.seed = 4, .budget = 60},
            .batch = batch};
  Tuning tuning = store.all().empty() ? *store.begin(grid(), plan) : *store.tuning("");
  Cache cache = *store.evaluations(tuning);
  Formula executor(tuning.space, most);
  auto outcome = run_search(tuning.space, tuning.plan.search, tuning.plan.batch, cache, executor,
                            [&](const Evaluation& one) { return store.keep(tuning, one); }, {});
  EXPECT_TRUE(outcome) << outcome.error().message;
  return {
      .outcome = *outcome,
      .cache = cache_text({.space = tuning.space, .cache = *store.evaluations(tuning), .about = {}})
                   .string()};
}

TEST(Tuning, TellsHowFarItIsWithoutCountingTwice) {
  const Space space = grid();
  Formula executor(space, 1000);
  Cache cache;
  std::uint64_t last = 0, reports = 0;
  Monitor monitor;
  monitor.progress = [&](std::string_view, std::uint64_t done, std::uint64_t total) {
    EXPECT_LE(done, total);
    EXPECT_GE(done, last);
    EXPECT_LE(done, last + 1);
    last = done;
    ++reports;
  };
  const auto outcome = run_search(
      space, {.seed = 4, .budget = 30}, 4, cache, executor,
      [](const Evaluation&) { return Status(); }, monitor);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(last, outcome->order.size());
  EXPECT_GE(reports, 30U);
}

TEST(Tuning, KilledAndResumedIsNeverKilled) {
  for (const std::size_t batch : {1U, 5U}) {
    const TempDir whole, killed;
    const KeptRun never = run_in(whole / ".rpl", 1000, batch);
    for (const std::size_t most : {7U, 20U}) {
      const pid_t child = fork();
      if (child == 0) {
        run_in(killed / ".rpl", most, batch);
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      ASSERT_TRUE(WIFSIGNALED(status)) << "it was to be killed after " << most;
    }
    const KeptRun resumed = run_in(killed / ".rpl", 1000, batch);
    EXPECT_EQ(resumed.outcome.order, never.outcome.order);
    EXPECT_EQ(resumed.outcome.best, never.outcome.best);
    EXPECT_EQ(resumed.outcome.measured_now + 27, never.outcome.measured_now);
    EXPECT_EQ(resumed.cache, never.cache);
  }
}

TEST(TuningStore, GivesBackWhatWasKept) {
  const TempDir folder;
  auto session = *Session::open(folder / ".rpl", {"test", {}});
  auto store = *TuningStore::read(*session);
  Plan plan{.work = {.command = {"./app", "{A}"}},
            .search = {.strategy = "phases", .seed = 18446744073709551615U, .budget = 9},
            .batch = 3,
            .executor = "slurm",
            .confirm = 0};
  auto tuning = store.begin(grid(), plan);
  ASSERT_TRUE(tuning);
  ASSERT_TRUE(store.keep(*tuning, {.point = 5, .ok = false, .stage = "build", .reason = "no"}));
  tuning->state = "done";
  ASSERT_TRUE(store.save(*tuning));
  const auto again = *TuningStore::read(*session);
  const auto found = again.tuning("n1");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->state, "done");
  EXPECT_EQ(found->space.digest(), tuning->space.digest());
  EXPECT_EQ(to_value(found->plan), to_value(plan));
  EXPECT_EQ(again.evaluations(*found)->find(5)->reason, "no");
  EXPECT_THAT(again.tuning("n7").error().hint, HasSubstr("n1 to n1"));
  // Another space in its folder is noticed.
  folder.write(".rpl/tunings/n1/space.json", R"({"parameters": {"A": [1, 2]}})");
  EXPECT_EQ(again.tuning("n1").error().code, Errc::corrupt);
}

TEST(RecordedExecutor, AnswersByConfigurationAndNamesWhatIsMissing) {
  const Space old = *Space::product({Parameter{"A", {1, 2}}}, {}),
              now = *Space::product({Parameter{"A", {3, 2}}}, {});
  Cache cache;
  Evaluation one{.point = 1, .ok = true};
  one.samples_ns = {5};
  cache.add(one);
  RecordedExecutor executor(now, {{old, cache}});
  std::vector<Evaluation> got;
  const auto take = [&](Evaluation found) -> Status {
    got.push_back(std::move(found));
    return {};
  };
  const std::size_t known[] = {1}, missing[] = {0};
  ASSERT_TRUE(executor.evaluate(known, take));
  EXPECT_EQ(got.at(0).point, 1U);
  const auto failed = executor.evaluate(missing, take);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("A=3"));
}

}  // namespace
}  // namespace rpl::tune
