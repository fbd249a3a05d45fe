// SPDX-License-Identifier: MIT
#include "engine/optimize/application/application_loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "engine/base/files.h"
#include "engine/optimize/loop/hashes.h"
#include "engine/optimize/loop/screen.h"
#include "engine/optimize/store/measurements.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An application whose kernels take known times. Each accepted change makes one kernel twice as fast in the program that is built with it.
class TheApplication : public testing::Test {
 protected:
  void SetUp() override {
    session_ = std::move(*Session::open(folder_ / "kept", {}));
    source_ = folder_ / "kernels.hip";
    ASSERT_TRUE(write_file(source_, "0"));
  }

  ApplicationRun run_of(const std::string& program) {
    ApplicationRun out;
    const std::map<std::string, std::int64_t>& times = programs_.at(program);
    for (const auto& [name, ns] : times) out.critical_path_ns += ns;
    out.span_ns = out.critical_path_ns + 10 + slower_ns_[program];
    for (const auto& [name, ns] : times) {
      out.kernels.push_back(
          {.name = name,
           .calls = 2,
           .path_ns = ns,
           .share = static_cast<double>(ns) / static_cast<double>(out.critical_path_ns),
           .longest = 2});
    }
    out.output_sha256 = prints_.contains(program) ? prints_[program] : "same";
    out.exit_code = exits_[program];
    out.modelled = !timed_;
    return out;
  }

  /// By a clock that never shows the same twice: factors around 1, in an order that has nothing to do with which side runs.
  TimedRun timed(const std::string& program) {
    static constexpr std::array kFactors{1.001, 0.998, 1.0, 1.003, 0.9995, 1.002, 0.999};
    const ApplicationRun run = run_of(program);
    timed_programs_.push_back(program);
    double span =
        static_cast<double>(run.span_ns) * kFactors.at(timed_programs_.size() % kFactors.size());
    if (jumpy_ == program && timed_programs_.size() / 4 % 2 == 0) span *= 1.5;
    TimedRun out{.span_ns = span, .output_sha256 = run.output_sha256, .exit_code = run.exit_code};
    if (timed_programs_.size() == odd_run_) out.output_sha256 = "once";
    return out;
  }

  ApplicationTools tools() {
    ApplicationTools out = tools_of_either();
    if (timed_)
      out.time = [this](const std::vector<std::string>& argv) -> Result<TimedRun> {
        return timed(argv.front());
      };
    return out;
  }

  ApplicationTools tools_of_either() {
    return {
        .run = [this](const std::vector<std::string>& argv) -> Result<ApplicationRun> {
          if (dies_.contains(argv.front()))
            return fail(Errc::verification_failed, "the program was ended by SIGSEGV");
          return run_of(argv.front());
        },
        .capture = [this](const std::vector<std::string>& argv, const std::string& kernel,
                          std::uint64_t dispatch, const std::string& folder) -> Status {
          captured_.push_back(kernel + " " + std::to_string(dispatch) +
                              (argv.front() == "/app" ? " of the user's" : " of the rebuilt"));
          if (kernel == refuses_capture_)
            return fail(Errc::unsupported, "it uses what cannot be frozen");
          if (!std::exchange(taken_meanwhile_, false)) return make_folder(folder);
          EXPECT_TRUE(make_folder(folder));
          // As the capture tool says it, inside of the program.
          return fail(Errc::not_found, "it was not captured: " + folder + " exists already");
        },
        .source_of = [this](const std::string&, const std::string&) -> Result<std::string> {
          return source_;
        },
        .build = [this](const Application& application, const std::vector<ReplacedFile>& replaced,
                        const std::string& output) -> Status {
          EXPECT_EQ(replaced.size(), 1U);
          EXPECT_EQ(replaced.front().path, source_);
          programs_[output] =
              programs_.at(application.program.empty() ? "/app" : application.program);
          programs_[output].at(application.kernel) /= 2;
          if (on_build_) on_build_(output);
          return write_file(output, "a program");
        }};
  }

