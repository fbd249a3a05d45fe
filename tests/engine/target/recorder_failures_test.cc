// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace rpl::profile {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = RecordedDatabase::State;

class Explained : public testing::Test {
 protected:
  Explained() {
    evidence_.databases = {{.path = "a.db", .state = State::complete, .pid = 1, .dispatches = 3}};
  }
  /// The findings by name, fatal ones with a '!'.
  std::vector<std::string> found() {
    run_.counters = {"A", "B"};
    evidence_.run = &run_;
    std::vector<std::string> out;
    for (const RecorderFinding& finding : explain_run(evidence_)) {
      out.push_back(std::string(to_string(finding.failure)) + (finding.fatal ? "!" : ""));
      EXPECT_FALSE(finding.message.empty());
      if (out.size() == 1) first_message_ = finding.message;
      last_hint_ = finding.hint;
    }
    return out;
  }
  std::vector<std::string> said(std::string_view text, RunKind kind = RunKind::trace) {
    run_.kind = kind;
    evidence_.printed = text;
    return found();
  }
  RecorderRun run_;
  RecorderEvidence evidence_;
  std::string last_hint_, first_message_;
};

using Names = std::vector<std::string>;

TEST_F(Explained, AGoodRunHasNothingToSay) { EXPECT_THAT(found(), IsEmpty()); }

TEST_F(Explained, WhatRocprofv3SaysIsRecognised) {
  EXPECT_EQ(said("[rocprofv3] Fatal error: rocprof-trace-decoder library path not found in ['', "
                 "'/opt/rocm/lib']",
                 RunKind::thread_trace),
            Names{"decoder_missing!"});
  EXPECT_THAT(last_hint_, HasSubstr("ROCPROF_ATT_LIBRARY_PATH"));
  EXPECT_EQ(said("x\nError loading decoder: 37\n", RunKind::thread_trace),
            Names{"decoder_mismatch!"});
  EXPECT_EQ(said("W2025 Device 1 could not be locked for profiling due to lack of permissions "
                 "(capability SYS_PERFMON)"),
            Names{"counter_permission"});
  EXPECT_THAT(last_hint_, HasSubstr("perf_event_paranoid"));
  EXPECT_EQ(said("Exceeds hardware limits for collection", RunKind::counters),
            Names{"counters_exceed!"});
  EXPECT_THAT(last_hint_, HasSubstr("pmc-check A B"));
  EXPECT_EQ(said("failed with error code 38: Request exceeds the capabilities of the hardware to "
                 "collect",
                 RunKind::counters),
            Names{"counters_exceed!"});
  EXPECT_EQ(said("Unable to find all counters for agent 1 (gpu-0, gfx942) in [A, B]. Found: [A]. "
                 "Missing: [B]",
                 RunKind::counters),
            Names{"counter_unknown"});
  EXPECT_EQ(first_message_, "this GPU does not have all of the counters; it lacks B");
  EXPECT_EQ(said("Device 1 has a profiler attached to it. PMC Counters may be inaccurate.",
                 RunKind::counters),
            Names{"counters_busy"});
  EXPECT_EQ(said("rocprofv3: error: unrecognized arguments: --att"), Names{"option_unknown!"});
  EXPECT_EQ(said("Given PC sampling configuration is not supported on any of the agents",
                 RunKind::pc_samples),
            Names{"sampling_unsupported!"});
}

TEST_F(Explained, TheDeviceFileCountsOnlyWhereItMayNotBeOpened) {
  EXPECT_EQ(said("Unable to open /dev/kfd read-write: Permission denied"),
            Names{"device_permission!"});
  EXPECT_THAT(last_hint_, HasSubstr("usermod"));
  EXPECT_THAT(said("using /dev/kfd\npermission to speak"), IsEmpty());
}

TEST_F(Explained, ASemicolonIsTheCauseOnlyWhereThereIsOne) {
  evidence_.signal = SIGABRT;
  evidence_.databases = {{.path = "a.db", .state = State::cut_short}};
  evidence_.program = {"python", "-c", "a; b"};
  EXPECT_EQ(said("SQLite3 error 1: unrecognized token"), Names{"semicolon!"});
  evidence_.program = {"python", "x.py"};
  EXPECT_EQ(found(), (Names{"crashed", "half_written", "no_kernels!"}));
}

TEST_F(Explained, ItsOtherErrorsAreRepeated) {
  evidence_.code = 1;
  evidence_.databases.clear();
  EXPECT_EQ(said("[rocprofv3] Fatal error: no such thing\n"), Names{"recorder_error!"});
  evidence_.code = 3;  // the program's own
  EXPECT_EQ(found(), (Names{"program_failed", "no_database!"}));
}

TEST_F(Explained, ACountingRunThatHangsOrAbortsHasTooManyCounters) {
  run_.kind = RunKind::counters;
  evidence_.timed_out = true;
  evidence_.signal = SIGTERM;
  evidence_.databases.clear();
  EXPECT_EQ(found(), Names{"hanging!"});
  EXPECT_THAT(last_hint_, HasSubstr("pmc-check A B"));
  evidence_.timed_out = false;
  evidence_.signal = SIGABRT;
  EXPECT_EQ(found(), Names{"counters_exceed!"});
}

TEST_F(Explained, WhatWasRecordedBeforeACrashIsKept) {
  evidence_.signal = SIGSEGV;
  EXPECT_EQ(found(), Names{"crashed"});
  EXPECT_EQ(first_message_,
            "the program was ended by SIGSEGV; what was recorded until then is here");
  evidence_.databases[0].dispatches = 0;
  evidence_.databases[0].state = State::no_kernels;
  EXPECT_EQ(found(), (Names{"crashed", "no_kernels!"}));
  EXPECT_EQ(first_message_,
            "the program was ended by SIGSEGV, and no kernel was recorded until then");
}

TEST_F(Explained, OneBrokenDatabaseOfSeveralLeavesTheOthers) {
  evidence_.databases.push_back({.path = "b.db", .state = State::cut_short});
  EXPECT_EQ(found(), Names{"half_written"});
}

TEST_F(Explained, RunsForFilesMustLeaveFiles) {
  run_.kind = RunKind::thread_trace;
  EXPECT_EQ(found(), Names{"nothing_traced!"});
  evidence_.other_files = 1;
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(said("Thread trace buffer full!", RunKind::thread_trace), Names{"trace_buffer_full"});
}

}  // namespace
}  // namespace rpl::profile
