// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// A whole file. Fails with not_found or io, naming it.
Result<std::string> read_text_file(const std::string& path);
/// The same as bytes.
Result<std::vector<std::byte>> read_binary_file(const std::string& path);

/// Puts a file into its place complete or not at all. An existing one keeps its permissions. Fails with io.
Status write_file(const std::string& path, std::string_view content);
Status write_file(const std::string& path, std::span<const std::byte> content);

/// Creates a folder and those above it. Fails with io, naming it.
Status make_folder(const std::string& path);

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace rpl
