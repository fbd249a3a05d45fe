// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"
#include "engine/isa/object/inflate.h"

namespace rpl::isa {

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

}  // namespace rpl::isa
