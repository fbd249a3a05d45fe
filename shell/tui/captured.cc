// SPDX-License-Identifier: MIT
#include "shell/tui/captured.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace rpl::tui {

CapturedOutput::CapturedOutput()
    : kept_(::memfd_create("rpl-output", MFD_CLOEXEC)),
      out_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)),
      err_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
  std::fflush(stdout);
  if (kept_.get() < 0) return;
  ::dup2(kept_.get(), STDOUT_FILENO);
  ::dup2(kept_.get(), STDERR_FILENO);
}

CapturedOutput::~CapturedOutput() {
  std::fflush(stdout);
  if (out_.get() >= 0) ::dup2(out_.get(), STDOUT_FILENO);
  if (err_.get() >= 0) ::dup2(err_.get(), STDERR_FILENO);
}

std::string CapturedOutput::take() {
  std::fflush(stdout);
  if (out_.get() >= 0) ::dup2(out_.get(), STDOUT_FILENO);
  if (err_.get() >= 0) ::dup2(err_.get(), STDERR_FILENO);
  struct stat about{};
  if (kept_.get() < 0 || ::fstat(kept_.get(), &about) != 0 || about.st_size <= 0) return {};
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::string text(std::min(static_cast<std::size_t>(about.st_size), kMost), '\0');
  const ssize_t count = ::pread(kept_.get(), text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

}  // namespace rpl::tui