  /// Each round makes two proposals; of a kernel in hopeless_ both are rejected, else both are accepted, the second as the better one.
  KernelStages kernels(ProposalStore& store) {
    return {.begin = [this, &store](const OptimizationGoal& goal) -> Result<StepReport> {
              parents_.push_back(goal.parent);
              Optimization made;
              made.kernel = current_kernel(store);
              made.source = goal.source;
              made.capture = goal.capture;
              made.parent = goal.parent;
              made.reached = Stage::propose;
              EXPECT_TRUE(store.claim(made));
              EXPECT_TRUE(store.save(made));
              for (int i = 0; i < 2; ++i) EXPECT_TRUE(propose(store, made.number));
              StepReport report;
              report.stage = Stage::profile;
              return report;
            },
            .step = [this, &store]() -> Result<StepReport> {
              Proposal proposal = *store.next_open();
              const bool hopeless = hopeless_.contains(current_kernel(store)) ||
                                    rounds_of_[current_kernel(store)] >= most_rounds_;
              if (proposal.number % 2 == 0) ++rounds_of_[current_kernel(store)];
              proposal.state = hopeless ? ProposalState::rejected : ProposalState::accepted;
              proposal.evidence = {
                  {"decide", Value(Record{{"ratio", 1.5 + 0.1 * static_cast<double>(
                                                                    proposal.number % 2 == 0)}})}};
              EXPECT_TRUE(store.save(proposal));
              StepReport report;
              report.stage = Stage::decide;
              report.proposal = std::move(proposal);
              return report;
            }};
  }

  static std::string current_kernel(ProposalStore& store) { return store.application()->kernel; }

  static Status propose(ProposalStore& store, std::int64_t optimization) {
    Proposal proposal;
    proposal.optimization = optimization;
    proposal.origin = "rule";
    TRY(store.claim(proposal));
    TRY(write_file(proposal.candidate_source(), "changed " + proposal.id()));
    return store.save(proposal);
  }

  Application wanted(bool buildable = true) {
    Application out;
    out.argv = {"/app", "--size", "8"};
    if (buildable) out.main_source = source_;
    return out;
  }

  /// Runs to the end, reading the session again before each stage as another program would; gives "stage: found".
  std::vector<std::string> play(bool buildable = true) {
    std::vector<std::string> out;
    for (int i = 0; i < 100; ++i) {
      ProposalStore store = *ProposalStore::read(*session_);
      ApplicationLoop loop(store, kernels(store), tools(), 0.01, listener_);
      const auto step = i == 0 ? loop.begin(wanted(buildable)) : loop.step();
      if (!step) {
        error_ = step.error();
        break;
      }
      out.push_back(fmt::format("{}: {}", to_string(step->stage), step->outcome.found));
    }
    if (auto left = ProposalStore::read(*session_)->application()) end_ = std::move(*left);
    return out;
  }

  testing_support::TempDir folder_;
  std::unique_ptr<Session> session_;
  std::string source_, refuses_capture_;
  bool taken_meanwhile_ =
      false;  ///< the name of the first capture, by the program of an rpl that was killed
  std::map<std::string, std::map<std::string, std::int64_t>> programs_{
      {"/app", {{"big", 700}, {"small", 300}}}};
  std::map<std::string, std::int64_t> slower_ns_;
  std::map<std::string, std::string> prints_;
  std::map<std::string, int> exits_;
  std::function<void(const std::string&)> on_build_;
  /// Asks the check of a test, where it has one.
  class Listener : public StageListener {
   public:
    Result<UserVerdict> check(const CheckSubject& subject) override {
      return asks ? asks(subject) : Result<UserVerdict>(UserVerdict{});
    }
    std::function<Result<UserVerdict>(const CheckSubject&)> asks;
  };
  Listener listener_;
  std::set<std::string> hopeless_, dies_;
  bool timed_ = false;
  std::vector<std::string> timed_programs_;
  std::string jumpy_;        ///< a program whose times are anything
  std::size_t odd_run_ = 0;  ///< which of the timed runs prints something else
  std::map<std::string, int> rounds_of_;
  int most_rounds_ = 1;
  std::vector<std::string> captured_;
  std::vector<std::int64_t> parents_;
  Application end_;
  Error error_{};
};

