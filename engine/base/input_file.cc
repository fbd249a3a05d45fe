// SPDX-License-Identifier: MIT
#include "engine/base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/interrupt.h"
#include "engine/base/policy.h"

namespace rpl {
namespace {

Failure cannot_open(const std::string& path, int error) {
  if (error == ELOOP) return fail(Errc::corrupt, fmt::format("{}: a symbolic link", path));
  if (error == ENOENT || error == ENOTDIR)
    return fail(Errc::not_found, path + ": no such file", "check the path");
  // A socket cannot be opened at all.
  if (error == ENXIO) return not_a_file(path, S_IFSOCK);
  return fail(Errc::io, fmt::format("cannot read {}: {}", path, std::strerror(error)),
              error == EACCES ? "ask for read permission, or copy the file" : "");
}

/// A link may have been put there since the path was judged: of a restricted session what is open is judged as well.
Status check_opened(const std::string& path, int fd) {
  if (!policy().restricted) return {};
  return check_input(TRY(opened_place(fd, path)));
}

Result<InputFile> opened(const std::string& path, int flags, bool streams) {
  TRY(check_input(path));
  InputFile out;
  out.fd.reset(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags));
  struct stat facts{};
  if (!out.fd || ::fstat(out.fd.get(), &facts) != 0) return cannot_open(path, errno);
  if (S_ISREG(facts.st_mode)) {
    out.bytes = static_cast<std::uint64_t>(facts.st_size);
    TRY(check_opened(path, out.fd.get()));
    return out;
  }
  const bool stream = S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode);
  if (streams && stream && names_open_descriptor(path)) return out;
  return not_a_file(path, facts.st_mode);
}

}  // namespace

bool names_open_descriptor(const std::string& path) {
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.starts_with(prefix) && path.size() > prefix.size() &&
        path.find_first_not_of("0123456789", prefix.size()) == std::string::npos)
      return true;
  }
  return path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr";
}

const char* kind_of_special_file(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISDIR(mode)) return "a folder";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

Failure not_a_file(const std::string& path, mode_t mode) {
  return fail(Errc::io, fmt::format("{} is {}, not a file", path, kind_of_special_file(mode)),
              S_ISDIR(mode) ? "name a file in it" : "name a regular file");
}

Result<InputFile> open_input(const std::string& path, Links links) {
  return opened(path, links == Links::refuse ? O_NOFOLLOW : 0, false);
}

Result<InputFile> open_text_input(const std::string& path) { return opened(path, 0, true); }

Status wait_for_input(int fd) {
  // Requests of other programs raise the flag without a signal.
  constexpr int kLookAtFlagMs = 100;
  pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
  while (true) {
    TRY(interrupt::check());
    const int ready = ::poll(&waiting, 1, kLookAtFlagMs);
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR)
      return fail(Errc::io, fmt::format("waiting for input: {}", std::strerror(errno)));
  }
}

std::string first_bytes(const std::string& path, std::size_t count) {
  const auto file = open_input(path);
  if (!file) return {};
  // No more than the file has: the most that a caller takes may be hundreds of megabytes. Files of /proc say 0.
  constexpr std::size_t kAtLeast = 4096;
  std::string text(std::min<std::size_t>(count, file->bytes + kAtLeast), '\0');
  std::size_t used = 0;
  while (used < count) {
    if (used == text.size()) text.resize(std::min(count, 2 * used));
    const ssize_t got = ::read(file->fd.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += static_cast<std::size_t>(got);
  }
  text.resize(used);
  return text;
}

}  // namespace rpl
