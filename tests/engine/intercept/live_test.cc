// SPDX-License-Identifier: MIT
// The capture tool in AMD's own HIP and HSA runtimes over the stand-in for the kernel driver: what it freezes replays byte by byte on the
// emulated device, and the program notices nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <map>

#include "engine/base/files.h"
#include "engine/capture/find_captures.h"
#include "engine/intercept/report.h"
#include "engine/process/background.h"
#include "engine/source/build/build.h"
#include "tests/engine/device/hip/replayed.h"
#include "tests/support/hsakmt/with_driver.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct Wish {
  std::string kernel;
  int dispatch = 1;
  std::vector<std::string> more = {};
};

class Live : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_runtime("libamdhip64.so.5"); !missing.empty())
      GTEST_SKIP() << missing;
    auto found = find_compiler();
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = std::move(*found);
  }

  /// Once for all tests.
  std::string built(const std::string& source) {
    static const testing_support::TempDir kept;
    const std::string program = kept / fs::path(source).stem().string();
    if (fs::exists(program)) return program;
    // That HIP does not know code objects of version 5.
    const auto outcome = build_hip(compiler_, {.source = source,
                                               .architecture = "gfx90a",
                                               .output = program,
                                               .device_only = false,
                                               .flags = {"-mcode-object-version=4"}});
    EXPECT_TRUE(outcome && outcome->built)
        << (outcome ? first_error(*outcome) : outcome.error().message);
    return program;
  }

  Spawn with_tool(const std::string& program, const Wish& wish) {
    capture_ = folder_ / fmt::format("capture{}", ++number_);
    reports_ = folder_ / fmt::format("reports{}", number_);
    fs::create_directory(reports_);
    std::vector<std::string> environment = {
        "HSA_TOOLS_LIB=" RPL_CAPTURE_LIBRARY, "RPL_CAPTURE_KERNEL=" + wish.kernel,
        fmt::format("RPL_CAPTURE_DISPATCH={}", wish.dispatch), "RPL_CAPTURE_FOLDER=" + capture_,
        "RPL_CAPTURE_REPORTS=" + reports_};
    environment.insert(environment.end(), wish.more.begin(), wish.more.end());
    std::vector<std::string> argv{program};
    if (!argument_.empty()) argv.push_back(argument_);
    return with_driver({.argv = std::move(argv),
                        .env = std::move(environment),
                        .timeout = std::chrono::seconds(240)});
  }
  intercept::Report report() {
    for (const auto& entry : fs::directory_iterator(reports_)) {
      const auto text = read_text_file(entry.path().string());
      const auto read =
          text ? intercept::parse_report(*text) : Result<intercept::Report>(Failure(text.error()));
      if (read) return *read;
      ADD_FAILURE() << read.error().message;
    }
    ADD_FAILURE() << "no report";
    return {};
  }
  /// What the program does without the tool; what many tests compare with runs once for all of them.
  static const Result<Exit>& plain_run(const Spawn& spawn) {
    static std::map<std::vector<std::string>, Result<Exit>> known;
    const auto found = known.find(spawn.argv);
    if (found != known.end()) return found->second;
    auto ended = run(with_driver({.argv = spawn.argv, .timeout = spawn.timeout}));
    return known.emplace(spawn.argv, std::move(ended)).first->second;
  }
  /// Runs the program with the tool, and expects the same output as without.
  void run_beside_plain(const std::string& program, const Wish& wish) {
    const Spawn spawn = with_tool(program, wish);
    const auto& plain = plain_run(spawn);
    const auto tooled = run(spawn);
    ASSERT_TRUE(plain && tooled);
    EXPECT_EQ(tooled->code, plain->code) << tooled->err.text;
    EXPECT_EQ(tooled->out.text, plain->out.text);
    EXPECT_EQ(tooled->err.text, plain->err.text);
    EXPECT_EQ(tooled->code, 0);
  }
  Capture captured(const std::string& program, const Wish& wish) {
    run_beside_plain(program, wish);
    EXPECT_EQ(report().failure, "");
    return expect_replays(capture_);
  }

  testing_support::TempDir folder_;
  Compiler compiler_;
  std::string capture_, reports_, argument_;
  int number_ = 0;
};

