// SPDX-License-Identifier: MIT
#pragma once

// linux/kfd_ioctl.h includes this file, which Debian's kernel headers leave to libdrm.
#include <libdrm/drm.h>
