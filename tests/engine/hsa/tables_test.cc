// SPDX-License-Identifier: MIT
#include "engine/hsa/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/hsa/mock_tables.h"

namespace rpl::hsa {
namespace {

using ::testing::HasSubstr;

/// Byte offset of a slot in its table; -1 where the runtime has none.
template <class Entry>
std::ptrdiff_t offset_of(const Tables& tables, const MockTables& mock, Entry entry) {
  void** slot = tables.slot(entry);
  return slot == nullptr ? -1 : mock.offset(slot);
}

struct Expected {
  std::uint32_t root_major, root_bytes, ext_bytes;
  std::ptrdiff_t intercept_create, memory_lock, pointer_info, svm_set, on_engine, vmem_map;
  const char* release;
};

// The offsets of the reference: two functions were inserted behind the asynchronous copy in ROCm 5.6, vmem came with 6.0.
constexpr Expected kLayouts[] = {{1, 48, 400, 296, 176, 224, 368, -1, -1, "5.2"},
                                 {1, 48, 424, 296, 176, 224, 368, -1, -1, "5.5"},
                                 {1, 48, 456, 312, 192, 240, 384, 144, -1, "5.6"},
                                 {2, 48, 552, 312, 192, 240, 384, 144, 488, "6.0"},
                                 {3, 56, 560, 312, 192, 240, 384, 144, 488, "6.1"},
                                 {3, 64, 576, 312, 192, 240, 384, 144, 488, "6.2"},
                                 {3, 64, 584, 312, 192, 240, 384, 144, 488, "6.3"},
                                 {3, 64, 592, 312, 192, 240, 384, 144, 488, "6.4"},
                                 {3, 64, 608, 312, 192, 240, 384, 144, 488, "7.0"}};

TEST(Tables, EveryKnownLayoutHasItsFunctionsInTheirPlaces) {
  for (const Expected& expected : kLayouts) {
    SCOPED_TRACE(expected.release);
    MockTables mock(expected.root_major, expected.root_bytes, expected.ext_bytes);
    const auto tables = Tables::of(mock.root());
    ASSERT_TRUE(tables) << tables.error().message;
    EXPECT_THAT(tables->releases(), HasSubstr(expected.release));
    EXPECT_EQ(offset_of(*tables, mock, Ext::pool_allocate), 120);
    EXPECT_EQ(offset_of(*tables, mock, Ext::memory_async_copy), 136);
    EXPECT_EQ(offset_of(*tables, mock, Ext::queue_intercept_create), expected.intercept_create);
    EXPECT_EQ(offset_of(*tables, mock, Ext::memory_lock), expected.memory_lock);
    EXPECT_EQ(offset_of(*tables, mock, Ext::pointer_info), expected.pointer_info);
    EXPECT_EQ(offset_of(*tables, mock, Ext::svm_attributes_set), expected.svm_set);
    EXPECT_EQ(offset_of(*tables, mock, Ext::memory_async_copy_on_engine), expected.on_engine);
    EXPECT_EQ(offset_of(*tables, mock, Ext::vmem_map), expected.vmem_map);
    EXPECT_EQ(tables->has_vmem(), expected.vmem_map >= 0);
    EXPECT_EQ(offset_of(*tables, mock, Core::queue_create), 72);
    EXPECT_EQ(offset_of(*tables, mock, Core::system_get_major_extension_table), 800);
  }
}

TEST(Tables, UnknownLayoutsAreDeclinedWithTheirSizes) {
  for (const std::uint32_t ext : {0U, 24U, 392U, 408U, 448U, 464U, 544U, 568U, 600U, 616U, 4096U}) {
    MockTables mock(3, 64, ext);
    const auto tables = Tables::of(mock.root());
    ASSERT_FALSE(tables) << ext;
    EXPECT_EQ(tables.error().code, Errc::unsupported);
    EXPECT_THAT(tables.error().message, HasSubstr("amd_ext 1/" + std::to_string(ext)));
  }
  MockTables mixed(1, 48, 608);
  EXPECT_FALSE(Tables::of(mixed.root()));
  MockTables core(3, 64, 608);
  core.core_version().minor = 1024;
  EXPECT_THAT(Tables::of(core.root()).error().message, HasSubstr("core 1/1024"));
}

TEST(Tables, NoTableIsNoCrash) {
  EXPECT_EQ(Tables::of(nullptr).error().code, Errc::corrupt);
  MockTables mock(3, 64, 608);
  mock.forget_ext();
  EXPECT_EQ(Tables::of(mock.root()).error().code, Errc::corrupt);
  MockTables small(3, 40, 608);
  EXPECT_EQ(Tables::of(small.root()).error().code, Errc::unsupported);
}

}  // namespace
}  // namespace rpl::hsa