TEST_F(TheApplication, TakesTheKernelThatDominatesAndThenTheNextOne) {
  most_rounds_ = 2;
  const std::vector<std::string> course = play();
  // 700+300 -> 350+300 -> 175+300: then the other one dominates -> 175+150: the first again, for which nothing more is found -> 175+75.
  EXPECT_THAT(course[1], HasSubstr("target: big has 70 % of the critical path"));
  EXPECT_THAT(course,
              testing::Contains(HasSubstr("retargeted: small has 63 % of the critical path: "
                                          "without it the path would be 2.71 times as fast")));
  EXPECT_THAT(course, testing::Contains(HasSubstr("; big has 37 %, at the beginning it had 70 %")));
  EXPECT_EQ(end_.now.span_ns, 175 + 75 + 10);
  EXPECT_EQ(end_.reached, Stage::end);
  // Both changed the same file: each round builds on the last change to it.
  EXPECT_THAT(end_.confirmed, ElementsAre(2, 4, 6, 10));
  EXPECT_THAT(parents_, testing::ElementsAre(0, 2, 4, 6, 6, 10));
  EXPECT_EQ(captured_.front(), "big 2 of the user's");
  EXPECT_EQ(captured_[1], "big 2 of the rebuilt");
  EXPECT_THAT(error_.message, HasSubstr("a1 is at its end: no other kernel has 5 %"));
}

TEST_F(TheApplication, SaysTheCeilingOfAKernelThatDoesNotDominate) {
  programs_["/app"] = {{"a", 50}, {"b", 50}};
  EXPECT_THAT(play()[1], HasSubstr("a has 50 % of the critical path: without it the path would be "
                                   "2.00 times as fast, and no change to it can do more"));
}

TEST_F(TheApplication, RefusesAFasterKernelInASlowerApplicationAndTriesTheNextBest) {
  int builds = 0;
  on_build_ = [&](const std::string& output) {
    if (builds++ == 0) slower_ns_[output] = 500;
  };
  hopeless_ = {"small"};
  const std::vector<std::string> course = play();
  EXPECT_THAT(course,
              testing::Contains(HasSubstr("confirm: the kernel is faster, the application is not: "
                                          "1.010 us -> 1.160 us, 0.871 times as fast")));
  EXPECT_THAT(end_.confirmed, ElementsAre(1));
  const ProposalStore store = *ProposalStore::read(*session_);
  const Proposal refused = *store.proposal("p2");
  EXPECT_EQ(refused.state, ProposalState::rejected);
  EXPECT_EQ(refused.decided_at, Stage::confirm);
  EXPECT_EQ(refused.reasons.front().rule, "application-regression");
}

TEST_F(TheApplication, RefusesAnotherOutputUnlessTheProgramNeverPrintsTheSame) {
  on_build_ = [&](const std::string& output) { prints_[output] = "other"; };
  hopeless_ = {"small"};
  play();
  EXPECT_THAT(end_.confirmed, ElementsAre());
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-output");
  Application before = end_;
  before.output_repeats = false;
  ApplicationRun now = before.now;
  now.output_sha256 = "other";
  EXPECT_TRUE(confirm(before, now, 0.01).passed);
  now.exit_code = 1;
  EXPECT_EQ(confirm(before, now, 0.01).rule, "application-exit");
}

