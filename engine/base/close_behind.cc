// SPDX-License-Identifier: MIT
#include "engine/base/close_behind.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace rpl {
namespace {

/// Less is closed in some 20 ms.
constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

std::uint64_t size_of(const std::vector<UniqueFd>& files) {
  std::uint64_t bytes = 0;
  for (const UniqueFd& file : files) {
    struct stat facts{};
    if (file && ::fstat(file.get(), &facts) == 0)
      bytes += static_cast<std::uint64_t>(facts.st_size);
  }
  return bytes;
}

/// In the new process: waits until whoever made it has closed the files, then ends, which closes them. Of what else was open nothing may stay open: a
/// pipe's reader would wait for us. `kept` ascends. Calls nothing that takes a lock, as other threads may have held it.
[[noreturn]] void hold(const std::vector<int>& kept, int until) {
  unsigned next = 0;
  for (const int file : kept) {
    const auto number = static_cast<unsigned>(file);
    if (number > next) ::close_range(next, number - 1, 0);
    next = number + 1;
  }
  ::close_range(next, ~0U, 0);
  char none = 0;
  while (::read(until, &none, 1) > 0) {
  }
  ::_exit(0);
}

}  // namespace

void close_behind(std::vector<UniqueFd> files) {
  if (size_of(files) < kLarge) return;
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const UniqueFd until(ends[0]);
  UniqueFd done(ends[1]);
  std::vector<int> kept{until.get()};
  for (const UniqueFd& file : files) kept.push_back(file.get());
  std::ranges::sort(kept);
  // The one in between ends at once, so that nobody has to wait for the other. _Fork() runs no handlers of a program that this library was loaded into.
  const pid_t between = ::_Fork();
  if (between == 0) {
    if (::_Fork() == 0) hold(kept, until.get());
    ::_exit(0);
  }
  if (between > 0) {
    while (::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  files.clear();
  done.reset();
}

}  // namespace rpl
