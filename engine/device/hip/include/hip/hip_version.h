/* SPDX-License-Identifier: MIT */
/* The interface that these headers describe: that of HIP 5.2, whose library is libamdhip64.so.5. Clang's own wrapper reads this. */
#pragma once

#define HIP_VERSION_MAJOR 5
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION_GITHASH ""
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

#define __HIP_HAS_GET_PCH 0

/* For programs and scripts that want to know whose headers they got. */
#define RPL_OWN_HIP_HEADERS 1
