// SPDX-License-Identifier: MIT
#include "engine/capture/earlier_image.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/interrupt.h"

namespace rpl {

Result<EarlierImage> EarlierImage::open(const std::string& path) {
  EarlierImage out;
  out.path_ = path;
  out.file_.reset(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!out.file_) return file_error(path, "open", errno);
  constexpr std::size_t kCompared = std::size_t{256} << 10;
  out.block_.resize(kCompared);
  return out;
}

Status EarlierImage::read(std::uint64_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(path_, "read", errno);
    if (got == 0) return fail(Errc::io, fmt::format("{} became shorter while it was read", path_));
    at += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Result<std::size_t> EarlierImage::same(std::span<const std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    TRY(interrupt::check());
    const auto part = bytes.subspan(done, std::min(bytes.size() - done, block_.size()));
    const auto before = std::span(block_).first(part.size());
    TRY(read(position_, before));
    if (std::memcmp(part.data(), before.data(), part.size()) != 0) break;
    position_ += part.size();
    done += part.size();
  }
  return done;
}

Status EarlierImage::copy_to(SparseFile& later) const {
  std::vector<std::byte> block(block_.size());
  for (std::uint64_t at = 0; at < position_;) {
    const auto part = std::span(block).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(position_ - at, block.size())));
    TRY(read(at, part));
    TRY(later.append(part));
    at += part.size();
  }
  return {};
}

}  // namespace rpl
