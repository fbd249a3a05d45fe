/* SPDX-License-Identifier: MIT */
/* Clang brings them; this is here for programs that include it. */
#pragma once

#include <hip/hip_runtime.h>
