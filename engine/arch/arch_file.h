// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/base/result.h"

namespace rpl::arch {

/// One product of a file, or the part before the first product, which holds for all of them.
struct Section {
  std::string product;  ///< "" for what holds for the whole architecture
  std::vector<Fact> facts;
};

/// An architecture file, as docs/architectures.md describes it:
///
///     arch = gfx942
///     lds_bytes = 65536            # a note that is kept as part of the source
///     bandwidth.lds = 128 B/clk/CU
///     [MI300X]
///     compute_units = 304
///     [gfx942]                     # again what holds for all products
///     usual_product = MI300X
struct ArchFile {
  std::string name;               ///< for sources: "gfx942.arch"
  std::string arch;               ///< "gfx942"
  std::vector<Section> sections;  ///< the first has no product
};

/// Reads the text of one file. Fails with corrupt, naming file and line: an unknown key, a value that is not a number, a second
/// value for a key, a file without `arch`, more than a megabyte.
Result<ArchFile> parse_arch_file(std::string_view name, std::string_view text, Origin origin);

/// `key` and `value` as in a line of a file ("bandwidth.hbm", "4900 GB/s"). Fails with usage.
Result<Fact> parse_fact(std::string_view key, std::string_view value);

}  // namespace rpl::arch
