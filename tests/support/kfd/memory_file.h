// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace rpl::kfd {

/// A file in memory alone that a device node is: what a program maps through a descriptor of it are the very pages that the device uses.
/// Nobody can change its size, so that no access to it fails later. For several threads.
class MemoryFile : public std::enable_shared_from_this<MemoryFile> {
 public:
  /// Zeroed pages of the file, mapped into this process for the device; they go back to the file with the last one who holds them.
  class Part {
   public:
    Part(std::shared_ptr<MemoryFile> file, std::uint64_t offset, std::uint64_t bytes,
         std::byte* host)
        : file_(std::move(file)), offset_(offset), bytes_(bytes), host_(host) {}
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

    [[nodiscard]] std::uint64_t offset() const { return offset_; }  ///< for mmap() of a descriptor
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::byte* host() const { return host_; }

   private:
    std::shared_ptr<MemoryFile> file_;
    std::uint64_t offset_, bytes_;
    std::byte* host_;
  };

  /// `bytes` is as far as parts may lie; pages exist once they are used. Null when the operating system refuses.
  static std::shared_ptr<MemoryFile> make(const char* name, std::uint64_t bytes);
  MemoryFile(int descriptor, std::uint64_t bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// A multiple of 4096 bytes. Null when the file or the address space has no more.
  std::shared_ptr<Part> take(std::uint64_t bytes);
  /// A new descriptor of it, with O_CLOEXEC of `flags`; a negative errno on failure.
  [[nodiscard]] int open(int flags) const;
  /// Whether the file that `device` and `inode` say of a descriptor is this one.
  [[nodiscard]] bool is(std::uint64_t device, std::uint64_t inode) const {
    return device == device_ && inode == inode_;
  }

 private:
  void give_back(const Part& part);

  int descriptor_;
  std::uint64_t device_ = 0, inode_ = 0;
  std::mutex mutex_;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< bytes by offset
};

}  // namespace rpl::kfd
