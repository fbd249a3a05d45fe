// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "tests/support/hsakmt/machine_fixture.h"

namespace rpl::hsakmt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint16_t kDispatchHeader = 0x1502, kAndHeader = 0x1503, kOrHeader = 0x1505,
                        kVendorHeader = 0x1500;

class Aql : public MachineTest {
 protected:
  static constexpr std::uint32_t kCount = 300, kWorkgroup = 64;

  /// vector_add of kCount floats with everything in place.
  void prepare_vector_add() {
    const auto object = isa::example("vector_add", "gfx90a");
    descriptor = load(*object) + object->symbol("vector_add.kd")->address;
    a = pages(kCount * 4), b = pages(kCount * 4), out = pages(kCount * 4);
    for (std::uint32_t i = 0; i < kCount; ++i)
      put(a + 4 * i, static_cast<float>(i)), put(b + 4 * i, 1000.0F);
    emu::Launch launch;
    launch.object = object;
    launch.kernel = &object->kernels()[0];
    launch.grid = {kCount, 1, 1};
    launch.workgroup = {kWorkgroup, 1, 1};
    const auto bytes = emu::kernarg_of(launch);
    kernarg = pages(4096);
    std::memcpy(reinterpret_cast<void*>(kernarg), bytes->data(), bytes->size());
    put(kernarg, a), put(kernarg + 8, b), put(kernarg + 16, out), put(kernarg + 24, kCount);
  }

  void fill_dispatch(std::uint64_t at, std::uint64_t completion) {
    put(at + 2, std::uint16_t{1});
    put(at + 4, static_cast<std::uint16_t>(kWorkgroup));
    put(at + 12, kCount);
    put(at + 32, descriptor), put(at + 40, kernarg), put(at + 56, completion);
  }

  /// The error that a queue stops with for a dispatch that `change` spoiled.
  template <class Change>
  std::int64_t error_after(Change change, std::uint16_t header = kDispatchHeader) {
    prepare_vector_add();
    signal(60, 0);
    packet(0, header, [&](std::uint64_t at) {
      fill_dispatch(at, 0);
      change(at);
    });
    EXPECT_EQ(processor().step(cancel), Step::failed);
    EXPECT_FALSE(said.empty());
    return value_of(inactive());
  }

  std::uint64_t descriptor = 0, kernarg = 0, a = 0, b = 0, out = 0;
};

TEST_F(Aql, ADispatchRunsAndCompletes) {
  prepare_vector_add();
  const std::uint64_t done = signal(0, 1, 7);
  put(queue + 180, std::uint32_t{1U << 3});
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, done); });
  auto queue_processor = processor();
  EXPECT_EQ(queue_processor.step(cancel), Step::done) << said;
  for (std::uint32_t i = 0; i < kCount; ++i)
    ASSERT_EQ(get<float>(out + 4 * i), static_cast<float>(i) + 1000.0F) << i;
  EXPECT_EQ(value_of(done), 0);
  EXPECT_THAT(interrupts, ElementsAre(7U));
  EXPECT_EQ(get<std::uint64_t>(signals + 4096 - 8), 7U);
  EXPECT_LT(get<std::uint64_t>(done + 32), get<std::uint64_t>(done + 40));
  EXPECT_EQ(get<std::uint64_t>(queue + 128), 1U);
  EXPECT_EQ(get<std::uint16_t>(ring) & 0xff, 1);
  EXPECT_EQ(queue_processor.step(cancel), Step::idle);
}

TEST_F(Aql, WithoutProfilingTheTimesStayAsTheyWere) {
  prepare_vector_add();
  const std::uint64_t done = signal(0, 1);
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, done); });
  EXPECT_EQ(processor().step(cancel), Step::done);
  EXPECT_EQ(get<std::uint64_t>(done + 40), 0U);
  EXPECT_THAT(interrupts, IsEmpty());
}

