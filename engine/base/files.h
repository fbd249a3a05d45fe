// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// A whole file of at most 1 GiB, or what /dev/stdin or a shell's <(…) gives. Fails with not_found, io (also for a pipe, a device, a folder), limit,
/// naming it, or interrupted.
Result<std::string> read_text_file(const std::string& path);
/// The same as bytes, and at most half of the memory that this machine has.
Result<std::vector<std::byte>> read_binary_file(const std::string& path);

/// Puts a file into its place complete or not at all, as OutputFile does.
Status write_file(const std::string& path, std::string_view content);
Status write_file(const std::string& path, std::span<const std::byte> content);

/// Creates a folder and those above it. Fails with io, naming it.
Status make_folder(const std::string& path);
/// The same of one that only its owner may look into: what holds sources or memory of a program. One that is there already keeps its permissions.
Status make_private_folder(const std::string& path);

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Bytes of memory that this machine has; what is asked for beyond it ends in the kernel's out-of-memory killer, not in an error.
std::uint64_t physical_memory_bytes();

/// A private folder below the temporary one, removed with all that is in it at the end of its object.
class ScratchFolder {
 public:
  /// Named rpl-WHAT-XXXXXX. Fails with io.
  static Result<ScratchFolder> make(std::string_view what);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// Where lies what was opened at a path, whatever was put in its place since. Fails with denied without /proc.
Result<std::string> opened_place(int fd, const std::string& path);

/// Owns one file descriptor; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  /// Gives the descriptor away; the caller closes it.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  /// Closes what is held and takes `fd` instead.
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

}  // namespace rpl