TEST_F(TheApplication, AsksTheUsersCheckAboutTheProgramWithTheChange) {
  std::vector<std::string> programs;
  listener_.asks = [&](const CheckSubject& subject) -> Result<UserVerdict> {
    EXPECT_EQ(subject.stage, "confirm");
    programs.push_back(subject.program);
    if (subject.proposal != "p2") return UserVerdict{.asked = {"true"}, .against = {}};
    return UserVerdict{.asked = {"false"},
                       .against = Reason{.rule = "check-cmd", .message = "row 7"}};
  };
  hopeless_ = {"small"};
  EXPECT_THAT(play(), testing::Contains(HasSubstr("confirm: refused by your check: row 7")));
  EXPECT_THAT(end_.confirmed, ElementsAre(1)) << "the next best one";
  const ProposalStore store = *ProposalStore::read(*session_);
  EXPECT_EQ(store.proposal("p2")->reasons.front().rule, "check-cmd");
  EXPECT_EQ(store.proposal("p2")->decided_at, Stage::confirm);
  ASSERT_GE(programs.size(), 2U);
  EXPECT_NE(programs[0], programs[1]);
  EXPECT_EQ(end_.program, programs[1]);
}

TEST_F(TheApplication, LeavesAKernelAloneThatCannotBeCaptured) {
  refuses_capture_ = "big";
  const std::vector<std::string> course = play();
  EXPECT_THAT(course,
              testing::Contains("capture: big is left alone: it uses what cannot be frozen"));
  EXPECT_THAT(end_.finished, ElementsAre("big", "small"));
}

TEST_F(TheApplication, TakesAnotherNameForACaptureThatIsThereMeanwhile) {
  taken_meanwhile_ = true;
  play();
  EXPECT_THAT(end_.capture, HasSubstr("capture-"));
  ASSERT_GE(captured_.size(), 2U);
  EXPECT_EQ(captured_[0], captured_[1]) << "the same dispatch again, in another folder";
  EXPECT_THAT(end_.finished, ElementsAre("big", "small"));
}

TEST_F(TheApplication, SaysThatNothingIsConfirmedWhereItCannotBeBuilt) {
  const std::vector<std::string> course = play(false);
  EXPECT_THAT(course, testing::Contains(HasSubstr("confirm: not confirmed with the application")));
  EXPECT_EQ(end_.now.span_ns, end_.first.span_ns);
}

TEST_F(TheApplication, NeedsAKernel) {
  programs_["/app"].clear();
  play();
  EXPECT_EQ(error_.code, Errc::not_found);
}

TEST_F(TheApplication, IsReadBackWholeAndRefusedWhenDamaged) {
  play();
  EXPECT_EQ(to_value(*application_from(to_value(end_))), to_value(end_));
  Value damaged = to_value(end_);
  for (auto& [name, value] : *damaged.as<Record>()) {
    if (name == "now") value = Value("later");
  }
  const auto read = application_from(damaged);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message,
              HasSubstr("the session's application: now: expected an object"));
}

TEST_F(TheApplication, RefusesAChangeWithWhichItDoesNotComeToItsEnd) {
  on_build_ = [&](const std::string& output) { dies_.insert(output); };
  hopeless_ = {"small"};
  EXPECT_THAT(play(),
              testing::Contains(HasSubstr("confirm: with the change the application does not come "
                                          "to its end: the program was ended by SIGSEGV")));
  EXPECT_THAT(end_.confirmed, ElementsAre());
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-exit");
}

class TheTimedApplication : public TheApplication {
 protected:
  TheTimedApplication() { timed_ = true; }
};

