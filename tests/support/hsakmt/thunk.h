// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/hsakmt/driver.h"

/// First in every function of the interface but hsaKmtOpenKFD: nothing works before it.
#define RPL_NEEDS_OPEN() \
  if (!::rpl::hsakmt::Driver::get().is_open()) return HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED

namespace rpl::hsakmt {
inline constexpr HSAuint32 kNodes = 2;
}
