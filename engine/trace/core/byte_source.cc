// SPDX-License-Identifier: MIT
#include "engine/trace/core/byte_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/input_file.h"

namespace rpl {

Result<ByteSource> ByteSource::open(const std::string& path) {
  InputFile file = TRY(open_input(path));
  return ByteSource(path, file.fd.release(), {}, file.bytes);
}

ByteSource ByteSource::from_memory(std::string name, std::string_view text) {
  return {std::move(name), -1, text, text.size()};
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      text_(other.text_),
      size_(other.size_) {}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(fd_, other.fd_);
  std::swap(text_, other.text_);
  std::swap(size_, other.size_);
  return *this;
}

ByteSource::~ByteSource() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::size_t> ByteSource::read_at(std::uint64_t offset, std::span<char> into) const {
  if (fd_ < 0) {
    if (offset >= text_.size()) return 0;
    return text_.copy(into.data(), into.size(), offset);
  }
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got =
        ::pread(fd_, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Errc::io, fmt::format("{}: {}", name_, std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace rpl
