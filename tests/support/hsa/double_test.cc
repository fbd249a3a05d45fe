// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>

#include "tests/engine/isa/example_objects.h"
#include "tests/support/hsa/calls.h"

namespace rpl::hsa_double {
namespace {

using hsa::Status;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kPlace = 0x5000'0000'0000;
constexpr std::size_t kPage = 4096;

class HsaDouble : public testing::Test {
 protected:
  void begin(const Options& options = {}) {
    configure(options);
    ASSERT_EQ(api().init.call(), Status::success);
  }
  void end() {
    ASSERT_EQ(api().shut_down.call(), Status::success);
    EXPECT_EQ(machine(), nullptr);
  }
  static void expect_nothing_left() {
    EXPECT_THAT(journal().lines(), Each(Not(HasSubstr("left: "))));
  }

  /// Memory at kPlace, reserved, backed, mapped and reachable by the GPU.
  hsa::MemoryHandle map_page() {
    void* at = nullptr;
    hsa::MemoryHandle handle{};
    EXPECT_EQ(api().vmem_address_reserve.call(&at, kPage, kPlace, 0), Status::success);
    EXPECT_EQ(at, pointer_to(kPlace));
    EXPECT_EQ(
        api().vmem_handle_create.call(kDeviceCoarse, kPage, hsa::MemoryType::none, 0, &handle),
        Status::success);
    EXPECT_EQ(api().vmem_map.call(at, kPage, 0, handle, 0), Status::success);
    return handle;
  }
  void give_access() {
    const hsa::Access access{.permissions = hsa::kAccessBoth, .reserved = 0, .agent = kGpu};
    EXPECT_EQ(api().vmem_set_access.call(pointer_to(kPlace), kPage, &access, 1), Status::success);
  }
  void unmap_page(hsa::MemoryHandle handle) {
    EXPECT_EQ(api().vmem_unmap.call(pointer_to(kPlace), kPage), Status::success);
    EXPECT_EQ(api().vmem_handle_release.call(handle), Status::success);
    EXPECT_EQ(api().vmem_address_free.call(pointer_to(kPlace), kPage), Status::success);
  }
};

TEST_F(HsaDouble, MemoryIsReachedOnlyWithAccess) {
  begin();
  const auto handle = map_page();
  void* host = nullptr;
  hsa::Signal done{};
  ASSERT_EQ(api().pool_allocate.call(kHostKernarg, 2 * kPage, 0, &host), Status::success);
  ASSERT_EQ(api().signal_create.call(2, 0, nullptr, &done), Status::success);
  auto* const bytes = static_cast<std::byte*>(host);
  bytes[0] = std::byte{7};
  const auto write = [&](std::size_t count) {
    return api().memory_async_copy.call(pointer_to(kPlace), kGpu, host, kCpu, count, 0, nullptr,
                                        done);
  };
  EXPECT_EQ(write(kPage), Status::invalid_allocation);
  give_access();
  EXPECT_EQ(write(kPage), Status::invalid_allocation) << "the GPU does not reach the host's";
  EXPECT_EQ(api().agents_allow_access.call(1, &kGpu, nullptr, host), Status::success);
  EXPECT_EQ(write(kPage), Status::success);
  EXPECT_EQ(write(kPage + 1), Status::invalid_allocation);
  EXPECT_EQ(api().memory_async_copy.call(bytes + kPage, kCpu, pointer_to(kPlace), kGpu, 1, 0,
                                         nullptr, done),
            Status::success);
  EXPECT_EQ(bytes[kPage], std::byte{7});
  EXPECT_EQ(
      api().signal_wait_scacquire.call(done, hsa::Condition::less, 1, 0, hsa::WaitState::active),
      0);
  EXPECT_EQ(api().signal_destroy.call(done), Status::success);
  EXPECT_EQ(api().pool_free.call(host), Status::success);
  unmap_page(handle);
  end();
  expect_nothing_left();
}

TEST_F(HsaDouble, WrongSizesAndOrdersAreErrors) {
  begin();
  const auto handle = map_page();
  hsa::MemoryHandle two{};
  EXPECT_EQ(api().vmem_handle_create.call(kDeviceCoarse, 2 * kPage, hsa::MemoryType::none, 0, &two),
            Status::success);
  EXPECT_EQ(api().vmem_map.call(pointer_to(kPlace), kPage, 0, two, 0), Status::invalid_argument);
  EXPECT_EQ(api().vmem_map.call(pointer_to(kPlace), 2 * kPage, kPage, two, 0),
            Status::invalid_argument);
  EXPECT_EQ(api().vmem_map.call(pointer_to(kPlace), 2 * kPage, 0, two, 0),
            Status::invalid_allocation)
      << "more than was reserved";
  EXPECT_EQ(api().vmem_address_free.call(pointer_to(kPlace), kPage), Status::resource_free);
  EXPECT_EQ(api().vmem_handle_release.call(handle), Status::resource_free);
  EXPECT_EQ(api().vmem_handle_create.call(kHostKernarg, kPage, hsa::MemoryType::none, 0, &two),
            Status::invalid_argument);
  EXPECT_EQ(api().vmem_handle_release.call(two), Status::success);
  EXPECT_EQ(api().vmem_handle_release.call(two), Status::invalid_allocation);
  unmap_page(handle);
  EXPECT_EQ(api().vmem_address_free.call(pointer_to(kPlace), kPage), Status::invalid_allocation);
  EXPECT_EQ(api().pool_free.call(pointer_to(kPlace)), Status::invalid_argument);
  EXPECT_EQ(api().signal_destroy.call({0}), Status::invalid_signal);
  EXPECT_EQ(api().executable_destroy.call({5}), Status::invalid_executable);
  end();
}

TEST_F(HsaDouble, SaysWhatIsLeft) {
  begin();
  map_page();
  void* memory = nullptr;
  ASSERT_EQ(api().pool_allocate.call(kHostKernarg, 100, 0, &memory), Status::success);
  end();
  const auto lines = journal().lines();
  EXPECT_THAT(lines, Contains("left: reservation 0x500000000000 4096"));
  EXPECT_THAT(lines, Contains("left: mapping 0x500000000000 4096"));
  EXPECT_THAT(lines, Contains(HasSubstr("left: memory handle")));
  EXPECT_THAT(lines, Contains(HasSubstr("left: allocation")));
}

TEST_F(HsaDouble, ReservationsLandElsewhereWhereTheyMust) {
  void* in_the_way = ::mmap(pointer_to(kPlace), kPage, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(in_the_way, pointer_to(kPlace));
  begin({.relocate = 2});
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(api().vmem_address_reserve.call(&first, kPage, kPlace, 0), Status::success);
  EXPECT_NE(first, in_the_way);
  ::munmap(in_the_way, kPage);
  ASSERT_EQ(api().vmem_address_reserve.call(&second, kPage, kPlace, 0), Status::success);
  EXPECT_NE(second, pointer_to(kPlace)) << "as it was asked to";
  for (void* at : {first, second})
    EXPECT_EQ(api().vmem_address_free.call(at, kPage), Status::success);
  end();
}

TEST_F(HsaDouble, CallsFailAsAsked) {
  EXPECT_EQ(parse_injections("hsa_init:2:0x1008,*:3:hang,bad").size(), 2U);
  begin({.injections = parse_injections("hsa_amd_memory_pool_allocate:2:0x1008")});
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(api().pool_allocate.call(kDeviceCoarse, kPage, 0, &first), Status::success);
  EXPECT_EQ(api().pool_allocate.call(kDeviceCoarse, kPage, 0, &second), Status::out_of_resources);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(api().pool_free.call(first), Status::success);
  EXPECT_EQ(journal().calls(), 4U);
  EXPECT_THAT(journal().lines(), Contains(HasSubstr("OUT_OF_RESOURCES (injected)")));
  end();
}

TEST_F(HsaDouble, WithoutVirtualMemoryItSaysSo) {
  begin({.vmem = false});
  bool supported = true;
  ASSERT_EQ(api().system_get_info.call(hsa::SystemInfo::vmem_supported, &supported),
            Status::success);
  EXPECT_FALSE(supported);
  void* at = nullptr;
  EXPECT_EQ(api().vmem_address_reserve.call(&at, kPage, kPlace, 0), Status::error);
  end();
}

TEST_F(HsaDouble, BeforeInitNothingWorks) {
  configure({});
  EXPECT_EQ(api().shut_down.call(), Status::not_initialized);
  hsa::Signal signal{};
  EXPECT_EQ(api().signal_create.call(1, 0, nullptr, &signal), Status::not_initialized);
}

TEST_F(HsaDouble, SymbolsAndDescriptorsAreThoseOfTheCode) {
  begin();
  const auto object = isa::example("softmax", "gfx942");
  hsa::Reader reader{};
  hsa::Executable executable{};
  hsa::Symbol symbol{};
  ASSERT_EQ(
      api().reader_create_from_memory.call(object->bytes().data(), object->bytes().size(), &reader),
      Status::success);
  ASSERT_EQ(api().executable_create.call(hsa::Profile::base, hsa::Rounding::as_compiled, nullptr,
                                         &executable),
            Status::success);
  ASSERT_EQ(api().executable_load.call(executable, kGpu, reader, nullptr, nullptr),
            Status::success);
  ASSERT_EQ(api().executable_freeze.call(executable, nullptr), Status::success);
  EXPECT_EQ(api().executable_load.call(executable, kGpu, reader, nullptr, nullptr),
            Status::frozen_executable);
  EXPECT_EQ(api().executable_get_symbol.call(executable, "softmax", &kGpu, &symbol),
            Status::success)
      << "the code itself";
  EXPECT_EQ(api().executable_get_symbol.call(executable, "other.kd", &kGpu, &symbol),
            Status::invalid_symbol_name);
  ASSERT_EQ(api().executable_get_symbol.call(executable, "softmax.kd", &kGpu, &symbol),
            Status::success);
  std::uint32_t kernarg = 0;
  std::uint64_t descriptor = 0;
  EXPECT_EQ(api().symbol_get_info.call(symbol, hsa::SymbolInfo::kernarg_bytes, &kernarg),
            Status::success);
  EXPECT_EQ(kernarg, object->kernels()[0].kernarg_bytes);
  EXPECT_EQ(api().symbol_get_info.call(symbol, hsa::SymbolInfo::kernel_object, &descriptor),
            Status::success);
  EXPECT_NE(machine()->map.view()->at(descriptor, 64), nullptr);
  EXPECT_EQ(api().reader_destroy.call(reader), Status::success);
  EXPECT_EQ(api().executable_destroy.call(executable), Status::success);
  end();
  expect_nothing_left();
}

}  // namespace
}  // namespace rpl::hsa_double
