// SPDX-License-Identifier: MIT
// The HSA back-end on the double: what it calls in which order, what is in the packets, and what it makes of failures.
#include <sys/mman.h>

#include "tests/engine/replay/on_double.h"

namespace rpl {
namespace {

using test::captured;
using test::expect_clean;
using test::OnDouble;
using test::small_capture;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

ReplaySeries ok(Result<ReplaySeries> series) {
  EXPECT_TRUE(series.has_value()) << series.error().message;
  return series ? std::move(*series) : ReplaySeries{};
}

class HsaReplayOf : public testing::TestWithParam<const char*> {};

TEST_P(HsaReplayOf, EveryExampleGivesItsPostImage) {
  const std::string arch = GetParam();
  for (const auto& run :
       {emu::vector_add(arch, 1000), emu::matmul(arch, 20, 33, 17), emu::softmax(arch, 70, 31),
        emu::reduce(arch, 5000, 3), emu::transpose(arch, 40, 35), emu::histogram(arch, 3000, 2)}) {
    const Capture capture = captured(run);
    OnDouble device({.arch = arch});
    const ReplaySeries series = ok(device.run({.capture = &capture, .iterations = 3}));
    EXPECT_EQ(series.image.match, ImageMatch::matched) << capture.kernel;
    EXPECT_EQ(series.last_equals_first, true);
    EXPECT_THAT(series.raw_ns, SizeIs(3));
    EXPECT_EQ(series.kernel, capture.kernel);
    expect_clean(capture);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HsaReplayOf, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

TEST(HsaReplay, TakesAllAddressesBeforeAnythingElse) {
  const Capture capture = small_capture();
  OnDouble device;
  ok(device.run({.capture = &capture}));
  const std::size_t last_reserved = [] {
    const auto all = OnDouble::journal();
    const auto found = std::ranges::find_if(all.rbegin(), all.rend(), [](const std::string& line) {
      return line.starts_with("hsa_amd_vmem_address_reserve");
    });
    return static_cast<std::size_t>(all.rend() - found) - 1;
  }();
  EXPECT_THAT(OnDouble::lines("hsa_amd_vmem_address_reserve"), SizeIs(3));
  for (const char* later :
       {"hsa_amd_vmem_handle_create", "hsa_amd_memory_pool_allocate", "hsa_code_object_reader",
        "hsa_executable_create_alt", "hsa_queue_create"})
    EXPECT_LT(last_reserved, OnDouble::place(later)) << later;
  const std::vector<std::string> order = {"hsa_init",
                                          "hsa_system_get_info 517",
                                          "hsa_amd_vmem_address_reserve",
                                          "hsa_amd_vmem_handle_create",
                                          "hsa_amd_vmem_map",
                                          "hsa_amd_vmem_set_access",
                                          "hsa_executable_freeze",
                                          "hsa_amd_agents_allow_access",
                                          "hsa_queue_create",
                                          "hsa_amd_profiling_set_profiler_enabled 1",
                                          "hsa_amd_memory_async_copy",
                                          "packet 0",
                                          "hsa_amd_profiling_get_dispatch_time",
                                          "hsa_queue_destroy",
                                          "hsa_executable_destroy",
                                          "hsa_amd_vmem_unmap",
                                          "hsa_amd_vmem_handle_release",
                                          "hsa_amd_vmem_address_free",
                                          "hsa_shut_down"};
  for (std::size_t i = 1; i < order.size(); ++i)
    EXPECT_LT(OnDouble::place(order[i - 1]), OnDouble::place(order[i])) << order[i];
  expect_clean(capture);
}

TEST(HsaReplay, PacketsCarryFencesAndSizes) {
  emu::KernelRun run = emu::transpose("gfx942", 40, 35);
  run.dynamic_lds_bytes = 512;
  const Capture capture = captured(run);
  const auto object = object_of(capture);
  const std::uint32_t lds = (*(*object)->kernel(capture.kernel))->lds_bytes;
  ASSERT_GT(lds, 0U);
  OnDouble device;
  ok(device.run({.capture = &capture}));
  EXPECT_THAT(OnDouble::lines("packet"),
              testing::ElementsAre(fmt::format(
                  "packet 0 header 0x1502 setup 2 workgroup {} {} 1 grid {} {} 1 private 0 group "
                  "{} signal yes reserved zero",
                  run.workgroup[0], run.workgroup[1], run.grid[0], run.grid[1], lds + 512)));
  EXPECT_THAT(OnDouble::journal(), Contains("hsa_signal_store_screlease 0")) << "the doorbell";
}

TEST(HsaReplay, MoreDispatchesThanTheQueueHolds) {
  const Capture capture = captured(emu::reduce("gfx942", 500, 1));
  OnDouble device;
  const ReplaySeries series = ok(device.run({.capture = &capture, .iterations = 100, .warmup = 3}));
  EXPECT_THAT(series.raw_ns, SizeIs(100));
  EXPECT_THAT(series.device->host_ns, SizeIs(100));
  EXPECT_EQ(series.image.match, ImageMatch::matched);
  EXPECT_EQ(series.last_equals_first, true);
  EXPECT_THAT(OnDouble::lines("packet 102 "), SizeIs(1));
}

TEST(HsaReplay, OnlyTheWriteSetIsRestoredForTheCapturedCode) {
  const Capture capture = small_capture();
  OnDouble device;
  const ReplaySeries series = ok(device.run({.capture = &capture, .iterations = 2}));
  EXPECT_EQ(series.device->restored_bytes, capture.regions[2].size);
  EXPECT_THAT(OnDouble::lines(fmt::format("hsa_amd_memory_async_copy {} bytes to 0x{:x}",
                                          capture.regions[2].size, capture.regions[2].base)),
              SizeIs(2));
  EXPECT_THAT(OnDouble::lines(fmt::format("hsa_amd_memory_async_copy {} bytes to 0x{:x}",
                                          capture.regions[0].size, capture.regions[0].base)),
              SizeIs(1));
  const ReplaySeries other = ok(device.run(
      {.capture = &capture, .object = isa::example("vector_add", "gfx942"), .iterations = 2}));
  EXPECT_EQ(other.device->restored_bytes, capture.regions[0].size * 3)
      << "of other code nothing is known";
  EXPECT_EQ(other.image.match, ImageMatch::matched);
}

TEST(HsaReplay, WithoutRestoringItAccumulates) {
  const Capture capture = captured(emu::reduce("gfx942", 1000, 2));
  OnDouble device;
  const ReplaySeries series =
      ok(device.run({.capture = &capture, .iterations = 4, .warmup = 2, .recopy = false}));
  EXPECT_EQ(series.image.match, ImageMatch::matched)
      << "the first after warming up starts from the captured memory";
  EXPECT_FALSE(series.last_equals_first.has_value());
  EXPECT_THAT(OnDouble::lines(fmt::format("hsa_amd_memory_async_copy {} bytes to 0x{:x}",
                                          capture.regions[1].size, capture.regions[1].base)),
              SizeIs(3))
      << "set up, second warm-up, first iteration";
}

TEST(HsaReplay, ColdEmptiesTheCaches) {
  const Capture capture = captured(emu::vector_add("gfx90a", 100));
  OnDouble device({.arch = "gfx90a"});
  ok(device.run({.capture = &capture, .iterations = 3, .cold = true}));
  EXPECT_THAT(OnDouble::lines("hsa_amd_memory_fill"), SizeIs(3));
  EXPECT_THAT(OnDouble::lines("hsa_amd_memory_fill").front(), HasSubstr(" 4194304 = ok"))
      << "words: twice the L2 of 8 MiB";
  expect_clean(capture);
}

TEST(HsaReplay, RegionsOnOnePageAndWideGranulesAreMerged) {
  Capture capture = small_capture();
  // The emulator puts 64 KiB between allocations: pages of that size make neighbours of them.
  OnDouble device({.granule = 65536});
  EXPECT_EQ(ok(device.run({.capture = &capture})).image.match, ImageMatch::matched);
  EXPECT_LT(OnDouble::lines("hsa_amd_vmem_address_reserve").size(), 3U);
  expect_clean(capture);
}

TEST(HsaReplay, MemoryOfTheHostIsLockedWhereItLay) {
  const Capture capture = small_capture();
  OnDouble device;
  const ReplaySeries series = ok(device.run({.capture = &capture, .host_regions = {1}}));
  EXPECT_EQ(series.image.match, ImageMatch::matched);
  EXPECT_THAT(series.device->placements, testing::ElementsAre("device", "host", "device"));
  EXPECT_THAT(OnDouble::lines("hsa_amd_memory_lock"), SizeIs(1));
  expect_clean(capture, {1});
  OnDouble moves({.lock_moves = true});
  const auto refused = moves.run({.capture = &capture, .host_regions = {1}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("hsa_amd_memory_lock of argument 2"),
                                             HasSubstr("shows it to the GPU at 0x")));
  expect_clean(capture, {1});
}

TEST(HsaReplay, TimesFollowTheFrequency) {
  const Capture capture = small_capture();
  OnDouble device({.frequency = 100'000'000, .clock_step = 50});
  const ReplaySeries series = ok(device.run({.capture = &capture}));
  EXPECT_THAT(series.raw_ns, testing::ElementsAre(500.0)) << "50 ticks of 10 ns";
  EXPECT_EQ(series.device->ticks_per_s, 1e8);
}

TEST(HsaReplay, ImpossibleTimesAreNoted) {
  const Capture capture = small_capture();
  OnDouble device({.clock_step = 3'600'000'000'000});
  const ReplaySeries series = ok(device.run({.capture = &capture}));
  EXPECT_THAT(
      series.notes,
      Contains(HasSubstr("1 of 1 device times are longer than possible by the host's clock")));
}

TEST(HsaReplay, AFaultNamesTheRegion) {
  // One page of what the kernel reads: it leaves what is mapped.
  Capture big = captured(emu::vector_add("gfx942", 5000));
  big.regions[1].size = 4096;
  big.regions[1].before.resize(4096);
  OnDouble device;
  const auto failed = device.run({.capture = &big});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, Errc::verification_failed);
  EXPECT_THAT(failed.error().message, AllOf(HasSubstr("'vector_add' accessed memory at 0x"),
                                            HasSubstr("past the end of argument 2")));
  EXPECT_THAT(
      device.stages,
      Contains(AllOf(StartsWith("hsa_queue_destroy of the queue, after: 'vector_add' accessed"),
                     HasSubstr("argument 2"))))
      << "where giving back hangs it is still known why";
  expect_clean(big);
}

TEST(HsaReplay, ThePacketIsAsLargeAsTheCapturedOne) {
  Capture capture = small_capture();
  capture.scratch_bytes = 4096;
  RawPacket packet{};
  packet[2] = std::byte{3};
  capture.facts.packet = packet;
  OnDouble device;
  ok(device.run({.capture = &capture}));
  EXPECT_THAT(OnDouble::lines("packet 0").at(0),
              AllOf(HasSubstr("setup 3 "), HasSubstr("private 4096 ")));
}

TEST(HsaReplay, WhatTheQueueRefusesIsNamed) {
  Capture capture = small_capture();
  capture.dynamic_lds_bytes = 1U << 20;
  OnDouble device;
  const auto failed = device.run({.capture = &capture});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().message,
            "'vector_add' stopped the queue with HSA_STATUS_ERROR_INVALID_ALLOCATION");
  expect_clean(capture);
}

TEST(HsaReplay, ADispatchThatDoesNotEndIsStopped) {
  // For so long that it goes on when this thread wakes late on a busy machine.
  const Capture capture = captured(emu::matmul("gfx942", 700, 700, 700));
  OnDouble device;
  const auto failed = device.run({.capture = &capture, .timeout = std::chrono::milliseconds(1)});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, Errc::timeout);
  EXPECT_EQ(failed.error().message, "'matmul' did not end within 1 ms");
  expect_clean(capture);
}

/// The one variable that the compiler gives every code object.
Capture with_variable(std::byte value) {
  Capture capture = small_capture();
  const auto object = object_of(capture);
  for (const isa::Symbol& symbol : (*object)->elf().symbols) {
    if (!symbol.name.starts_with("__hip_cuid_")) continue;
    capture.load_base = 0x5200'0000'0000;
    CapturedRegion region{.base = *capture.load_base + symbol.address,
                          .size = symbol.size,
                          .name = "variable",
                          .variable = symbol.name,
                          .before = {value},
                          .after = std::nullopt};
    capture.regions.insert(capture.regions.begin(), region);
    for (CapturedArgument& argument : capture.arguments) argument.region += argument.buffer ? 1 : 0;
    break;
  }
  return capture;
}

TEST(HsaReplay, VariablesAreRestoredWhereTheCodeLies) {
  const Capture capture = with_variable(std::byte{42});
  ASSERT_EQ(capture.regions.size(), 4U);
  OnDouble device;
  const ReplaySeries series = ok(device.run({.capture = &capture}));
  EXPECT_EQ(series.image.match, ImageMatch::matched) << "42 was read back from it";
  EXPECT_THAT(series.device->placements,
              testing::ElementsAre("variable", "device", "device", "device"));
  EXPECT_THAT(series.notes, Contains(HasSubstr("not where it was captured")));
  const ReplaySeries other =
      ok(device.run({.capture = &capture, .object = isa::example("vector_add", "gfx942")}));
  EXPECT_EQ(other.device->placements[0], "variable") << "the same build";
  Capture strange = capture;
  strange.regions[0].variable = "no_such_variable";
  EXPECT_EQ(ok(device.run({.capture = &strange, .object = isa::example("vector_add", "gfx942")}))
                .device->placements[0],
            "absent");
}

TEST(HsaReplay, RefusesAnotherGpuAndOldRuntimes) {
  const Capture capture = small_capture();
  OnDouble other({.arch = "gfx90a"});
  const auto refused = other.run({.capture = &capture});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::missing_capability);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("the code is for gfx942"), HasSubstr("gfx90a:sramecc+")));
  EXPECT_EQ(ok(other.run({.capture = &capture, .object = isa::example("vector_add", "gfx90a")}))
                .image.match,
            ImageMatch::matched)
      << "compiled again";
  OnDouble old({.vmem = false});
  EXPECT_THAT(old.run({.capture = &capture}).error().message,
              HasSubstr("cannot map memory at given addresses"));
  expect_clean(capture);
}

