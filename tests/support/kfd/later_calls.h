// SPDX-License-Identifier: MIT
#pragma once

#include <linux/kfd_ioctl.h>

/// What the kernel's interface has since 1.12 and linux/kfd_ioctl.h of Debian 12, which is of 1.11, lacks.
namespace rpl::kfd {

/// What this driver serves all of: 1.12 exports buffers as descriptors, 1.14 counts how often events were set, and since 1.15 the render node
/// maps such buffers. Of 1.13, a debugger's interface, nodes say that they lack it.
inline constexpr std::uint32_t kServedMinor = 15;

struct ExportBuffer {
  __u64 handle;      ///< to the driver
  __u32 flags;       ///< to the driver: O_CLOEXEC
  __u32 descriptor;  ///< from the driver
};
inline constexpr auto kExportBuffer = AMDKFD_IOWR(0x24, ExportBuffer);

/// The number of a request that has not been given to anything yet.
inline constexpr unsigned kEndOfCalls = 0x25;

}  // namespace rpl::kfd
