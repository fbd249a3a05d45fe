// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/device/execute/launch/kernel_run.h"
#include "engine/triton/metadata.h"

namespace rpl {

/// What Triton's metadata beside a code object adds to a launch that leaves it out.
struct TritonLaunch {
  std::optional<triton::Metadata> metadata = {};
  std::size_t parameters = 0;  ///< of the kernel, those that Triton adds among them
  std::size_t pointers = 0;    ///< how many of them, from the last one, are pointers

  /// `given` as sizes, or those of the metadata. Fails with usage where both are missing.
  [[nodiscard]] Result<emu::Size3> workgroup(const std::string& given) const;
  /// 0 without metadata.
  [[nodiscard]] std::int64_t dynamic_lds_bytes() const;
  /// The arguments of a launch with those of Triton's own that are not given: pointers to scratch memory, null where a program needs none. A
  /// note names them.
  [[nodiscard]] std::vector<std::string> with_scratch(std::vector<std::string> given,
                                                      const emu::KernelRun& run,
                                                      std::vector<std::string>& notes) const;

  /// A captured dispatch of the same kernel, as Triton would launch it from `object` with this metadata: the captured programs and arguments, with the
  /// workgroup, LDS and scratch pointers of this version. Fails with usage where the other parameters differ.
  [[nodiscard]] Result<Capture> in_place_of(const Capture& captured,
                                            const isa::CodeObject& object) const;
};

/// For a kernel of the code object in file `path`. Fails as triton::metadata_beside() does.
Result<TritonLaunch> triton_launch(const std::string& path, const isa::CodeObject& object,
                                   const isa::Kernel& kernel);

}  // namespace rpl
