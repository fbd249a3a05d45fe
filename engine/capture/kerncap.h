// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"

/// What kerncap (AMDResearch/intellikit) adds to the layout of older tools. No capture of it has been read: the layout is as its readers and
/// its documentation have it.
namespace rpl {

/// One variable of module_variables.json.
struct KerncapVariable {
  std::string name;               ///< symbol in the code object
  std::uint32_t size = 0;         ///< bytes
  std::string file;               ///< "module_variables/0123456789abcdef_name.bin"
  std::string executable_sha256;  ///< of the code object that has it; may be empty
};

/// Reads module_variables.json. Fails with corrupt, also for a file that is not directly in module_variables/.
Result<std::vector<KerncapVariable>> read_kerncap_variables(std::string_view text);

/// "hsaco_sha256" of metadata.json; empty when it is not there. Fails with corrupt.
Result<std::string> read_kerncap_code_hash(std::string_view text);

/// kerncap does not say where the code object lay, and restores variables by name. An address that is free: code and variables can lie there
/// without meeting a region. `bytes`: of the code object in memory.
std::uint64_t free_load_base(const std::vector<CapturedRegion>& regions, std::uint64_t bytes);

}  // namespace rpl