TEST_F(TheTimedApplication, IsHeldAgainstItselfAndThenAgainstEachChangeInTurns) {
  hopeless_ = {"small"};
  const std::vector<std::string> course = play();
  EXPECT_THAT(course[0], HasSubstr("2 kernels; against itself it differs by 0."));
  EXPECT_THAT(course[0], HasSubstr(" %, 9 pairs of runs"));
  ASSERT_EQ(timed_programs_.size(), 18U + 10U);
  EXPECT_EQ(std::ranges::count(timed_programs_, "/app"), 18 + 5);
  const std::string& changed = end_.program;
  EXPECT_THAT(std::vector(timed_programs_.begin() + 18, timed_programs_.begin() + 24),
              ElementsAre("/app", changed, changed, "/app", "/app", changed));
  EXPECT_THAT(course, testing::Contains(testing::ContainsRegex(
                          "confirm: the application 1\\.0.. us -> 66.\\.. ns, 1\\.5.. times as "
                          "fast \\(1\\.5.. to 1\\.5..\\), 5 pairs of runs")));
  EXPECT_FALSE(end_.first.modelled);
  EXPECT_GT(end_.noise, 0);
  const Proposal confirmed = *ProposalStore::read(*session_)->proposal("p2");
  EXPECT_EQ(text_in(confirmed.evidence, "confirm", "verdict"), "improved");
  EXPECT_TRUE(check_hash(confirmed, JudgedFile::evidence, evidence_text(confirmed), ""));
  const auto kept = *kept_measurements(*session_);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].kind + " " + kept[0].about, "aa a1");
  EXPECT_EQ(kept[1].kind + " " + kept[1].about, "ab a1 with p2");
  // What was decided follows from the samples alone.
  EXPECT_NEAR(kept[1].decision.ratio, *number_in(confirmed.evidence, "confirm", "ratio"), 1e-12);
}

TEST_F(TheTimedApplication, RefusesARegressionByTheWholeInterval) {
  int builds = 0;
  on_build_ = [&](const std::string& output) {
    if (builds++ == 0) slower_ns_[output] = 500;
  };
  hopeless_ = {"small"};
  EXPECT_THAT(play(), testing::Contains(
                          HasSubstr("confirm: the kernel is faster, the application is not: ")));
  EXPECT_THAT(end_.confirmed, ElementsAre(1));
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-regression");
}

TEST_F(TheTimedApplication, KeepsAChangeThatMakesNoDifference) {
  on_build_ = [&](const std::string& output) { slower_ns_[output] = 350; };
  hopeless_ = {"small"};
  EXPECT_THAT(play(),
              testing::Contains(testing::EndsWith(": no difference above the noise floor")));
  EXPECT_THAT(end_.confirmed, ElementsAre(2));
}

TEST_F(TheTimedApplication, RefusesWhatMayWellBeARegression) {
  int builds = 0;
  on_build_ = [&](const std::string& output) {
    if (builds++ > 0) return;
    slower_ns_[output] = 350;
    jumpy_ = output;
  };
  hopeless_ = {"small"};
  EXPECT_THAT(play(),
              testing::Contains(testing::AllOf(
                  HasSubstr("confirm: whether the application became slower is not decided: "),
                  HasSubstr("13 pairs of runs"))));
  EXPECT_THAT(end_.confirmed, ElementsAre(1)) << "the next best one";
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-undecided");
}

TEST_F(TheTimedApplication, LooksAtWhatEveryRunPrints) {
  hopeless_ = {"small"};
  odd_run_ = 20;  // the first with the change
  play();
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-output");
}

TEST_F(TheTimedApplication, LearnsThatOutputDoesNotRepeat) {
  hopeless_ = {"small"};
  odd_run_ = 7;
  play();
  EXPECT_FALSE(end_.output_repeats);
}

TEST_F(TheTimedApplication, TimesNothingThatBehavesOtherwise) {
  on_build_ = [&](const std::string& output) { exits_[output] = 3; };
  hopeless_ = {"small"};
  play();
  EXPECT_EQ(timed_programs_.size(), 18U);
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->reasons.front().rule,
            "application-exit");
}

TEST(Overlay, NamesEachFileByItsUsersPath) {
  EXPECT_EQ(
      overlay_text({{"/a b/\"k\".hip", "/s/p1/candidate.hip"}}),
      R"({"version": 0, "case-sensitive": true, "use-external-names": false, "roots": [{"name": "/a b/\"k\".hip", "type": "file", "external-contents": "/s/p1/candidate.hip"}]})");
}

}  // namespace
}  // namespace rpl
