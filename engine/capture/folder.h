// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

namespace rpl {

/// Reads regular files of one folder and its direct subfolders by relative names. Follows no symbolic link below the folder.
class FolderReader {
 public:
  static Result<FolderReader> open(const std::string& path);

  /// The whole file ("memory/region_1000.bin"). Fails with not_found, corrupt for what is no regular file or, when `expected_bytes` is given, of
  /// another size; limit above `most_bytes`; io; interrupted. Messages name the file.
  Result<std::vector<std::byte>> read(const std::string& name, std::uint64_t most_bytes) const;
  /// The same, and corrupt for another size. Looks at the size before it takes memory.
  Result<std::vector<std::byte>> read_exactly(const std::string& name, std::uint64_t bytes) const;
  [[nodiscard]] bool has(const std::string& name) const;

 private:
  Result<UniqueFd> open_file(const std::string& name, std::uint64_t& bytes) const;

  std::string path_;
  UniqueFd folder_;
};

/// A folder that appears complete or not at all. Without commit() nothing is left.
class FolderWriter {
 public:
  /// Fails with denied when `path` exists, io when the folder above it cannot be written.
  static Result<FolderWriter> create(const std::string& path);
  FolderWriter(FolderWriter&& other) noexcept;
  FolderWriter& operator=(FolderWriter&&) = delete;
  ~FolderWriter();

  Status make_subfolder(const std::string& name);
  /// Writes and synchronises one file.
  Status write(const std::string& name, std::span<const std::byte> bytes);
  /// Puts the folder into its place. Fails with denied when that was taken meanwhile.
  Status commit();

 private:
  FolderWriter() = default;
  Status synchronise(const std::string& path) const;

  std::string path_, temporary_;
  std::vector<std::string> subfolders_;
};

}  // namespace rpl
