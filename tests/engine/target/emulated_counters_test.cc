// SPDX-License-Identifier: MIT
// Counters of the emulated devices in a rocpd database: its tables, its views, and how readers take them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/metrics/counters/measurements.h"
#include "engine/store/database.h"
#include "engine/target/emu/emulated_database.h"
#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using namespace emu::hip;
using ::testing::HasSubstr;

DispatchRecord dispatch(std::uint64_t id, std::uint32_t device) {
  DispatchRecord out;
  const auto at = static_cast<std::int64_t>(1000 * id);
  out.place = {.correlation = id,
               .thread = 101,
               .device = device,
               .queue = device + 1,
               .stream = device,
               .start_ns = at,
               .end_ns = at + 100};
  out.id = id;
  out.kernel = device + 1;
  out.workgroup = {64, 1, 1};
  out.grid = {128, 1, 1};
  out.model = "cycles/1";
  return out;
}

/// Two devices with a dispatch each, and what they counted.
Recording counted() {
  Recording out;
  out.complete = true;
  out.records = {ProcessRecord{.pid = 101,
                               .ppid = 100,
                               .start_ns = 1000,
                               .command = "./app",
                               .product = "MI300X",
                               .devices = 2,
                               .host_model = "host/1"},
                 StreamRecord{0, 0, 1}, StreamRecord{1, 1, 2}};
  for (std::uint32_t device = 0; device < 2; ++device) {
    out.records.emplace_back(ObjectRecord{
        .id = device + 1, .device = device, .load_base = 4096, .bytes = 8192, .hash = "ab"});
    KernelRecord kernel;
    kernel.id = kernel.object = device + 1;
    kernel.name = "scale";
    out.records.emplace_back(kernel);
    out.records.emplace_back(dispatch(device + 1, device));
    if (device == 0) {
      out.records.emplace_back(
          CounterRecord{.id = 1, .name = "SQ_WAVES", .meaning = "waves", .modelled = false});
      out.records.emplace_back(
          CounterRecord{.id = 2, .name = "GRBM_GUI_ACTIVE", .meaning = "cycles", .modelled = true});
    }
    out.records.emplace_back(
        CountsRecord{.dispatch = device + 1, .values = {{1, 2 + device}, {2, 5000}}});
  }
  out.records.emplace_back(
      TraceRecord{.dispatch = 1, .kernel = "scale", .folder = "ui_output_agent_1_dispatch_1"});
  out.records.emplace_back(EndRecord{.end_ns = 9000});
  return out;
}

class EmulatedCounters : public testing::Test {
 protected:
  std::string written(const Recording& recording) {
    const std::string path = folder_ / "a_results.db";
    RunIdentity identity;
    identity.host_name = "node";
    identity.machine_id = "01";
    identity.boot_ms = 1;
    const auto status = write_emulated_database(recording, identity, path);
    error_ = status ? "" : status.error().message;
    return path;
  }
  /// The rows of a query, cells joined.
  static std::vector<std::string> rows(const std::string& path, const std::string& query) {
    auto database = Database::open_copy(path);
    EXPECT_TRUE(database.has_value());
    auto statement = database->prepare(query);
    EXPECT_TRUE(statement.has_value()) << statement.error().message;
    std::vector<std::string> out;
    while (statement && *statement->step()) {
      std::string row;
      for (int i = 0; i < statement->column_count(); ++i)
        row += (i == 0 ? "" : "|") + std::string(statement->text(i));
      out.push_back(row);
    }
    return out;
  }
  testing_support::TempDir folder_;
  std::string error_;
};

TEST_F(EmulatedCounters, AreOneRowAnAgentAndATimeForEachXcc) {
  const std::string path = written(counted());
  ASSERT_EQ(error_, "");
  EXPECT_THAT(
      rows(path,
           "SELECT agent_id, name, target_arch, value_type, block FROM rocpd_info_pmc ORDER BY id"),
      testing::ElementsAre("1|SQ_WAVES|GPU|ABS|SQ", "1|GRBM_GUI_ACTIVE|GPU|ABS|GRBM",
                           "2|SQ_WAVES|GPU|ABS|SQ", "2|GRBM_GUI_ACTIVE|GPU|ABS|GRBM"));
  EXPECT_THAT(rows(path, "SELECT count(*) FROM rocpd_pmc_event WHERE value = 5000"),
              testing::ElementsAre("16"))
      << "eight XCCs of two devices";
}

TEST_F(EmulatedCounters, SayWhatIsExactAndWhatIsModelled) {
  const std::string path = written(counted());
  EXPECT_THAT(rows(path,
                   "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'counter_%' OR tag = "
                   "'provenance' ORDER BY id"),
              testing::ElementsAre("provenance|modelled", "counter_exact|SQ_WAVES",
                                   "counter_modelled|GRBM_GUI_ACTIVE"));
  EXPECT_THAT(rows(path,
                   "SELECT json_extract(extdata, '$.how'), long_description FROM rocpd_info_pmc "
                   "ORDER BY id LIMIT 2"),
              testing::ElementsAre("exact|exact: waves", "modelled|modelled: cycles"));
  EXPECT_THAT(rows(path, "SELECT value FROM rocpd_metadata WHERE tag = 'thread_trace'"),
              testing::ElementsAre("dispatch 1: ui_output_agent_1_dispatch_1 (scale)"));
}

TEST_F(EmulatedCounters, AreInTheViewsOfTheRecorder) {
  const std::string path = written(counted());
  EXPECT_THAT(rows(path,
                   "SELECT dispatch_id, kernel_name, counter_name, value FROM counters_collection "
                   "WHERE counter_name = 'SQ_WAVES' ORDER BY dispatch_id"),
              testing::ElementsAre("1|scale|SQ_WAVES|2.0", "2|scale|SQ_WAVES|3.0"));
  EXPECT_THAT(rows(path, "SELECT count(*) FROM pmc_events"), testing::ElementsAre("18"));
}

TEST_F(EmulatedCounters, AreReadAsThoseOfARecording) {
  const std::string path = written(counted());
  const auto trace = open_trace(std::span(&path, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_TRUE((*trace)->presence().counters);
  const auto kernels = measure_kernels(**trace);
  ASSERT_TRUE(kernels.has_value());
  ASSERT_EQ(kernels->size(), 1U);
  const KernelMeasurement& kernel = kernels->front();
  EXPECT_EQ(kernel.counters.at("SQ_WAVES").value, 2.5);
  EXPECT_EQ(kernel.counters.at("GRBM_GUI_ACTIVE").value, 5000);
  EXPECT_FALSE(kernel.counters.at("GRBM_GUI_ACTIVE").summed_over_xccs);
  EXPECT_EQ(kernel.time.source, TimeSource::modelled);
}

TEST_F(EmulatedCounters, OfNothingAreRefused) {
  Recording recording = counted();
  std::get<CountsRecord>(recording.records[recording.records.size() - 3]).dispatch = 7;
  written(recording);
  EXPECT_THAT(error_, HasSubstr("dispatch 7"));
  recording = counted();
  std::get<CountsRecord>(recording.records[recording.records.size() - 3]).values[0].counter = 9;
  written(recording);
  EXPECT_THAT(error_, HasSubstr("counter 9"));
}

}  // namespace
}  // namespace rpl::profile
