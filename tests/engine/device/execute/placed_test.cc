// SPDX-License-Identifier: MIT
// Launches of kernels that lie in memory, with packet and arguments that someone else wrote; memory that others change meanwhile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

/// A kernel of the tests in memory, known by its descriptor alone, with a kernarg segment for it.
class Placed : public testing::Test {
 protected:
  void place_kernel(const std::string& source, const std::string& name, std::uint32_t items) {
    original = isa::test_object(source, "gfx90a");
    const isa::Kernel& kernel = **original->kernel(name);
    isa::KernelInMemory in_memory;
    in_memory.name = name;
    in_memory.fields = kernel.descriptor;
    in_memory.descriptor = kBase + original->symbol(kernel.symbol)->address;
    for (const auto& segment : original->elf().segments) {
      const bool holds = segment.executable && kernel.entry - segment.address < segment.file_size;
      if (!holds) continue;
      const auto bytes = original->loaded(segment.address, segment.file_size)->bytes();
      in_memory.code.assign(bytes.begin(), bytes.end());
      in_memory.code_address = kBase + segment.address;
    }
    auto object = isa::CodeObject::of_memory(std::move(in_memory));
    ASSERT_TRUE(object.has_value()) << object.error().message;
    launch.object = *object;
    launch.kernel = &(*object)->kernels()[0];
    launch.load_base = 0;
    launch.grid = launch.workgroup = {items, 1, 1};
    kernarg = &memory.allocate(512, "arguments");
    packet = &memory.allocate(64, "packet");
    launch.placed = PlacedPacket{.packet = packet->base, .kernarg = kernarg->base};
  }

  /// Writes arguments as a host runtime would.
  void set_arguments(const std::vector<std::uint64_t>& pointers) {
    Launch full = launch;
    full.object = original;
    full.kernel = *original->kernel(launch.kernel->name);
    full.arguments.resize(pointers.size() * sizeof(std::uint64_t));
    std::memcpy(full.arguments.data(), pointers.data(), full.arguments.size());
    const auto bytes = kernarg_of(full);
    ASSERT_TRUE(bytes.has_value());
    std::memcpy(kernarg->host, bytes->data(), bytes->size());
  }

  static constexpr std::uint64_t kBase = 0x5'0000'0000;
  Memory memory;
  Launch launch;
  std::shared_ptr<const isa::CodeObject> original;
  Region *kernarg = nullptr, *packet = nullptr;
};

TEST_F(Placed, RunsWithoutMetadataAndLeavesTheAllocationsAlone) {
  place_kernel("concurrent", "counted", 256);
  launch.dynamic_lds_bytes = 64;
  Region& total = memory.allocate(4, "total");
  set_arguments({total.base});
  const std::size_t regions = memory.regions().size();
  const auto done = execute(memory, launch, {.mode = Mode::functional, .others_use_memory = true});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  std::uint32_t sum = 0;
  std::memcpy(&sum, total.host, sizeof(sum));
  EXPECT_EQ(sum, 255U * 256 / 2);
  EXPECT_EQ(memory.regions().size(), regions);
}

TEST_F(Placed, AKernelThatWaitsForTheHostIsNoDeadlock) {
  place_kernel("concurrent", "waits_for_nobody", 64);
  Region &flag = memory.allocate(4, "flag"), &out = memory.allocate(256, "out");
  set_arguments({flag.base, out.base});
  EXPECT_EQ(execute(memory, launch, {.mode = Mode::functional}).error().code,
            Errc::verification_failed);
  const std::jthread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(flag.host)).store(1);
  });
  const auto done = execute(memory, launch, {.mode = Mode::functional, .others_use_memory = true});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ(static_cast<int>(out.host[0]), 1);
}

TEST_F(Placed, ALaunchCanBeCanceled) {
  place_kernel("concurrent", "waits_for_nobody", 64);
  Region &flag = memory.allocate(4, "flag"), &out = memory.allocate(256, "out");
  set_arguments({flag.base, out.base});
  std::atomic<bool> cancel = false;
  const std::jthread host([&] { cancel = true; });
  const auto done = execute(
      memory, launch, {.mode = Mode::functional, .others_use_memory = true, .cancel = &cancel});
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, Errc::interrupted);
}

TEST_F(Placed, AnEntryOutsideTheCodeIsCorrupt) {
  isa::KernelInMemory kernel;
  kernel.name = "k";
  kernel.descriptor = kernel.code_address = 0x1000;
  kernel.code.resize(64);
  for (const std::int64_t offset : {-4, 62, 64, 2}) {
    kernel.fields.entry_offset = offset;
    EXPECT_EQ(isa::CodeObject::of_memory(kernel).error().code, Errc::corrupt) << offset;
  }
  kernel.fields.entry_offset = 60;
  EXPECT_TRUE(isa::CodeObject::of_memory(kernel).has_value());
}

}  // namespace
}  // namespace rpl::emu
