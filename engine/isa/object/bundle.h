// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"
#include "engine/isa/object/compressed_section.h"

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

/// The head of a compressed offload bundle: "CCOB", versions 1 to 3. Format: clang.llvm.org/docs/ClangOffloadBundler.html, "Compression".
struct CompressedBundle {
  Compression method = Compression::zstd;
  ByteView data;                  ///< compressed; borrows the bytes read
  std::uint64_t plain_bytes = 0;  ///< after decompression, as written
  std::uint64_t file_bytes = 0;   ///< of the bundle with its head
};

bool is_compressed_bundle(ByteView bytes);

/// `bytes` begin with the bundle; what follows it is left alone where its size is written (not in version 1). Fails with corrupt, or with
/// unsupported for another version or method.
Result<CompressedBundle> read_compressed_bundle(ByteView bytes);

/// Fails with corrupt, or with limit for more than 1 GiB.
Result<std::vector<std::byte>> decompress(const CompressedBundle& bundle);

/// "app#gfx942" as the path "app" and "gfx942"; nothing is split off where a file of the whole name exists.
std::pair<std::string, std::string> split_choice(const std::string& path);

/// The code objects of a file that `which` names: "gfx942", "2" (counted from 1), or nothing for those of the first architecture that this
/// build knows. At least one. Fails with not_found, which tells what there is.
Result<std::vector<Embedded>> chosen_objects(std::vector<Embedded> all, std::string_view which);

}  // namespace rpl::isa
