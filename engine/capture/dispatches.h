// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"

/// The dispatches of a capture, one by one.
namespace rpl {

/// Kernel, launch and arguments of one dispatch, without a copy: good as long as the capture, which stands for its first dispatch.
struct DispatchView {
  DispatchView(const Capture& capture);
  DispatchView(const FollowingDispatch& dispatch);

  const std::string& kernel;
  const std::array<std::uint32_t, 3>& grid;
  const std::array<std::uint32_t, 3>& workgroup;
  const std::uint32_t dynamic_lds_bytes, scratch_bytes;
  const std::vector<std::byte>& kernarg;
  const std::vector<CapturedArgument>& arguments;
};

/// From 1.
std::size_t dispatch_count(const Capture& capture);
/// `index`: from 0, below dispatch_count().
DispatchView dispatch_view(const Capture& capture, std::size_t index);

/// Success for a capture of one dispatch. For a slice it fails with unsupported: `what` begins the sentence ("the debugger") and takes one dispatch alone.
/// The only source of such refusals.
Status require_one_dispatch(const Capture& capture, std::string_view what);

}  // namespace rpl
