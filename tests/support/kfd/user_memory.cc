// SPDX-License-Identifier: MIT
#include "tests/support/kfd/user_memory.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace rpl::kfd {
namespace {

// Of this process: a system call that says EFAULT instead of a signal. Where a sandbox forbids it, a bad address ends the program.
bool copy(void* own, std::uint64_t address, std::size_t bytes, bool out) {
  if (bytes == 0) return true;
  const iovec here{own, bytes}, there{reinterpret_cast<void*>(address), bytes};
  const ssize_t done = out ? ::process_vm_writev(::getpid(), &here, 1, &there, 1, 0)
                           : ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
  if (done >= 0) return static_cast<std::size_t>(done) == bytes;
  if (errno != EPERM && errno != ENOSYS) return false;
  if (address == 0) return false;
  std::memcpy(out ? reinterpret_cast<void*>(address) : own,
              out ? own : reinterpret_cast<const void*>(address), bytes);
  return true;
}

}  // namespace

bool copy_in(void* to, std::uint64_t from, std::size_t bytes) {
  return copy(to, from, bytes, false);
}

bool copy_out(std::uint64_t to, const void* from, std::size_t bytes) {
  return copy(const_cast<void*>(from), to, bytes, true);
}

bool is_mapped(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t kPage = 4096, kPiece = std::uint64_t{1} << 28;
  std::vector<unsigned char> resident(kPiece / kPage);
  for (std::uint64_t done = 0; done < bytes; done += kPiece) {
    const std::uint64_t piece = std::min(kPiece, bytes - done);
    if (::mincore(reinterpret_cast<void*>(address + done), piece, resident.data()) != 0)
      return false;
  }
  return true;
}

}  // namespace rpl::kfd
