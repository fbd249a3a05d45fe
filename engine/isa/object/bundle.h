// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// A device code object inside another file.
struct Embedded {
  std::string
      triple;  ///< "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+"; empty for a plain code object
  std::vector<std::byte> bytes;

  /// "gfx90a"; empty for a plain code object.
  [[nodiscard]] std::string_view target() const;
};

/// The code objects for AMD GPUs in a file, in its order: a plain one, those of a clang offload bundle (compressed or not), or those of all
/// bundles in the .hip_fatbin section of a host program or library. Formats: clang.llvm.org/docs/ClangOffloadBundler.html. Fails with
/// corrupt, with unsupported for another version of the formats, and with not_found for a program without device code.
Result<std::vector<Embedded>> code_objects_in(ByteView file);

/// Whether the bytes start as an uncompressed or compressed clang offload bundle does.
bool is_bundle(ByteView bytes);

}  // namespace rpl::isa
