// SPDX-License-Identifier: MIT
#include "engine/capture/dispatches.h"

#include <fmt/format.h>

namespace rpl {

DispatchView::DispatchView(const Capture& capture)
    : kernel(capture.kernel),
      grid(capture.grid),
      workgroup(capture.workgroup),
      dynamic_lds_bytes(capture.dynamic_lds_bytes),
      scratch_bytes(capture.scratch_bytes),
      kernarg(capture.kernarg),
      arguments(capture.arguments) {}

DispatchView::DispatchView(const FollowingDispatch& dispatch)
    : kernel(dispatch.kernel),
      grid(dispatch.grid),
      workgroup(dispatch.workgroup),
      dynamic_lds_bytes(dispatch.dynamic_lds_bytes),
      scratch_bytes(dispatch.scratch_bytes),
      kernarg(dispatch.kernarg),
      arguments(dispatch.arguments) {}

std::size_t dispatch_count(const Capture& capture) { return 1 + capture.then.size(); }

DispatchView dispatch_view(const Capture& capture, std::size_t index) {
  if (index == 0) return capture;
  return capture.then.at(index - 1);
}

Status require_one_dispatch(const Capture& capture, std::string_view what) {
  if (capture.then.empty()) return {};
  return fail(Errc::unsupported,
              fmt::format("{} takes one dispatch, and the capture holds {} in a row", what,
                          dispatch_count(capture)),
              "capture the dispatch alone: capture run KERNEL --dispatch N -- ./app; "
              "'replay --target emu' runs all of them");
}

}  // namespace rpl
