// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/isa/object/code_object.h"
#include "engine/optimize/store/application.h"
#include "engine/optimize/store/proposal.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// What a code object says about one kernel before anything runs: registers, memory, instructions by class.
Result<Record> static_record(const isa::CodeObject& object, const std::string& kernel);

/// The launch that a capture holds: what a kernel has to fit.
struct LaunchShape {
  std::uint32_t work_items = 0;  ///< of a workgroup; 0: unknown
  std::uint32_t dynamic_lds_bytes = 0;
  bool changed = false;  ///< another one than the baseline's: equal code is worth running
};

/// Waves that fit on a compute unit at this size of workgroup, computed from the kernel's resources; null where the limits of the architecture are
/// not known, 0 when not one workgroup fits.
std::optional<std::uint32_t> waves_per_cu(const isa::CodeObject& object, const isa::Kernel& kernel,
                                          const LaunchShape& launch);

/// Whether the kernel's machine code is the same in both.
Result<bool> has_same_code(const isa::CodeObject& one, const isa::CodeObject& other,
                           const std::string& kernel);

/// Why a candidate need not run: its machine code is the baseline's, its interface is another, it has symbols that the baseline lacks, or it needs
/// scratch memory where the baseline needs none. Empty: go on.
Result<std::vector<Reason>> screen(const isa::CodeObject& baseline,
                                   const isa::CodeObject& candidate, const std::string& kernel,
                                   const LaunchShape& launch = {});

/// The same of a kernel of the candidate that takes the place of two: it may do what either of them does.
Result<std::vector<Reason>> screen_fused(const isa::CodeObject& baseline,
                                         const std::array<std::string, 2>& pair,
                                         const isa::CodeObject& candidate,
                                         const std::string& kernel, const LaunchShape& launch);

/// A file system overlay as clang's -ivfsoverlay reads it: each path is read from its other place, and messages keep the user's path.
/// Format: clang documentation, "Virtual File System overlay" (JSON, a subset of YAML).
std::string overlay_text(const std::vector<ReplacedFile>& replaced);

/// Builds the application into `output` with these files replaced: its main source with `compiler`, or the user's command with {output} put in, in
/// whose environment CCC_OVERRIDE_OPTIONS has clang and hipcc read the overlay, and RPL_OVERLAY names it. No file of the user is touched. The overlay
/// is kept beside the output. Fails with corrupt when it does not compile, io, or as running the compiler does.
Status rebuild(const Application& application, const std::vector<ReplacedFile>& replaced,
               const Compiler& compiler, const std::string& architecture,
               const std::string& output);

}  // namespace rpl
