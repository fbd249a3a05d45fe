// SPDX-License-Identifier: MIT
#include "engine/capture/sparse_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

constexpr std::uint64_t kPage = 4096;
// Small enough that hashing, looking for zeros and writing find the bytes in the cache, and a Ctrl-C is noticed.
constexpr std::size_t kBlock = std::size_t{256} << 10;

bool all_zero(std::span<const std::byte> bytes) {
  // Equal to itself one byte on, and the first is zero: memcmp looks at many bytes at once.
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

Failure file_error(const std::string& file, std::string_view step, int error) {
  if (error == ELOOP) return fail(Errc::corrupt, fmt::format("{}: a symbolic link", file));
  const bool missing = error == ENOENT || error == ENOTDIR,
             full = error == ENOSPC || error == EDQUOT;
  return fail(missing ? Errc::not_found : Errc::io,
              fmt::format("{}: {}: {}", file, step, std::strerror(error)),
              full ? "make room, or put the capture elsewhere: -o DIR" : "");
}

Result<SparseFile> SparseFile::create(const std::string& path, std::uint64_t bytes, Hash hash) {
  SparseFile out;
  out.hashed_ = hash == Hash::yes;
  out.path_ = path;
  out.bytes_ = bytes;
  constexpr mode_t kFileMode = 0600;  // memory of a program
  out.file_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  if (!out.file_) return file_error(path, "create", errno);
  if (::ftruncate(out.file_.get(), static_cast<off_t>(bytes)) != 0)
    return file_error(path, "set the length", errno);
  return out;
}

Status SparseFile::append(std::span<const std::byte> bytes) {
  if (bytes.size() > bytes_ - done_) {
    return fail(Errc::usage,
                fmt::format("{}: more than the {} bytes that were announced", path_, bytes_));
  }
  while (!bytes.empty()) {
    TRY(interrupt::check());
    // Blocks end at multiples of the page size, so that no page is cut in two.
    const std::size_t size = std::min<std::size_t>(bytes.size(), kBlock - done_ % kPage);
    TRY(append_block(bytes.first(size)));
    bytes = bytes.subspan(size);
  }
  return {};
}

Status SparseFile::append_block(std::span<const std::byte> block) {
  if (hashed_) hash_.add(block);
  std::size_t at = 0, run = 0;  // a run of pages that are not zero begins at `run` and goes to `at`
  while (at < block.size()) {
    const std::size_t end =
        at + std::min<std::size_t>(block.size() - at, kPage - (done_ + at) % kPage);
    if (all_zero(block.subspan(at, end - at))) {
      TRY(put(done_ + run, block.subspan(run, at - run)));
      run = end;
    }
    at = end;
  }
  TRY(put(done_ + run, block.subspan(run)));
  done_ += block.size();
  return {};
}

Status SparseFile::put(std::uint64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return file_error(path_, "write", written < 0 ? errno : ENOSPC);
    stored_ += static_cast<std::uint64_t>(written);
    at += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<StoredFile> SparseFile::close() {
  if (done_ != bytes_)
    return fail(Errc::usage, fmt::format("{}: {} of {} bytes were given", path_, done_, bytes_));
  if (::close(file_.release()) != 0 && errno != EINTR) return file_error(path_, "close", errno);
  return StoredFile{
      .bytes = bytes_, .stored_bytes = stored_, .sha256 = hashed_ ? hash_.hex() : std::string()};
}

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
