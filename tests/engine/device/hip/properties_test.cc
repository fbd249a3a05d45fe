// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/device/hip/api/properties.h"
#include "engine/device/hip/error.h"

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop
#define RPL_HAS_HIP 1
#endif

namespace rpl::emu::hip {
namespace {

TEST(Properties, FollowTheArchitectureFiles) {
  const auto kind = device_kind("MI300X");
  ASSERT_TRUE(kind.has_value()) << kind.error().message;
  const auto old = properties_r0000(*kind, 1);
  const auto now = properties_r0600(*kind, 1);
  EXPECT_EQ(old.multiprocessors, 304);
  EXPECT_EQ(now.multiprocessors, 304);
  EXPECT_STREQ(old.gcn_arch_name, "gfx942:sramecc+:xnack-");
  EXPECT_STREQ(now.gcn_arch_name, "gfx942:sramecc+:xnack-");
  EXPECT_EQ(now.warp_size, 64);
  EXPECT_EQ(now.total_global_memory, std::size_t{192} << 30);
  EXPECT_EQ(now.pci_bus, old.pci_bus);
  EXPECT_NE(now.pci_bus, properties_r0600(*kind, 0).pci_bus);
}

TEST(Properties, AnArchitectureStandsForItsBestKnownProduct) {
  EXPECT_EQ(device_kind("gfx90a")->product, "MI250X");
  EXPECT_EQ(device_kind("gfx942")->product, "MI300X");
  EXPECT_EQ(device_kind("gfx950")->product, "MI350X");
  EXPECT_EQ(device_kind("gfx1100").error().code, Errc::unsupported);
  EXPECT_EQ(device_kind("H100").error().code, Errc::not_found);
}

#ifdef RPL_HAS_HIP
// Debian's header is of HIP 5.2: the older layout.
#if HIP_VERSION_MAJOR == 5
TEST(Properties, TheOlderLayoutIsTheHeaders) {
  EXPECT_EQ(sizeof(hipDeviceProp_t), sizeof(abi::PropertiesR0000));
  EXPECT_EQ(offsetof(hipDeviceProp_t, gcnArchName), offsetof(abi::PropertiesR0000, gcn_arch_name));
  EXPECT_EQ(offsetof(hipDeviceProp_t, multiProcessorCount),
            offsetof(abi::PropertiesR0000, multiprocessors));
  EXPECT_EQ(offsetof(hipDeviceProp_t, pageableMemoryAccess),
            offsetof(abi::PropertiesR0000, pageable_access));
  EXPECT_EQ(sizeof(hipFuncAttributes), sizeof(abi::FunctionAttributes));
  EXPECT_EQ(sizeof(hipPointerAttribute_t), sizeof(abi::PointerAttributes));
}
#endif

TEST(Properties, AttributesHaveTheHeadersNumbers) {
  const auto kind = device_kind("MI300X");
  const auto value = [&](hipDeviceAttribute_t number) {
    return attribute(*kind, 0, number).value_or(-1);
  };
  EXPECT_EQ(value(hipDeviceAttributeMultiprocessorCount), 304);
  EXPECT_EQ(value(hipDeviceAttributeWarpSize), 64);
  EXPECT_EQ(value(hipDeviceAttributeMaxThreadsPerBlock), 1024);
  EXPECT_EQ(value(hipDeviceAttributeMaxSharedMemoryPerBlock), 65536);
  EXPECT_EQ(value(hipDeviceAttributeClockRate), 2'100'000);
  EXPECT_EQ(value(hipDeviceAttributeComputeCapabilityMajor), 9);
  EXPECT_EQ(value(hipDeviceAttributeComputeCapabilityMinor), 4);
  EXPECT_EQ(value(hipDeviceAttributeMaxThreadsPerMultiProcessor), 2048);
  EXPECT_EQ(value(hipDeviceAttributeManagedMemory), 1);
  EXPECT_EQ(value(hipDeviceAttributeMemoryPoolsSupported), 1);
  EXPECT_EQ(value(hipDeviceAttributeCooperativeLaunch), 1);
  EXPECT_EQ(value(hipDeviceAttributeClockInstructionRate), 100'000);
  EXPECT_EQ(value(hipDeviceAttributePhysicalMultiProcessorCount), 304);
  EXPECT_EQ(value(hipDeviceAttributeHostNativeAtomicSupported), 1);
  EXPECT_EQ(value(hipDeviceAttributeSingleToDoublePrecisionPerfRatio), 2);
  // hipDeviceAttributeGcnArch, a name that HIP 6.4 has no more.
  const auto gcn_arch =
      static_cast<hipDeviceAttribute_t>(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor + 1);
  EXPECT_EQ(value(gcn_arch), 942);
  EXPECT_EQ(attribute(*device_kind("MI250X"), 0, gcn_arch), 910);
  EXPECT_EQ(value(hipDeviceAttributePageableMemoryAccess), 0);
  const auto xnack = with_xnack(*kind);
  EXPECT_EQ(attribute(xnack, 0, hipDeviceAttributePageableMemoryAccess), 1);
  EXPECT_STREQ(properties_r0600(xnack, 0).gcn_arch_name, "gfx942:sramecc+:xnack+");
  EXPECT_FALSE(attribute(*kind, 0, 9000));
}

TEST(Properties, ErrorsHaveTheHeadersNames) {
  EXPECT_STREQ(error_name(hipErrorNotSupported), "hipErrorNotSupported");
  EXPECT_STREQ(error_name(hipErrorIllegalAddress), "hipErrorIllegalAddress");
  EXPECT_STREQ(error_name(hipErrorInvalidConfiguration), "hipErrorInvalidConfiguration");
  EXPECT_STREQ(error_name(12345), "hipErrorUnknown");
  EXPECT_STREQ(error_text(hipSuccess), "no error");
}
#endif

}  // namespace
}  // namespace rpl::emu::hip
