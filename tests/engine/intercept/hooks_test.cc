// SPDX-License-Identifier: MIT
// Which functions the tool replaces in the tables of each release, and that the runtime's own are called behind them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/intercept/tool.h"
#include "tests/engine/hsa/mock_tables.h"

namespace rpl::intercept {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

const std::vector<std::size_t> kCore = {72, 88, 280, 288, 296, 320, 688};

/// The tool lives as long as the process, as it does in a program.
Tool& installed(const hsa::Tables& tables) {
  static std::vector<std::unique_ptr<Tool>> kept;
  kept.push_back(Tool::make(tables, {}).value());
  kept.back()->install(tables);
  return *kept.back();
}

TEST(Hooks, AreThoseOfEachLayout) {
  struct Layout {
    std::uint32_t root_major, root_bytes, ext_bytes;
    std::vector<std::size_t> ext;
  };
  const std::vector<std::size_t> early = {120, 128, 136, 176, 184, 192,
                                          248, 256, 312, 320, 336, 368};
  const std::vector<std::size_t> shifted = {120, 128, 136, 144, 192, 200, 208,
                                            264, 272, 328, 336, 352, 384};
  std::vector<std::size_t> vmem = shifted;
  vmem.insert(vmem.end(), {488, 496});
  const Layout layouts[] = {{1, 48, 400, early}, {1, 48, 424, early}, {1, 48, 456, shifted},
                            {2, 48, 552, vmem},  {3, 56, 560, vmem},  {3, 64, 576, vmem},
                            {3, 64, 608, vmem}};
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(layout.ext_bytes);
    hsa::MockTables mock(layout.root_major, layout.root_bytes, layout.ext_bytes);
    const auto tables = hsa::Tables::of(mock.root());
    ASSERT_TRUE(tables);
    installed(*tables);
    EXPECT_THAT(mock.replaced_core(), ElementsAreArray(kCore));
    EXPECT_THAT(mock.replaced_ext(), ElementsAreArray(layout.ext));
  }
}

TEST(Hooks, ARuntimeWithoutAFunctionThatIsNeededIsDeclined) {
  hsa::MockTables mock(1, 48, 400);
  mock.set_ext(296, nullptr);
  const auto tool = Tool::make(*hsa::Tables::of(mock.root()), {});
  ASSERT_FALSE(tool);
  EXPECT_THAT(tool.error().message, HasSubstr("hsa_amd_queue_intercept_create"));
}

std::vector<std::string> calls;

TEST(Hooks, MemoryIsKnownWhileItExists) {
  hsa::MockTables mock(3, 64, 608);
  using PoolInfo = Status (*)(hsa::Pool, hsa::PoolInfo, void*);
  using Allocate = Status (*)(hsa::Pool, std::size_t, std::uint32_t, void**);
  using Free = Status (*)(void*);
  using Map = Status (*)(void*, std::size_t, std::size_t, hsa::MemoryHandle, std::uint64_t);
  using Unmap = Status (*)(void*, std::size_t);
  const PoolInfo pool_info = [](hsa::Pool, hsa::PoolInfo, void* out) {
    *static_cast<std::uint32_t*>(out) = hsa::kPoolCoarse;
    return Status::success;
  };
  const Allocate allocate = [](hsa::Pool, std::size_t bytes, std::uint32_t, void** out) {
    calls.push_back("allocate " + std::to_string(bytes));
    *out = reinterpret_cast<void*>(0x10000);  // NOLINT(performance-no-int-to-ptr)
    return bytes == 13 ? Status::out_of_resources : Status::success;
  };
  const Free free = [](void*) {
    calls.push_back("free");
    return Status::success;
  };
  const Map map = [](void*, std::size_t, std::size_t, hsa::MemoryHandle, std::uint64_t) {
    return Status::success;
  };
  const Unmap unmap = [](void*, std::size_t) { return Status::success; };
  mock.set_ext(104, reinterpret_cast<void*>(pool_info));
  mock.set_ext(120, reinterpret_cast<void*>(allocate));
  mock.set_ext(128, reinterpret_cast<void*>(free));
  mock.set_ext(488, reinterpret_cast<void*>(map));
  mock.set_ext(496, reinterpret_cast<void*>(unmap));
  const auto tables = hsa::Tables::of(mock.root());
  ASSERT_TRUE(tables);
  Tool& tool = installed(*tables);
  calls.clear();

  void* memory = nullptr;
  EXPECT_EQ(tables->function<std::remove_pointer_t<Allocate>>(hsa::Ext::pool_allocate)({1}, 256, 0,
                                                                                       &memory),
            Status::success);
  ASSERT_TRUE(tool.memory().find(0x10000 + 255));
  EXPECT_EQ(tool.memory().find(0x10000)->flags, hsa::kPoolCoarse);
  EXPECT_EQ(tables->function<std::remove_pointer_t<Free>>(hsa::Ext::pool_free)(memory),
            Status::success);
  EXPECT_FALSE(tool.memory().find(0x10000));
  EXPECT_EQ(tables->function<std::remove_pointer_t<Allocate>>(hsa::Ext::pool_allocate)({1}, 13, 0,
                                                                                       &memory),
            Status::out_of_resources);
  EXPECT_FALSE(tool.memory().find(0x10000));
  EXPECT_THAT(calls, ElementsAre("allocate 256", "free", "allocate 13"));

  // Two mappings in one reservation, unmapped together.
  auto* mapped = reinterpret_cast<std::byte*>(0x400000);  // NOLINT(performance-no-int-to-ptr)
  const auto vmem_map = tables->function<std::remove_pointer_t<Map>>(hsa::Ext::vmem_map);
  EXPECT_EQ(vmem_map(mapped, 4096, 0, {1}, 0), Status::success);
  EXPECT_EQ(vmem_map(mapped + 8192, 4096, 0, {2}, 0), Status::success);
  EXPECT_TRUE(tool.memory().find(0x400000));
  EXPECT_FALSE(tool.memory().find(0x401000));
  EXPECT_TRUE(tool.memory().find(0x402000));
  EXPECT_EQ(tables->function<std::remove_pointer_t<Unmap>>(hsa::Ext::vmem_unmap)(mapped, 3 * 4096),
            Status::success);
  EXPECT_TRUE(tool.memory().all().empty());
}

}  // namespace
}  // namespace rpl::intercept
