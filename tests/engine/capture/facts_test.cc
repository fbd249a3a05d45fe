// SPDX-License-Identifier: MIT
// What a capture says of where it came from: kept, optional, and not believed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "engine/capture/arguments.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::replaced;
using test::small_capture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::TempDir;

Capture with_facts() {
  Capture capture = small_capture();
  RawPacket packet{};
  for (std::size_t i = 0; i < packet.size(); ++i) packet[i] = static_cast<std::byte>(3 * i);
  capture.facts = {
      .packet = packet,
      .queue = CapturedQueue{.id = 0xffffffff00000001, .size = 4096, .priority = -1},
      .agent =
          CapturedAgent{
              .name = "gfx942", .isa = "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-", .index = 3},
      .runtime = CapturedRuntime{.name = "HSA 1.1",
                                 .tables = {{.name = "core", .major = 2, .minor = 1016, .step = 0}},
                                 .rocm_version = "6.2.0"},
      .dispatch_index = 17,
      .demangled = "vector_add(float*)",
      .time = "2026-01-31T23:59:59Z"};
  capture.scratch_bytes = 144;
  capture.regions[0].kind = RegionKind::pool;
  capture.regions[0].owner = "gfx942";
  capture.regions[0].flags = kPoolCoarse;
  capture.regions[1].kind = RegionKind::vmem;
  capture.regions[2].kind = RegionKind::kernarg;
  capture.regions[2].owner = "host";
  capture.regions[2].flags = kPoolKernarg | kPoolFine;
  return capture;
}

TEST(CaptureFacts, AreKept) {
  const TempDir folder;
  const Capture capture = with_facts();
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  const auto read = read_capture(folder / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->facts.packet, capture.facts.packet);
  EXPECT_EQ(read->facts.queue->id, 0xffffffff00000001U);
  EXPECT_EQ(read->facts.queue->size, 4096U);
  EXPECT_EQ(read->facts.queue->priority, -1);
  EXPECT_EQ(read->facts.agent->isa, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
  EXPECT_EQ(read->facts.agent->index, 3U);
  EXPECT_EQ(read->facts.runtime->rocm_version, "6.2.0");
  EXPECT_EQ(read->facts.runtime->tables.at(0).minor, 1016U);
  EXPECT_EQ(read->facts.dispatch_index, 17U);
  EXPECT_EQ(read->facts.demangled, "vector_add(float*)");
  EXPECT_EQ(read->facts.time, "2026-01-31T23:59:59Z");
  EXPECT_EQ(read->scratch_bytes, 144U);
  EXPECT_EQ(read->regions[0].kind, RegionKind::pool);
  EXPECT_EQ(read->regions[0].owner, "gfx942");
  EXPECT_EQ(read->regions[0].flags, kPoolCoarse);
  EXPECT_EQ(read->regions[1].kind, RegionKind::vmem);
  EXPECT_EQ(read->regions[2].flags, kPoolKernarg | kPoolFine);
}

TEST(CaptureFacts, AreSaidInTheKeysOfOlderToolsToo) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", with_facts()).has_value());
  const std::string dispatch = folder.read("c/dispatch.json"),
                    regions = folder.read("c/memory_regions.json");
  EXPECT_THAT(dispatch, HasSubstr("\"isa_name\": \"amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-\""));
  EXPECT_THAT(dispatch, HasSubstr("\"dispatch_index\": 17"));
  EXPECT_THAT(dispatch, HasSubstr("\"private_segment_size\": 144"));
  EXPECT_THAT(dispatch, HasSubstr("\"kernel_object\": 8462949161198052192"));
  EXPECT_THAT(regions, HasSubstr("\"is_pool\": false, \"is_vmem\": true"));
  EXPECT_THAT(regions, HasSubstr("\"contains_kernarg\": true"));
}

TEST(CaptureFacts, MayBeUnknown) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", small_capture()).has_value());
  const auto read = read_capture(folder / "c");
  EXPECT_FALSE(read->facts.packet || read->facts.queue || read->facts.agent ||
               read->facts.runtime || read->facts.dispatch_index);
  EXPECT_EQ(read->regions[0].kind, RegionKind::unknown);
}