TEST_F(Aql, NothingIsProcessedBeforeItsHeader) {
  auto queue_processor = processor();
  put(queue + 56, std::uint64_t{1});
  EXPECT_EQ(queue_processor.step(cancel), Step::idle);
  packet(0, kAndHeader, [](std::uint64_t) {});
  EXPECT_EQ(queue_processor.step(cancel), Step::done);
}

TEST_F(Aql, TheRingIsUsedAgain) {
  auto queue_processor = processor();
  const std::uint64_t done = signal(0, 100);
  for (std::uint64_t i = 0; i < 3 * kPackets; ++i) {
    packet(i, kAndHeader, [&](std::uint64_t at) { put(at + 56, done); });
    ASSERT_EQ(queue_processor.step(cancel), Step::done);
  }
  EXPECT_EQ(value_of(done), 100 - static_cast<std::int64_t>(3 * kPackets));
}

TEST_F(Aql, BarriersWaitForAllOrOneOfTheirSignals) {
  const std::uint64_t first = signal(0, 1), second = signal(1, 2);
  const auto both = [&](std::uint64_t at) { put(at + 8, first), put(at + 40, second); };
  auto queue_processor = processor();
  packet(0, kOrHeader, both);
  EXPECT_EQ(queue_processor.step(cancel), Step::waiting);
  signal(1, 0);
  EXPECT_EQ(queue_processor.step(cancel), Step::done);
  packet(1, kAndHeader, both);
  EXPECT_EQ(queue_processor.step(cancel), Step::waiting);
  signal(0, 0);
  EXPECT_EQ(queue_processor.step(cancel), Step::done);
}

TEST_F(Aql, ABarrierOnAValueWithoutASignalPasses) {
  auto queue_processor = processor();
  const std::uint64_t done = signal(0, 1);
  packet(0, kVendorHeader, [&](std::uint64_t at) {
    put(at + 2, std::uint8_t{2});
    put(at + 56, done);
  });
  EXPECT_EQ(queue_processor.step(cancel), Step::done) << said;
  EXPECT_EQ(value_of(done), 0);
}

TEST_F(Aql, ABarrierOnAValueComparesUnderItsMask) {
  struct Case {
    std::uint32_t condition;
    std::int64_t blocked, passes;
  };
  auto queue_processor = processor();
  std::uint64_t index = 0;
  for (const Case& each :
       {Case{0, 0x16, 0x75}, Case{1, 0x15, 0x14}, Case{2, 0x75, 0x74}, Case{3, 0x14, 0x15}}) {
    const std::uint64_t watched = signal(0, each.blocked);
    packet(index++, kVendorHeader, [&](std::uint64_t at) {
      put(at + 2, std::uint8_t{2});
      put(at + 8, watched), put(at + 16, std::int64_t{5}), put(at + 24, std::int64_t{0xf}),
          put(at + 32, each.condition);
    });
    EXPECT_EQ(queue_processor.step(cancel), Step::waiting) << each.condition;
    signal(0, each.passes);
    EXPECT_EQ(queue_processor.step(cancel), Step::done) << each.condition;
  }
}

TEST_F(Aql, OfPm4OnlyCacheOperationsAreKnown) {
  const std::uint32_t acquire[] = {0xc0055800, 1, 2, 3, 4, 5, 6, 0x80000000},
                      write[] = {0xc0023700, 0, 0, 0}, cut[] = {0xc0055800, 1};
  EXPECT_TRUE(only_cache_operations(acquire));
  EXPECT_FALSE(only_cache_operations(write));
  EXPECT_FALSE(only_cache_operations(cut));
  const std::uint64_t commands = pages(4096);
  std::memcpy(reinterpret_cast<void*>(commands), acquire, sizeof(acquire));
  packet(0, kVendorHeader, [&](std::uint64_t at) {
    put(at + 2, std::uint8_t{1});
    put(at + 8, commands), put(at + 16, std::uint32_t{8});
  });
  EXPECT_EQ(processor().step(cancel), Step::done) << said;
}

