// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "engine/target/capabilities.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// A machine made of files.
class Capabilities : public testing::Test {
 protected:
  void file(const std::string& path, const std::string& text = "x") {
    folder_.write(path.substr(1), text);
  }
  void gpu() {
    file("/sys/class/kfd/kfd/topology/nodes/1/properties",
         "cpu_cores_count 0\nsimd_count 1216\ngfx_target_version 90402\n");
  }
  Capability found(const std::string& target, const std::string& name) {
    for (const Capability& one : capabilities({.root = folder_.path(),
                                               .path = "/usr/bin",
                                               .library_path = "",
                                               .decoder_path = "/opt/decoder"},
                                              "")) {
      if (one.target_name() == target && one.name == name) return one;
    }
    ADD_FAILURE() << "no item " << target << " " << name;
    return {};
  }
  testing_support::TempDir folder_;
};

TEST_F(Capabilities, AnEmptyMachineHasACommandForWhatItLacks) {
  const auto all = capabilities(
      {.root = folder_.path(), .path = "", .library_path = "", .decoder_path = ""}, "");
  EXPECT_FALSE(machine_has(all).amd_gpu);
  EXPECT_FALSE(machine_has(all).recorder);
  for (const Capability& one : all) {
    EXPECT_EQ(one.state == CapabilityState::missing, !one.fix.empty()) << one.name;
    EXPECT_FALSE(one.detail.empty()) << one.name;
  }
  EXPECT_THAT(found("local", "AMD GPU").detail, HasSubstr("there is none"));
}

TEST_F(Capabilities, NamesTheGpusByArchitecture) {
  gpu();
  file("/sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 64\nsimd_count 0\n");
  file("/sys/class/kfd/kfd/topology/nodes/2/properties",
       "simd_count 440\ngfx_target_version 90010\n");
  EXPECT_EQ(found("local", "AMD GPU").detail, "2: gfx942 gfx90a");
}

TEST_F(Capabilities, TellsAMachineOfAnotherVendorFromOneWithoutDriver) {
  file("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x1002\n");
  file("/sys/bus/pci/devices/0000:01:00.0/class", "0x120000\n");
  EXPECT_EQ(found("local", "AMD GPU").fix, "sudo modprobe amdgpu");
  file("/proc/driver/nvidia/version");
  EXPECT_THAT(found("local", "AMD GPU").detail, HasSubstr("NVIDIA"));
  const MachineView machine{
      .root = folder_.path(), .path = "", .library_path = "", .decoder_path = ""};
  EXPECT_TRUE(has_other_gpu(machine));
  gpu();
  EXPECT_FALSE(has_other_gpu(machine));
}

TEST_F(Capabilities, PermissionOfTheDeviceFileIsLookedAt) {
  EXPECT_EQ(found("local", "/dev/kfd").fix, "sudo modprobe amdgpu");
  file("/dev/kfd");
  EXPECT_EQ(found("local", "/dev/kfd").state, CapabilityState::available);
  if (::geteuid() == 0) GTEST_SKIP() << "root may do everything";
  fs::permissions(folder_ / "dev/kfd", fs::perms::none);
  EXPECT_THAT(found("local", "/dev/kfd").fix, HasSubstr("usermod -aG render"));
}

TEST_F(Capabilities, AnOlderRocmIsSaidToBeSo) {
  file("/opt/rocm/.info/version", "6.4.1-83\n");
  EXPECT_EQ(found("local", "ROCm").state, CapabilityState::disturbing);
  EXPECT_THAT(found("local", "ROCm").detail, HasSubstr("before 7.0"));
  file("/opt/rocm/.info/version", "7.0.2\n");
  EXPECT_EQ(found("local", "ROCm").state, CapabilityState::available);
}

TEST_F(Capabilities, ProgramsAndLibrariesAreLookedForInTheirFolders) {
  EXPECT_EQ(found("local", "rocprofv3").state, CapabilityState::missing);
  file("/opt/rocm/bin/rocprofv3");
  EXPECT_EQ(found("local", "rocprofv3").detail, "/opt/rocm/bin/rocprofv3");
  EXPECT_EQ(found("local", "thread trace decoder").state, CapabilityState::missing);
  file("/opt/decoder/librocprof-trace-decoder.so");
  EXPECT_EQ(found("local", "thread trace decoder").detail,
            "/opt/decoder/librocprof-trace-decoder.so");
  file("/usr/bin/hipcc");
  EXPECT_EQ(found("emu", "HIP compiler").detail, "/usr/bin/hipcc");
}

TEST_F(Capabilities, NameWhatDisturbsMeasurements) {
  EXPECT_EQ(found("measuring", "CPU governor").state, CapabilityState::unknown);
  file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_THAT(found("measuring", "CPU governor").fix, HasSubstr("cpupower"));
  file("/sys/class/drm/card0/device/power_dpm_force_performance_level", "auto\n");
  EXPECT_EQ(found("measuring", "GPU clocks").state, CapabilityState::disturbing);
  file("/sys/class/kfd/kfd/proc/999999/pasid", "1\n");
  file("/proc/999999/comm", "trainer\n");
  EXPECT_EQ(found("measuring", "other GPU processes").detail, "trainer (999999)");
}

}  // namespace
}  // namespace rpl::profile