TEST(CaptureFacts, AreRefusedWhenTheyMakeNoSense) {
  struct Lie {
    const char *file, *from, *to, *message;
  };
  const TempDir folder;
  const Lie lies[] = {
      {"capture.json", "\"packet\": \"000306", "\"packet\": \"0003",
       "capture.json: packet: expected 64 bytes"},
      {"capture.json", "\"packet\": \"000306", "\"packet\": \"00030g",
       "capture.json: packet: expected 64 bytes"},
      {"capture.json", "\"queue\": {", "\"queue\": 3, \"q\": {",
       "capture.json: queue: expected an object"},
      {"capture.json", "\"priority\": -1", "\"priority\": 99999999999",
       "capture.json: queue.priority: expected a whole number"},
      {"capture.json", "\"tables\": [{", "\"tables\": [1, {",
       "capture.json: runtime.tables[0]: expected an object"},
      {"capture.json", "\"index\": 3", "\"index\": -3",
       "capture.json: agent.index: expected a whole number"},
  };
  for (const Lie& lie : lies) {
    const std::string name = fmt::format("c{}", &lie - lies);
    ASSERT_TRUE(write_capture(folder / name, with_facts()).has_value());
    folder.write(name + "/" + lie.file,
                 replaced(folder.read(name + "/" + lie.file), lie.from, lie.to));
    const auto read = read_capture(folder / name);
    ASSERT_FALSE(read.has_value()) << lie.to;
    EXPECT_EQ(read.error().code, Errc::corrupt);
    EXPECT_THAT(read.error().message, HasSubstr(lie.message));
  }
}

isa::Kernel kernel_with(std::initializer_list<std::pair<const char*, std::uint32_t>> hidden) {
  isa::Kernel kernel;
  for (const auto& [kind, offset] : hidden) {
    isa::KernelArgument argument;
    argument.kind = isa::KernelArgument::Kind::hidden;
    argument.value_kind = kind;
    argument.offset = offset;
    argument.size = sizeof(std::uint64_t);
    kernel.arguments.push_back(argument);
  }
  return kernel;
}

TEST(HiddenPointers, AreThoseThatPointIntoTheProcess) {
  const isa::Kernel kernel = kernel_with({{"hidden_block_count_x", 0},
                                          {"hidden_dynamic_lds_size", 8},
                                          {"hidden_hostcall_buffer", 16},
                                          {"hidden_multigrid_sync_arg", 24},
                                          {"hidden_heap_v1", 32},
                                          {"hidden_default_queue", 40},
                                          {"hidden_completion_action", 48},
                                          {"hidden_queue_ptr", 56},
                                          {"hidden_printf_buffer", 64},
                                          {"hidden_none", 72}});
  std::vector<std::byte> kernarg(60);
  const std::uint64_t address = 0x7f1234500000;
  std::memcpy(kernarg.data() + 32, &address, sizeof(address));
  const auto found = hidden_pointers(kernel, kernarg);
  EXPECT_EQ(names_of(found),
            "hostcall_buffer, multigrid_sync_arg, heap_v1, default_queue, completion_action, "
            "queue_ptr, printf_buffer");
  EXPECT_EQ(found[2].value, address);
  EXPECT_EQ(found[2].offset, 32U);
  EXPECT_EQ(found[1].value, 0U);
  EXPECT_EQ(found[5].value, 0U);  // half of it lies behind the segment
}

TEST(HiddenPointers, OfAKernelWithoutAnyAreNone) {
  const Capture capture = small_capture();
  EXPECT_TRUE(dead_pointers(capture).empty());
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  EXPECT_THAT(folder.read("c/capture.json"),
              HasSubstr("\"hidden_arguments\": {\"verdict\": \"replayable\", \"pointers\": []}"));
}

}  // namespace
}  // namespace rpl
