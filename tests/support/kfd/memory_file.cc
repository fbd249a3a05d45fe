// SPDX-License-Identifier: MIT
#include "tests/support/kfd/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace rpl::kfd {
namespace {

constexpr std::uint64_t kPage = 4096, kWidePage = std::uint64_t{2} << 20;

}  // namespace

MemoryFile::Part::~Part() {
  ::munmap(host_, bytes_);
  file_->give_back(*this);
}

std::shared_ptr<MemoryFile> MemoryFile::make(const char* name, std::uint64_t bytes) {
  int descriptor = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return nullptr;
  // Out of the way of programs that expect the next number.
  constexpr int kHigh = 900;
  if (const int high = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kHigh); high >= 0) {
    ::close(descriptor);
    descriptor = high;
  }
  if (::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    ::close(descriptor);
    return nullptr;
  }
  return std::make_shared<MemoryFile>(descriptor, bytes);
}

// By the system call: the library's functions may be the ones that ask.
MemoryFile::MemoryFile(int descriptor, std::uint64_t bytes) : descriptor_(descriptor) {
  struct stat facts{};
  if (::syscall(SYS_fstat, descriptor, &facts) == 0) {
    device_ = facts.st_dev;
    inode_ = facts.st_ino;
  }
  free_[0] = bytes;
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

int MemoryFile::open(int flags) const {
  const int copy = ::fcntl(descriptor_, (flags & O_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
  return copy < 0 ? -errno : copy;
}

std::shared_ptr<MemoryFile::Part> MemoryFile::take(std::uint64_t bytes) {
  if (bytes == 0 || bytes % kPage != 0) return nullptr;
  // Large ones at wide pages, so that they can be mapped by them.
  const std::uint64_t alignment = bytes >= kWidePage ? kWidePage : kPage;
  std::uint64_t at = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(free_, [&](const auto& range) {
      const std::uint64_t skipped = (alignment - range.first % alignment) % alignment;
      return range.second >= skipped && range.second - skipped >= bytes;
    });
    if (found == free_.end()) return nullptr;
    const auto [offset, size] = *found;
    at = (offset + alignment - 1) / alignment * alignment;
    free_.erase(found);
    if (at > offset) free_[offset] = at - offset;
    if (offset + size > at + bytes) free_[at + bytes] = offset + size - (at + bytes);
  }
  void* host = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      descriptor_, static_cast<off_t>(at));
  if (host == MAP_FAILED) {
    const std::lock_guard lock(mutex_);
    free_[at] = bytes;
    return nullptr;
  }
  // A child has no device before it opens one itself.
  ::madvise(host, bytes, MADV_DONTFORK);
  return std::make_shared<Part>(shared_from_this(), at, bytes, static_cast<std::byte*>(host));
}

void MemoryFile::give_back(const Part& part) {
  ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(part.offset()), static_cast<off_t>(part.bytes()));
  const std::lock_guard lock(mutex_);
  std::uint64_t at = part.offset(), bytes = part.bytes();
  if (const auto after = free_.find(at + bytes); after != free_.end()) {
    bytes += after->second;
    free_.erase(after);
  }
  if (auto next = free_.upper_bound(at); next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == at) {
      before->second += bytes;
      return;
    }
  }
  free_[at] = bytes;
}

}  // namespace rpl::kfd
