// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// Debug sections with the compressed ones decompressed. `sections` borrows `storage` and the file's bytes.
struct PlainDebugSections {
  DebugSections sections;
  std::vector<std::vector<std::byte>> storage;
};

/// Decompresses what -gz=zlib and -gz=zstd compressed. Format: System V gABI, chapter 4, "Section Compression", Elf64_Chdr. Fails with
/// corrupt, with unsupported for another method, and with limit where all together are more than 1 GiB.
Result<PlainDebugSections> plain_sections(const DebugSections& sections);

}  // namespace rpl::isa
