// SPDX-License-Identifier: MIT
// Programs under the stand-in for rocprofv3, run as they would be under itself.
#include "engine/target/local/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/metrics/counters/measurements.h"
#include "engine/target/local/counter_join.h"
#include "engine/target/local/recorder_files.h"
#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;

class UnderRecorder : public testing::Test {
 protected:
  RecorderRequest asking(std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(), RPL_HIP_EXAMPLE);
    return {.recorder = RPL_STAND_IN "/rocprofv3",
            .argv = std::move(arguments),
            .folder = folder_ / "out"};
  }
  RecordedRun ran(const RecorderRequest& request, std::size_t index = 0,
                  RecordOptions options = {}) {
    const auto runs = recorder_runs(request, std::nullopt);
    EXPECT_TRUE(runs.has_value()) << runs.error().message;
    auto out = record(request, runs->at(index), options);
    EXPECT_TRUE(out.has_value()) << out.error().message;
    return out ? std::move(*out) : RecordedRun{};
  }
  std::shared_ptr<const Trace> opened(const std::vector<std::string>& databases) {
    auto trace = open_trace(databases);
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return trace ? *trace : nullptr;
  }
  testing_support::TempDir folder_;
};

TEST_F(UnderRecorder, TheDatabaseIsFoundByWhatTheRunLeft) {
  // As of another run, and newer than anything that comes.
  folder_.write("out/host/1_results.db", "old");
  fs::last_write_time(folder_ / "out/host/1_results.db",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  const RecordedRun run = ran(asking());
  EXPECT_TRUE(run.findings.empty());
  ASSERT_THAT(run.usable(), SizeIs(1));
  EXPECT_EQ(run.databases[0].dispatches, 2U);
  EXPECT_THAT(run.databases[0].path,
              HasSubstr(fmt::format("/{}_results.db", run.databases[0].pid)));
  EXPECT_FALSE(opened(run.usable())->presence().modelled);
  EXPECT_EQ(recorded_architecture(run.usable()[0]), "gfx942");
}

TEST_F(UnderRecorder, CountersOfSeveralPassesComeToTheDispatchesOfTheRunWithoutThem) {
  RecorderRequest request = asking({"--dispatches", "3"});
  request.counter_passes = {{"SQ_WAVES", "GRBM_GUI_ACTIVE"}, {"SQ_INSTS_VALU_ADD_F32", "SQ_WAVES"}};
  const RecordedRun base = ran(request);
  std::vector<CounterPassFiles> passes;
  for (const std::size_t pass : {1U, 2U}) passes.push_back({pass, ran(request, pass).usable()});
  const auto joined = join_counters(base.usable(), passes, folder_ / "joined");
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  EXPECT_THAT(joined->notes, SizeIs(0));
  const auto plain = opened(base.usable()), counted = opened(joined->databases);
  ASSERT_EQ(counted->size(), 5U);
  EXPECT_FALSE(plain->presence().counters);
  for (std::uint32_t row = 0; row < 5; ++row)
    EXPECT_EQ(counted->duration_ns(row), plain->duration_ns(row));
  const auto kernels = measure_kernels(*counted);
  ASSERT_TRUE(kernels.has_value());
  const KernelMeasurement& kernel = kernels->at(0);
  EXPECT_EQ(kernel.time.source, TimeSource::plain);
  EXPECT_EQ(kernel.counters.at("SQ_WAVES").dispatches, 5U);
  // Two dispatches of 4096 work-items and three of 64.
  EXPECT_DOUBLE_EQ(kernel.counters.at("SQ_WAVES").value, (64 + 64 + 1 + 1 + 1) / 5.0);
  EXPECT_DOUBLE_EQ(kernel.counters.at("SQ_INSTS_VALU_ADD_F32").value,
                   kernel.counters.at("SQ_WAVES").value);
  // Counting took four times as long in the stand-in, and each pass alone would say so.
  EXPECT_EQ(measure_kernels(*opened(passes[0].databases))->at(0).time.source,
            TimeSource::instrumented);
}

TEST_F(UnderRecorder, PassesThatLaunchSomethingElseAreToldOf) {
  const RecordedRun base = ran(asking({"--dispatches", "3"}));
  RecorderRequest request = asking({"--dispatches", "1"});
  request.counter_passes = {{"SQ_WAVES"}};
  const auto joined =
      join_counters(base.usable(), {{7, ran(request, 1).usable()}}, folder_ / "joined");
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  ASSERT_THAT(joined->notes, SizeIs(1));
  EXPECT_THAT(joined->notes[0], HasSubstr("pass 7: 3 of 5 dispatches"));
  EXPECT_EQ(joined->values, 3U);
}

TEST_F(UnderRecorder, AnUnreadablePassIsAnErrorThatNamesIt) {
  const RecordedRun base = ran(asking());
  const auto joined =
      join_counters(base.usable(), {{1, {folder_.write("broken.db", std::string(5000, 'x'))}}},
                    folder_ / "joined");
  ASSERT_FALSE(joined.has_value());
  EXPECT_THAT(joined.error().message, HasSubstr("broken.db"));
}

TEST_F(UnderRecorder, ThreadTracesAndSamplesAreFiles) {
  RecorderRequest request = asking();
  request.thread_trace.kernel = "vector";
  request.pc_sampling = PcSampling::host_trap;
  const RecordedRun traced = ran(request, 1), sampled = ran(request, 2);
  EXPECT_TRUE(traced.findings.empty());
  ASSERT_THAT(traced.files, SizeIs(1));
  EXPECT_THAT(traced.files[0], HasSubstr("/out/att/ui_output_agent_"));
  ASSERT_THAT(sampled.files, SizeIs(2));
  EXPECT_THAT(sampled.files[0], testing::EndsWith("_results.json"));
  EXPECT_THAT(sampled.files[1], testing::EndsWith("_pc_sampling_host_trap.csv"));
}

TEST_F(UnderRecorder, CsvAndNamedDatabasesAreWrittenAsItsOptionsSay) {
  const auto ended =
      run({.argv = {RPL_STAND_IN "/rocprofv3", "--kernel-trace", "-f", "csv", "rocpd", "-d",
                    folder_.path(), "-o", "mine", "--", RPL_HIP_EXAMPLE}});
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->code, 0) << ended->err.text;
  EXPECT_EQ(opened({folder_ / "mine_results.db"})->size(), 2U);
  std::vector<std::string> tables;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    if (entry.path().extension() == ".csv") tables.push_back(entry.path().string());
  }
  ASSERT_THAT(tables, SizeIs(1));
  const auto trace = opened(tables);
  EXPECT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->kernels()[0].name, "vector_add");
}

