/* SPDX-License-Identifier: MIT */
/* The functions of the host: what C, C++ and HIP programs call. */
#pragma once

#include <hip/detail/arrays.h>
#include <hip/detail/attributes.h>
#include <hip/detail/devices.h>
#include <hip/detail/graph_more.h>
#include <hip/detail/graph_nodes.h>
#include <hip/detail/memory.h>
#include <hip/detail/modules.h>
#include <hip/detail/streams.h>
#include <hip/hip_vector_types.h>
#if defined(__cplusplus)
#include <hip/detail/templates.h>
#endif
