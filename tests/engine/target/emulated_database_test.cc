// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/graph/graph.h"
#include "engine/store/database.h"
#include "engine/target/emu/emulated_database.h"
#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using namespace emu::hip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunIdentity identity() {
  return {.host_name = "node",
          .machine_id = "0123456789abcdef",
          .kernel_name = "Linux",
          .kernel_release = "6.1",
          .kernel_version = "#1",
          .hardware = "x86_64",
          .boot_ms = 0x12345678};
}

Place place(std::uint64_t correlation, std::uint64_t stream, std::int64_t start, std::int64_t end) {
  return {.correlation = correlation,
          .thread = 101,
          .device = 0,
          .queue = static_cast<std::uint32_t>(stream + 1),
          .stream = stream,
          .start_ns = start,
          .end_ns = end};
}

CallRecord call(std::uint64_t correlation, const char* name, std::int64_t start,
                std::vector<Argument> arguments = {}) {
  return {.correlation = correlation,
          .thread = 101,
          .start_ns = start,
          .end_ns = start + 10,
          .name = name,
          .arguments = std::move(arguments)};
}

DispatchRecord dispatch(std::uint64_t id, const Place& where) {
  DispatchRecord out;
  out.place = where;
  out.id = id;
  out.kernel = 1;
  out.workgroup = {256, 1, 1};
  out.grid = {4096, 1, 1};
  out.lds_bytes = 64;
  out.model = "cycles/1";
  out.low_ns = id == 1 ? 90 : 80;  // of 100
  out.high_ns = 130;
  out.ratio_band = 0.02;
  return out;
}

/// A kernel in one stream, and one in another stream that waits for it by an event.
Recording two_streams() {
  const auto on = [](const char* stream) { return Argument{"hipStream_t", "stream", stream}; };
  const Argument event{"hipEvent_t", "event", "1"};
  Recording out;
  out.complete = true;
  out.records = {ProcessRecord{.pid = 101,
                               .ppid = 100,
                               .start_ns = 1000,
                               .command = "./app",
                               .product = "MI300X",
                               .devices = 1,
                               .host_model = "host/1"},
                 StreamRecord{0, 0, 1},
                 StreamRecord{1, 0, 2},
                 StreamRecord{2, 0, 3},
                 ObjectRecord{.id = 1, .device = 0, .load_base = 4096, .bytes = 8192, .hash = "ab"},
                 KernelRecord{.id = 1,
                              .object = 1,
                              .name = "_Z5scalePf",
                              .descriptor = 5000,
                              .kernarg_bytes = 8,
                              .lds_bytes = 64,
                              .sgprs = 16,
                              .vgprs = 4,
                              .agprs = 4},
                 MemoryRecord{.place = place(1, 0, 1000, 1005), .address = 65536, .bytes = 400},
                 call(1, "hipMalloc", 1000),
                 CopyRecord{.place = place(2, 0, 1020, 1030),
                            .to = 0,
                            .from = CopyRecord::kHost,
                            .to_address = 65536,
                            .bytes = 400},
                 call(2, "hipMemcpy", 1015),
                 dispatch(1, place(3, 1, 1100, 1200)),
                 call(3, "hipLaunchKernel", 1050, {on("1")}),
                 call(4, "hipEventRecord", 1060, {event, on("1")}),
                 call(5, "hipStreamWaitEvent", 1070, {on("2"), event}),
                 dispatch(2, place(6, 2, 1200, 1300)),
                 call(6, "hipLaunchKernel", 1080, {on("2")}),
                 RefusedRecord{"hipGraphCreate", 2},
                 EndRecord{.end_ns = 1400}};
  return out;
}

class EmulatedDatabase : public testing::Test {
 protected:
  std::string written(const Recording& recording, const char* name = "a_results.db") {
    const std::string path = folder_ / name;
    const auto status = write_emulated_database(recording, identity(), path);
    EXPECT_TRUE(status.has_value()) << status.error().message;
    return path;
  }
  testing_support::TempDir folder_;
};