TEST_F(UnderRecorder, ThreeProcessesLeaveThreeDatabasesInTheOrderOfTheirStart) {
  const std::string script =
      folder_.write("three.sh", "#!/bin/sh\n" RPL_HIP_EXAMPLE " & " RPL_HIP_EXAMPLE
                                " & " RPL_HIP_EXAMPLE " & wait\n");
  fs::permissions(script, fs::perms::owner_all);
  RecorderRequest request = asking();
  request.argv = {script};
  const RecordedRun run = ran(request);
  ASSERT_THAT(run.usable(), SizeIs(3));
  EXPECT_EQ(opened(run.usable())->size(), 6U);
  EXPECT_LT(run.databases[0].pid, run.databases[2].pid);
}

TEST_F(UnderRecorder, AProgramThatHangsIsStoppedAndKeepsWhatItDid) {
  using namespace std::chrono_literals;
  const RecordedRun run = ran(asking({"--hang"}), 0, {.timeout = 5s});
  EXPECT_TRUE(run.exit.timed_out);
  EXPECT_THAT(run.usable(), SizeIs(1));
  ASSERT_THAT(run.findings, SizeIs(1));
  EXPECT_EQ(run.findings[0].failure, RecorderFailure::hanging);
  EXPECT_FALSE(run.findings[0].fatal);
}

TEST_F(UnderRecorder, CtrlCEndsTheGroupAndNamesWhatWasKept) {
  const RecorderRequest request = asking({"--hang"});
  RecordOptions options;
  options.on_line = [](OutputStream, std::string_view line) {
    if (line == "waiting") interrupt::raise();
  };
  const auto run = record(request, recorder_runs(request, std::nullopt)->front(), options);
  interrupt::clear();
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, Errc::interrupted);
  ASSERT_THAT(run.error().hint, HasSubstr("open "));
  const std::string database = run.error().hint.substr(run.error().hint.find("open ") + 5);
  EXPECT_EQ(opened({database})->size(), 2U);
  EXPECT_NE(::kill(static_cast<pid_t>(look_at(database).pid), 0), 0);
}

TEST_F(UnderRecorder, SetsThatRocprofv3RefusesAreHalved) {
  const Recorder recorder{.path = RPL_STAND_IN "/rocprofv3",
                          .checker = RPL_STAND_IN "/rocprofv3-avail",
                          .version = {},
                          .decoder_folder = {}};
  const auto checked = check_passes(
      recorder, {{"TCC_A", "TCC_B", "TCC_C", "TCC_D", "TCC_E"}, {"SQ_WAVES", "NO_SUCH"}});
  ASSERT_TRUE(checked.has_value());
  EXPECT_TRUE(checked->checked);
  EXPECT_EQ(checked->passes, (std::vector<std::vector<std::string>>{
                                 {"TCC_A", "TCC_B"}, {"TCC_C", "TCC_D", "TCC_E"}, {"SQ_WAVES"}}));
  EXPECT_EQ(checked->refused, std::vector<std::string>{"NO_SUCH"});
}

TEST_F(UnderRecorder, ItsMachineIsLookedAtOnce) {
  const MachineView machine{
      .root = "", .path = RPL_STAND_IN, .library_path = "", .decoder_path = folder_.path()};
  folder_.write("librocprof-trace-decoder.so", "x");
  const auto found = find_recorder(machine);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->path, RPL_STAND_IN "/rocprofv3");
  EXPECT_EQ(found->version, (RocmVersion{7, 1, 1}));
  EXPECT_EQ(found->decoder_folder, folder_.path());
  const auto missing = find_recorder(
      {.root = folder_.path(), .path = RPL_STAND_IN, .library_path = "", .decoder_path = ""});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, Errc::missing_capability);
}

TEST(RecorderLines, AreToldFromTheProgramsOwn) {
  EXPECT_TRUE(recorder_says("W20251122 10:00:00.000000 1 tool.cpp:1] odd"));
  EXPECT_TRUE(recorder_says("Opened result file: a.db (UUID=x)"));
  EXPECT_FALSE(recorder_says("Warnings are fine"));
  EXPECT_FALSE(recorder_says(""));
}

}  // namespace
}  // namespace rpl::profile
