// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/capture/capture.h"
#include "engine/capture/capture_writer.h"

namespace rpl {
namespace {

Capture without_images(const Capture& capture) {
  Capture out{.kernel = capture.kernel,
              .architecture = capture.architecture,
              .grid = capture.grid,
              .workgroup = capture.workgroup,
              .dynamic_lds_bytes = capture.dynamic_lds_bytes,
              .scratch_bytes = capture.scratch_bytes,
              .kernarg = capture.kernarg,
              .code_object = capture.code_object,
              .load_base = capture.load_base,
              .regions = {},
              .arguments = capture.arguments,
              .has_after = capture.has_after,
              .target = capture.target,
              .model = capture.model,
              .tool = capture.tool,
              .source_note = capture.source_note,
              .facts = capture.facts};
  for (const CapturedRegion& region : capture.regions) {
    out.regions.push_back({.base = region.base,
                           .size = region.size,
                           .name = region.name,
                           .variable = region.variable,
                           .before = {},
                           .after = std::nullopt,
                           .kind = region.kind,
                           .owner = region.owner,
                           .flags = region.flags});
  }
  return out;
}

}  // namespace

Status write_capture(const std::string& path, const Capture& capture) {
  if (auto checked = check_capture(capture); !checked) {
    return fail(Errc::usage, fmt::format("{}: {}", path, checked.error().message));
  }
  CaptureWriter writer = TRY(CaptureWriter::create(path, capture.kernel));
  for (const CapturedRegion& region : capture.regions) {
    TRY(writer.begin_before(region.base, region.size));
    TRY(writer.append(region.before));
    TRY(writer.end());
  }
  for (const CapturedRegion& region : capture.regions) {
    if (!region.after) {
      TRY(writer.unchanged(region.base));
      continue;
    }
    TRY(writer.begin_after(region.base, region.size));
    TRY(writer.append(*region.after));
    TRY(writer.end());
  }
  return writer.commit(without_images(capture));
}

}  // namespace rpl