TEST_F(Live, EveryExampleReplaysAsItRan) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(RPL_EXAMPLES "/host")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("_main.hip")) continue;
    SCOPED_TRACE(name);
    // Any kernel of it: the first dispatch.
    const Capture capture = captured(built(entry.path().string()), {.kernel = "/./"});
    EXPECT_EQ(capture.architecture, "gfx90a");
    EXPECT_EQ(capture.target, "local");
    ++count;
  }
  EXPECT_GE(count, 14);
}

TEST_F(Live, KernelsThatChangeWhatTheyRead) {
  const std::string program = built(RPL_PROGRAMS "/frozen.hip");
  const Capture first = captured(program, {.kernel = "in_place"});
  const CapturedRegion& data = first.regions.at(first.arguments.at(0).region);
  EXPECT_EQ(value_at<int>(data.before, 2), 14);
  EXPECT_EQ(value_at<int>(data.after.value(), 2), 43);
  EXPECT_EQ(data.kind, RegionKind::pool);
  EXPECT_EQ(data.owner, "gfx90a");
  const Capture second = captured(program, {.kernel = "in_place", .dispatch = 2});
  EXPECT_EQ(value_at<int>(second.regions.at(second.arguments.at(0).region).before, 2), 43);
  captured(program, {.kernel = "counts"});
  EXPECT_GE(captured(program, {.kernel = "table"}).regions.size(), 601U);
  const Capture chase = captured(program, {.kernel = "_Z5chasev"});
  EXPECT_TRUE(chase.arguments.empty());
  EXPECT_GE(chase.regions.size(), 40U);
}