TEST_F(Aql, ErrorsStopTheQueueWithTheirBits) {
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 12, std::uint32_t{0}); }), 2);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 2, std::uint16_t{0}); }), 2);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 28, std::uint32_t{65537}); }), 4);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 4, std::uint16_t{1025}); }), 64);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 32, std::uint64_t{0}); }), 8);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 32, ~std::uint64_t{0} - 10); }), 8);
  EXPECT_EQ(error_after([](std::uint64_t) {}, 0x1504), 32);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 2, std::uint16_t{9}); }, kVendorHeader),
            256);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 56, std::uint64_t{0x1234}); }),
            0x20000000);
  EXPECT_EQ(error_after([&](std::uint64_t at) { put(at + 8, std::uint64_t{64}); }, kAndHeader),
            0x20000000);
  EXPECT_THAT(faults, IsEmpty());
}

TEST_F(Aql, AnInstructionThatIsNoneStopsTheQueue) {
  prepare_vector_add();
  const auto entry = descriptor + get<std::uint64_t>(descriptor + 16);
  put(entry, std::uint32_t{0xffffffff});
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, 0); });
  EXPECT_EQ(processor().step(cancel), Step::failed);
  EXPECT_EQ(value_of(inactive()), 0x40000000);
}

TEST_F(Aql, AnAccessOutsideTheMapIsAMemoryFault) {
  prepare_vector_add();
  put(kernarg + 16, std::uint64_t{0x5000});
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, 0); });
  EXPECT_EQ(processor().step(cancel), Step::failed);
  EXPECT_THAT(faults, ElementsAre(0x5000U));
  EXPECT_THAT(said, HasSubstr("vector_add: wave 0 of workgroup 0"));
  EXPECT_EQ(value_of(inactive()), 0);
}

TEST_F(Aql, MemoryThatIsNotMappedIsOutOfReach) {
  prepare_vector_add();
  EXPECT_EQ(map.unmap(b), AddressMap::Outcome::done);
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, 0); });
  EXPECT_EQ(processor().step(cancel), Step::failed);
  EXPECT_THAT(faults, ElementsAre(b));
}

TEST_F(Aql, AQueueThatIsDestroyedStopsItsKernel) {
  prepare_vector_add();
  cancel = true;
  packet(0, kDispatchHeader, [&](std::uint64_t at) { fill_dispatch(at, 0); });
  EXPECT_EQ(processor().step(cancel), Step::failed);
  EXPECT_EQ(get<std::uint64_t>(queue + 128), 0U);
}

TEST_F(Aql, KernelsAreDecodedAgainWhenTheirCodeChanges) {
  prepare_vector_add();
  const auto view = map.view();
  const auto first = kernels.get(*view, descriptor), again = kernels.get(*view, descriptor);
  ASSERT_TRUE(first.has_value() && again.has_value());
  EXPECT_EQ(first->program, again->program);
  EXPECT_EQ(first->object->kernels()[0].name, "vector_add");
  put(descriptor + get<std::uint64_t>(descriptor + 16), std::uint32_t{0xbf810000});  // s_endpgm
  const auto changed = kernels.get(*view, descriptor);
  ASSERT_TRUE(changed.has_value());
  EXPECT_NE(first->program, changed->program);
}

TEST_F(Aql, CodeNeedsNoElfAroundIt) {
  const std::uint64_t bare = pages(8192, AddressMap::kDeviceNode);
  put(bare + 16, std::int64_t{256});
  put(bare + 44, std::uint32_t{1}), put(bare + 48, std::uint32_t{0});
  put(bare + 256, std::uint32_t{0xbf810000});  // s_endpgm
  const auto kernel = kernels.get(*map.view(), bare);
  ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
  EXPECT_EQ(kernel->object->kernels()[0].entry, bare + 256);
  put(bare + 16, std::int64_t{1} << 40);
  EXPECT_FALSE(kernels.get(*map.view(), bare).has_value());
  put(bare + 16, std::int64_t{257});
  EXPECT_FALSE(kernels.get(*map.view(), bare).has_value());
}

}  // namespace
}  // namespace rpl::hsakmt