TEST_F(EmulatedDatabase, IsReadAsARecordingThatIsModelled) {
  const std::string path = written(two_streams());
  const auto trace = open_trace(std::span(&path, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->size(), 2U);
  EXPECT_TRUE((*trace)->presence().modelled);
  EXPECT_TRUE((*trace)->entities().notes.empty());
  ASSERT_EQ((*trace)->kernels().size(), 1U);
  EXPECT_EQ((*trace)->kernels()[0].name, "scale(float*)");
  EXPECT_DOUBLE_EQ((*trace)->kernels()[0].time_low, 0.85);
  EXPECT_DOUBLE_EQ((*trace)->kernels()[0].time_high, 1.3);
  EXPECT_DOUBLE_EQ((*trace)->kernels()[0].ratio_band, 0.02);
  EXPECT_EQ((*trace)->start_ns(0), 1100);
  EXPECT_EQ((*trace)->duration_ns(1), 100);
  EXPECT_EQ((*(*trace)->copies())->rows.size(), 1U);
  EXPECT_EQ((*(*trace)->api())->rows.size(), 6U);
}

TEST_F(EmulatedDatabase, HasTheEventAsEvidenceOfTheEdgeBetweenStreams) {
  const std::string path = written(two_streams());
  const auto graph = Graph::build(*open_trace(std::span(&path, 1)));
  ASSERT_TRUE(graph.has_value()) << graph.error().message;
  bool found = false;
  for (const GraphEdge& edge : (*graph)->edges_into(1))
    found |= edge.edge_class == EdgeClass::event && edge.from == 0;
  EXPECT_TRUE(found);
}

/// two_streams(), whose launches were made from one place of a library that is not there any more, and whose copy changed nothing.
Recording with_sites() {
  Recording out = two_streams();
  SiteRecord site{.id = 1, .frames = {{.program = true, .module = "/no/such/app", .offset = 77}}};
  out.records.insert(out.records.begin() + 1, site);
  for (emu::hip::Record& record : out.records) {
    auto* call = std::get_if<CallRecord>(&record);
    if (call != nullptr && call->name == "hipLaunchKernel") call->site = 1;
    if (call != nullptr && call->name == "hipMemcpy") call->again = 1;
  }
  return out;
}

TEST_F(EmulatedDatabase, SaysFromWhereCallsWereMade) {
  const std::string path = written(with_sites());
  const auto trace = open_trace(std::span(&path, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const auto sites = (*trace)->call_sites();
  ASSERT_TRUE(sites.has_value()) << sites.error().message;
  ASSERT_EQ((*sites)->rows.size(), 3U);
  const CallSiteTable::Row* launch = (*sites)->row_of(0, 6);
  ASSERT_NE(launch, nullptr);
  ASSERT_LT(launch->site, (*sites)->sites.size());
  const SiteFrame& frame = (*sites)->sites[launch->site].at(0);
  EXPECT_EQ(frame.module, "/no/such/app");
  EXPECT_EQ(frame.offset, 77U);
  EXPECT_EQ(frame.file, "");
  EXPECT_EQ(launch->again, std::nullopt);
  const CallSiteTable::Row* copy = (*sites)->row_of(0, 2);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->site, kNone);
  EXPECT_EQ(copy->again, std::optional(true));
  EXPECT_EQ((*sites)->row_of(0, 1), nullptr);
}

TEST_F(EmulatedDatabase, WhosePlacesSayNothingUsableLeavesThemOut) {
  const std::string path = written(with_sites());
  {
    Database database = Database::open_copy(path).value();
    std::string calls, frames;
    Statement names =
        database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").value();
    while (names.step().value()) {
      const std::string name(names.text(0));
      if (name.starts_with("rpl_call_site")) calls = name;
      if (name.starts_with("rpl_site_frame")) frames = name;
    }
    const std::string sql = "INSERT INTO \"" + frames +
                            "\" VALUES (1, 9, 'a', -5, 0, '', '', 0, 1), (2, 0, 'a', 99999999999, "
                            "0, '', '', 0, 1), (3, 0, '', 0, 0, '', '', -1, 0);"
                            "INSERT INTO \"" +
                            calls + "\" VALUES (99, 12345, NULL)";
    const auto status = database.execute(sql);
    ASSERT_TRUE(status.has_value()) << status.error().message;
  }
  const auto trace = open_trace(std::span(&path, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const auto sites = (*trace)->call_sites();
  ASSERT_TRUE(sites.has_value()) << sites.error().message;
  EXPECT_EQ((*sites)->rows.size(), 3U);
  ASSERT_EQ((*sites)->sites.size(), 1U);
  EXPECT_EQ((*sites)->sites[0].size(), 1U);
  EXPECT_THAT((*sites)->notes,
              ElementsAre("4 rows about where calls were made say nothing usable"));
}

TEST_F(EmulatedDatabase, IsTheSameForTheSameRecording) {
  written(two_streams(), "first.db");
  written(two_streams(), "second.db");
  EXPECT_EQ(folder_.read("first.db"), folder_.read("second.db"));
  EXPECT_THAT(folder_.read("first.db"), HasSubstr("rocpd_kernel_dispatch_00001234_5678_7"));
}

TEST_F(EmulatedDatabase, RefusesReferencesToNothing) {
  const auto refused = [&](auto change) {
    Recording recording = two_streams();
    change(recording);
    const auto status = write_emulated_database(recording, identity(), folder_ / "x.db");
    return status ? std::string("written") : status.error().message;
  };
  EXPECT_THAT(refused([](Recording& r) { r.records.erase(r.records.begin()); }),
              HasSubstr("which process"));
  EXPECT_THAT(refused([](Recording& r) { r.records.erase(r.records.begin() + 2); }),
              HasSubstr("queue 2"));
  EXPECT_THAT(refused([](Recording& r) { r.records.erase(r.records.begin() + 4); }),
              HasSubstr("code object 1"));
  EXPECT_THAT(refused([](Recording& r) { r.records.erase(r.records.begin() + 5); }),
              HasSubstr("kernel 1"));
  EXPECT_THAT(refused([](Recording& r) { std::get<ProcessRecord>(r.records[0]).product = "H100"; }),
              HasSubstr("H100"));
  EXPECT_THAT(
      refused([](Recording& r) { std::get<DispatchRecord>(r.records[10]).place.device = 9; }),
      HasSubstr("device 9"));
}

}  // namespace
}  // namespace rpl::profile
