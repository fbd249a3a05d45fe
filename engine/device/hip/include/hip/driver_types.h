/* SPDX-License-Identifier: MIT */
/* The types that copies of two and three dimensions take. */
#pragma once

#include <hip/detail/arrays.h>
