// SPDX-License-Identifier: MIT
#include "engine/trace/bytes/byte_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/base/input_file.h"

namespace rpl {
namespace {

/// What is unpacked to be passed over, at once.
constexpr std::size_t kPassedBytes = std::size_t{1} << 20;

Result<std::size_t> read_file_at(const std::string& name, int fd, std::uint64_t offset,
                                 std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got =
        ::pread(fd, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Errc::io, fmt::format("{}: {}", name, std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

Result<ByteSource> ByteSource::open(const std::string& path) {
  InputFile file = TRY(open_input(path));
  return ByteSource(path, file.fd.release(), {}, file.bytes);
}

Result<ByteSource> ByteSource::open_unpacked(const std::string& path, const UnpackLimits& limits) {
  ByteSource out = TRY(open(path));
  std::array<char, 4> magic{};
  const std::size_t got = TRY(read_file_at(path, out.fd_, 0, magic));
  out.packing_ = packing_of(std::string_view(magic.data(), got));
  if (out.packing_ != Packing::none) {
    Unpacker unpacker = TRY(Unpacker::make(path, out.fd_, out.packing_, out.size_, limits));
    out.unpacker_ = std::make_unique<Unpacker>(std::move(unpacker));
  }
  return out;
}

ByteSource ByteSource::from_memory(std::string name, std::string_view text) {
  return {std::move(name), -1, text, text.size()};
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      text_(other.text_),
      size_(other.size_),
      packing_(other.packing_),
      unpacker_(std::move(other.unpacker_)) {}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(fd_, other.fd_);
  std::swap(text_, other.text_);
  std::swap(size_, other.size_);
  std::swap(packing_, other.packing_);
  std::swap(unpacker_, other.unpacker_);
  return *this;
}

ByteSource::~ByteSource() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint64_t ByteSource::used(std::uint64_t offset) const {
  return unpacker_ ? unpacker_->used() : std::min(offset, size_);
}

bool ByteSource::cut_short() const { return unpacker_ && unpacker_->cut_short(); }

Result<std::size_t> ByteSource::read_at(std::uint64_t offset, std::span<char> into) const {
  if (unpacker_) {
    if (offset < unpacker_->position()) TRY(unpacker_->rewind());
    std::vector<char> passed;
    while (unpacker_->position() < offset) {
      passed.resize(std::min<std::uint64_t>(offset - unpacker_->position(), kPassedBytes));
      if (TRY(unpacker_->read(passed)) == 0) return 0;
    }
    return unpacker_->read(into);
  }
  if (fd_ < 0) {
    if (offset >= text_.size()) return 0;
    return text_.copy(into.data(), into.size(), offset);
  }
  return read_file_at(name_, fd_, offset, into);
}

}  // namespace rpl
