// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"

namespace rpl {

/// Reads regular files of one folder and its direct subfolders by relative names. Follows no symbolic link below the folder.
class FolderReader {
 public:
  static Result<FolderReader> open(const std::string& path);

  /// The whole file ("memory/region_1000.bin"). Fails with not_found, corrupt for what is not a regular file or, when `expected_bytes` is given, of
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

/// A folder that appears complete or not at all. Without commit() or leave() nothing is left.
class FolderWriter {
 public:
  /// Makes a folder beside `path`, of a name of its own. Fails with denied when `path` exists, io when the folder above it cannot be written.
  static Result<FolderWriter> create(const std::string& path);
  FolderWriter(FolderWriter&& other) noexcept;
  FolderWriter& operator=(FolderWriter&&) = delete;
  ~FolderWriter();

  Status make_subfolder(const std::string& name);
  /// Where to write `name` until commit().
  [[nodiscard]] std::string place_of(const std::string& name) const {
    return temporary_ + "/" + name;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& temporary() const { return temporary_; }
  /// Synchronises the files of these names with the disk, and their folders, and puts the folder into its place. Fails with denied when that
  /// was taken meanwhile, io.
  Status commit(const std::vector<std::string>& files);
  /// Lets the folder stay where it is, unfinished.
  void leave() { temporary_.clear(); }

 private:
  FolderWriter() = default;

  std::string path_, temporary_;
  std::vector<std::string> subfolders_;
  int process_ = 0;  ///< a child of a fork must not remove what its parent writes
};

}  // namespace rpl
