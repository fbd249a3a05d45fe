// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/encoded.h"
#include "engine/base/files.h"
#include "engine/base/result.h"

namespace rpl {

/// A file that appears complete or not at all: written under a temporary name beside its place and renamed by commit(). Without commit()
/// nothing is left. An existing file keeps its permissions. Never through a symbolic link and never into a pipe or a device, except /dev/null and what is
/// open already (/dev/stdout, /dev/fd/N), which are written directly.
class OutputFile {
 public:
  /// Who decided where it goes: the program itself (`own`; `passing` for what it removes again, and need not be on the disk), whoever asked, who named a file
  /// that may be somebody's (`named`: check_replaceable()), or a person who approved that very file. check_output() judges all but the last.
  enum class Place { own, passing, named, approved };

  /// Fails with io when the folder cannot be written or something else than a file is there, denied for a symbolic link and as check_output() does.
  static Result<OutputFile> create(const std::string& path, Place place = Place::own);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Fails with io ("disk full"), and with interrupted every few MiB of a file that was `named`.
  Status write(OutputBytes text);
  /// Where a library that writes files itself puts the content, instead of write(): empty, and private to this object until commit(). Fails with usage where the
  /// output is open already and takes text alone.
  [[nodiscard]] Result<std::string> content_path() const;
  /// Puts the file into its place; nothing can be written afterwards. Fails with io, and with interrupted where a large file is still on its way to the disk.
  Status commit();
  /// As given to create().
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  OutputFile() = default;
  Status synchronise();

  std::string path_, temporary_;
  UniqueFd folder_;
  std::unique_ptr<std::FILE, Close> file_;
  Place place_ = Place::own;
  std::uint64_t bytes_ = 0;
};

/// write_file() (files.h) into a file that whoever asked named.
Status write_named_file(const std::string& path, OutputBytes content);
/// write_file() of a file of the user's that a person approved.
Status write_approved_file(const std::string& path, std::string_view content);

/// Begins to write what a growing file got to the disk, and waits where it lags behind by two stretches of a few MiB: nothing can interrupt fsync() and the removal
/// of what the disk has not, which both take long otherwise. `before` and `after`: its bytes before something was written, and now.
void keep_near_disk(int file, std::uint64_t before, std::uint64_t after);

/// What is left of a file on its way to the disk, stretch by stretch: fsync() has little to do then. Fails with interrupted.
Status bring_near_disk(int file, std::uint64_t bytes);

}  // namespace rpl
