// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/support/kfd/calls.h"
#include "tests/support/kfd/front.h"

namespace rpl::kfd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kGpu = "/sys/devices/virtual/kfd/kfd/topology/nodes/1";

Front front_for(const char* name) { return Front(Driver::make(*emu::hip::device_kind(name))); }

std::string text_of(Front& front, const std::string& path) {
  const int descriptor = front.open(path.c_str(), O_RDONLY);
  if (descriptor < 0) return {};
  std::string out(8192, '\0');
  const ssize_t bytes = ::read(descriptor, out.data(), out.size());
  ::close(descriptor);
  // Not resize(), of which g++ 14 says that it may copy from nowhere.
  return out.substr(0, bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
}

TEST(Nodes, OnlyTheDriversPathsAreLookedAt) {
  for (const char* path : {"/dev/kfd", "/dev/dri", "/dev/dri/renderD128", "/sys/class/kfd/kfd",
                           "/sys/dev/char/226:128/device/drm", "/sys/module/amdgpu/initstate"})
    EXPECT_TRUE(Nodes::may_be(path)) << path;
  for (const char* path : {"", "/dev/kfdx", "/dev/null", "dev/kfd", "/sys/class/net",
                           "/tmp/dev/kfd", "/sys/dev/char/1:3"})
    EXPECT_FALSE(Nodes::may_be(path)) << path;
}

TEST(Nodes, TheTopologyHasAHostAndTheDevice) {
  Front front = front_for("gfx942");
  const Nodes& nodes = front.nodes();
  EXPECT_THAT(nodes.names("/sys/devices/virtual/kfd/kfd/topology/nodes"), ElementsAre("0", "1"));
  EXPECT_THAT(
      nodes.names(std::string(kGpu) + "//"),
      ElementsAre("caches", "gpu_id", "io_links", "mem_banks", "name", "p2p_links", "properties"));
  EXPECT_THAT(nodes.names(std::string(kGpu) + "/./caches/../caches/"), ElementsAre("0", "1"));
  const std::string properties = text_of(front, std::string(kGpu) + "/properties");
  EXPECT_THAT(properties, HasSubstr("gfx_target_version 90402\n"));
  EXPECT_THAT(properties, HasSubstr("num_xcc 8\n"));
  EXPECT_THAT(properties, HasSubstr("simd_count 1216\n"));
  EXPECT_THAT(text_of(front, "/sys/devices/virtual/kfd/kfd/topology/nodes/0/gpu_id"), "0\n");
  EXPECT_THAT(text_of(front, std::string(kGpu) + "/gpu_id"),
              std::to_string(front.driver().gpu_id()) + "\n");
}

TEST(Nodes, AVersionIsThatOfTheArchitecturesName) {
  Front front = front_for("gfx90a");
  EXPECT_THAT(text_of(front, std::string(kGpu) + "/properties"),
              HasSubstr("gfx_target_version 90010\n"));
}

TEST(Front, PathsAreRefusedAsTheKernelRefusesThem) {
  Front front = front_for("gfx90a");
  EXPECT_EQ(front.open("/dev/dri/renderD129", O_RDWR), -ENOENT);
  EXPECT_EQ(front.open((std::string(kGpu) + "/gpu_id").c_str(), O_RDWR), -EACCES);
  EXPECT_EQ(front.open(kGpu, O_RDWR), -EISDIR);
  struct stat facts{};
  EXPECT_EQ(front.status("/dev/kfd", facts), 0);
  EXPECT_TRUE(S_ISCHR(facts.st_mode));
  EXPECT_EQ(front.status("/dev/dri/card0", facts), -ENOENT);
}

TEST(Front, DescriptorsAreKnownByTheirFileHoweverTheyCameAbout) {
  Front front = front_for("gfx90a");
  const int first = front.open("/dev/kfd", O_RDWR | O_CLOEXEC), control = ::dup(first);
  ::close(first);
  const int render = front.open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  struct stat facts{};
  ASSERT_EQ(::fstat(control, &facts), 0);
  int result = 1;
  kfd_ioctl_get_version_args version{};
  EXPECT_TRUE(
      front.call(facts, AMDKFD_IOC_GET_VERSION, reinterpret_cast<std::uint64_t>(&version), result));
  EXPECT_EQ(result, 0);
  EXPECT_TRUE(front.improve(facts));
  EXPECT_TRUE(S_ISCHR(facts.st_mode));
  ASSERT_EQ(::fstat(render, &facts), 0);
  EXPECT_TRUE(front.improve(facts));
  EXPECT_EQ(major(facts.st_rdev), 226U);
  ASSERT_EQ(::fstat(STDERR_FILENO, &facts), 0);
  EXPECT_FALSE(front.improve(facts));
  EXPECT_FALSE(
      front.call(facts, AMDKFD_IOC_GET_VERSION, reinterpret_cast<std::uint64_t>(&version), result));
  kfd_ioctl_acquire_vm_args acquire{.drm_fd = static_cast<std::uint32_t>(render),
                                    .gpu_id = front.driver().gpu_id()};
  const auto call = [&] {
    return front.driver().control_call(AMDKFD_IOC_ACQUIRE_VM,
                                       reinterpret_cast<std::uint64_t>(&acquire));
  };
  EXPECT_EQ(call(), 0);
  acquire.drm_fd = static_cast<std::uint32_t>(control);
  EXPECT_EQ(call(), -EINVAL);
  ::close(control);
  ::close(render);
}

}  // namespace
}  // namespace rpl::kfd