TEST_F(Live, VariablesTemplatesAndDynamicLds) {
  const std::string program = built(RPL_PROGRAMS "/frozen.hip");
  const Capture globals = captured(program, {.kernel = "globals"});
  const CapturedRegion *total = variable(globals, "total"), *factor = variable(globals, "factor");
  ASSERT_TRUE(total != nullptr && factor != nullptr);
  EXPECT_EQ(value_at<int>(total->before, 0), 5);
  EXPECT_EQ(value_at<int>(total->after.value(), 0), 517);
  EXPECT_EQ(value_at<int>(factor->before, 0), 4);
  const Capture of_double = captured(program, {.kernel = "/^void scale</", .dispatch = 2});
  EXPECT_THAT(of_double.kernel, HasSubstr("IdE"));
  EXPECT_EQ(of_double.dynamic_lds_bytes, 512U);
  EXPECT_EQ(of_double.facts.demangled, "void scale<double>(double*, double)");
  ASSERT_TRUE(of_double.facts.agent && of_double.facts.packet && of_double.facts.queue);
  EXPECT_EQ(of_double.facts.agent->isa, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
}

TEST_F(Live, ConditionsAndScope) {
  const std::string program = built(RPL_PROGRAMS "/frozen.hip");
  const Capture some = captured(program, {.kernel = "in_place"});
  const Capture all = captured(program, {.kernel = "in_place", .more = {"RPL_CAPTURE_SCOPE=all"}});
  EXPECT_GT(all.regions.size(), some.regions.size());
  const Capture wide = captured(program, {.kernel = "/./", .more = {"RPL_CAPTURE_GRID=640"}});
  EXPECT_EQ(wide.kernel, "_Z5tablePPii");
  // The first of two instances of one kernel is timed, the second taken.
  const Capture slow =
      captured(program, {.kernel = "in_place", .more = {"RPL_CAPTURE_LONGER_US=1"}});
  EXPECT_EQ(value_at<int>(slow.regions.at(slow.arguments.at(0).region).before, 2), 43);
  run_beside_plain(program, {.kernel = "table", .more = {"RPL_CAPTURE_LIMIT=4096"}});
  EXPECT_THAT(report().failure, HasSubstr("reaches more than 4.000 KiB"));
  EXPECT_FALSE(fs::exists(capture_));
}

TEST_F(Live, TwoQueuesWithCopiesInFlight) {
  argument_ = RPL_EXAMPLES "/objects/vector_add.gfx90a.co";
  for (const char* engines : {"HSA_ENABLE_SDMA=0", "HSA_ENABLE_SDMA=1"}) {
    for (const int dispatch : {1, 9, 38, 75}) {
      SCOPED_TRACE(fmt::format("{} {}", engines, dispatch));
      const Capture capture =
          captured(RPL_HSA_PROGRAMS "/rpl-hsa-two_queues",
                   {.kernel = "vector_add", .dispatch = dispatch, .more = {engines}});
      EXPECT_EQ(capture.regions.size(), 2U);
    }
  }
}

TEST_F(Live, AKernelThatDoesNotEndInTimeIsGivenUpAndTheProgramEndsNormally) {
  const std::string program = built(RPL_LIVE_PROGRAMS "/waiting.hip");
  run_beside_plain(program, {.kernel = "waiting", .more = {"RPL_CAPTURE_DISPATCH_MS=300"}});
  EXPECT_THAT(report().failure, HasSubstr("the dispatch did not end within 0.3 s"));
  EXPECT_FALSE(fs::exists(capture_));
  const auto found = find_captures(fs::path(capture_).parent_path().string());
  ASSERT_TRUE(found);
  const auto failed = std::ranges::find_if(
      *found, [](const FoundCapture& one) { return one.state == CaptureState::failed; });
  ASSERT_NE(failed, found->end());
  EXPECT_THAT(failed->reason, HasSubstr("did not end"));
}

TEST_F(Live, TheCommandTellsWhatItDid) {
  const std::string program = built(RPL_PROGRAMS "/frozen.hip"), capture = folder_ / "by_command";
  const auto shell = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {RPL_SHELL, "-nx"});
    const auto exit = run(with_driver({.argv = words,
                                       .env = {"XDG_RUNTIME_DIR=" + (folder_ / "")},
                                       .timeout = std::chrono::seconds(240)}));
    return exit ? *exit : Exit{};
  };
  const Exit made = shell({"capture", "run", "in_place", "--target", "local", "--dispatch", "2",
                           "-o", capture, "--json", "--", program});
  ASSERT_EQ(made.code, 0) << made.err.text;
  EXPECT_THAT(made.out.text, HasSubstr("\"gpu\": \"gfx90a\""));
  expect_replays(capture);
  const Exit none =
      shell({"capture", "run", "nosuch", "--target", "local", "-o", capture + "2", "--", program});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err.text, HasSubstr("there ran chase() 1 x"));
  const Exit untold =
      shell({"capture", "run", "-", "--target", "local", "-o", capture + "3", "--", program});
  EXPECT_THAT(untold.err.text, HasSubstr("nothing was captured while"));
  const Exit no_runtime =
      shell({"capture", "run", "k", "--target", "local", "-o", capture + "4", "--", "/bin/true"});
  EXPECT_THAT(no_runtime.err.text, HasSubstr("no HSA runtime in it loaded the capture tool"));
}

TEST_F(Live, AProgramThatIsKilledWhileItIsCapturedLeavesWordOfIt) {
  const std::string program = built(RPL_LIVE_PROGRAMS "/waiting.hip");
  auto running = Background::start(with_tool(program, {.kernel = "waiting"}));
  ASSERT_TRUE(running);
  const auto interrupted = [&](CaptureState state) {
    const auto found = find_captures(fs::path(capture_).parent_path().string());
    return found && std::ranges::any_of(*found, [&](const FoundCapture& one) {
             return one.state == state && one.kernel.find("waiting") != std::string::npos;
           });
  };
  for (int i = 0; i < 2000 && !interrupted(CaptureState::writing); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(interrupted(CaptureState::writing));
  running->stop(std::chrono::milliseconds(0));
  EXPECT_TRUE(interrupted(CaptureState::interrupted));
  EXPECT_FALSE(fs::exists(capture_));
}

}  // namespace
}  // namespace rpl
