// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

namespace rpl::emu::hip {

/// What a HIP function returns. The numbers are those of hipError_t (hip/hip_runtime_api.h of HIP 5 to 7, which agree on these).
enum class Code : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  invalid_configuration = 9,
  invalid_symbol = 13,
  invalid_device_pointer = 17,
  invalid_memcpy_direction = 21,
  missing_configuration = 52,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  file_not_found = 301,
  os_error = 304,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  peer_access_already_enabled = 704,
  context_is_destroyed = 709,
  peer_access_not_enabled = 705,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  illegal_state = 401,
  not_supported = 801,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_unmatched = 903,
  capture_unjoined = 904,
  graph_update_failure = 910,
  unknown = 999,
};

/// What most calls return for a stream that is not there, or no longer.
inline constexpr Code kNoStream = Code::context_is_destroyed;

/// The enumerator's name, "hipErrorInvalidValue"; "hipErrorUnknown" for a number that is none.
const char* error_name(int code);
/// One sentence for people.
const char* error_text(int code);

}  // namespace rpl::emu::hip