TEST(HsaReplay, RelocationAbortsBeforeMemoryIsTaken) {
  const Capture capture = small_capture();
  OnDouble device({.relocate = 2});
  const auto failed = device.run({.capture = &capture});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, Errc::denied);
  EXPECT_THAT(failed.error().message, AllOf(HasSubstr("argument 2"), HasSubstr("was put at 0x")));
  ASSERT_THAT(device.placement.conflicts, SizeIs(1));
  EXPECT_EQ(device.placement.conflicts[0].base, capture.regions[1].base);
  EXPECT_THAT(OnDouble::lines("hsa_amd_vmem_handle_create"), IsEmpty());
  expect_clean(capture);
}

TEST(HsaReplay, WhatLiesInTheWayIsNamed) {
  const Capture capture = small_capture();
  const std::uint64_t base = capture.regions[1].base;
  void* at = ::mmap(reinterpret_cast<void*>(base), 4096, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(reinterpret_cast<std::uint64_t>(at), base);
  Steering steering;
  const auto conflicts = steering.hold(page_ranges(capture, {}, kHostPage));
  ASSERT_THAT(conflicts, SizeIs(1));
  EXPECT_EQ(conflicts[0].base, base);
  EXPECT_THAT(conflicts[0].in_the_way,
              Contains(fmt::format("0x{:x}-0x{:x} memory without a name", base, base + 4096)));
  ::munmap(at, 4096);
}

/// What a failure of that call must say: the call, and the region where it works on one.
void expect_named(const std::string& said, const std::string& injected, const std::string& call) {
  EXPECT_THAT(said, HasSubstr(call));
  const bool of_a_region =
      call.find("vmem") != std::string::npos || call == "hsa_amd_memory_async_copy";
  EXPECT_THAT(said, HasSubstr(of_a_region ? "argument " : "")) << injected;
}

TEST(HsaReplay, AFailureOfAnyCallIsNamedAndLeavesNothing) {
  const Capture capture = small_capture();
  const ReplayPlan plan{
      .capture = &capture, .iterations = 2, .warmup = 1, .cold = false, .host_regions = {1}};
  OnDouble device;
  ok(device.run(plan));
  const std::uint64_t calls = hsa_double::journal().calls();
  ASSERT_GT(calls, 60U);
  std::size_t failed = 0, noted = 0;
  for (std::uint64_t number = 1; number <= calls; ++number) {
    device.options.injections = {{.function = "*", .number = number, .status = hsa::Status::error}};
    const auto series = device.run(plan);
    const auto journal = OnDouble::journal();
    const auto line = std::ranges::find_if(journal, [](const std::string& text) {
      return text.find("(injected)") != std::string::npos;
    });
    if (line == journal.end()) {
      // How often a wait is looked at differs from run to run.
      EXPECT_GE(number + 10, calls);
      continue;
    }
    const std::string call = line->substr(0, line->find(' '));
    if (call == "hsa_signal_wait_scacquire") continue;  // returns a value: looked at again
    SCOPED_TRACE(*line);
    if (!series) {
      ++failed;
      expect_named(series.error().message, *line, call);
    } else {
      ++noted;
      const auto note = std::ranges::find_if(series->notes, [&](const std::string& text) {
        return text.find(call) != std::string::npos;
      });
      ASSERT_NE(note, series->notes.end());
      expect_named(*note, *line, call);
    }
    expect_clean(capture, {1});
  }
  EXPECT_GT(failed, 40U);
  EXPECT_GT(noted, 10U) << "giving back is tried again";
}

TEST(HsaReplay, StagesNameWhatIsBeingDone) {
  const Capture capture = small_capture();
  OnDouble device;
  ok(device.run({.capture = &capture}));
  EXPECT_THAT(device.stages, Contains(StartsWith("hsa_amd_vmem_map of argument 1 (")));
  EXPECT_THAT(device.stages, Contains("the dispatch of 'vector_add'"));
}

}  // namespace
}  // namespace rpl
