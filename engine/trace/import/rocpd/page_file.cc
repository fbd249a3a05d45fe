// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/page_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace rpl {
namespace {

constexpr std::uint32_t kInteriorHeader =
    12;                        ///< bytes before the cell pointers of an interior page
constexpr int kMaxDepth = 20;  ///< SQLite's BTCURSOR_MAX_DEPTH
/// Fits the second-level cache with room for what is decoded from it.
constexpr std::size_t kBlockBytes = std::size_t{128} << 10;
/// Reading one page in vain costs less than another call.
constexpr std::uint32_t kFurthestNext = 2;
/// Fetched at a time from where the file is not in memory.
constexpr off_t kAheadBytes = off_t{4} << 20;

/// No page holds more cells: SQLite takes more for damage.
constexpr std::uint32_t max_cells(std::uint32_t page_bytes) { return (page_bytes - 8) / 6; }

class LeafWalk {
 public:
  explicit LeafWalk(const PageFile& file) : file_(file), seen_(file.pages() + 1) {}

  bool visit(std::uint32_t number, int depth) {
    if (depth > kMaxDepth || !take(number)) return false;
    std::vector<std::uint8_t> page(file_.page_bytes());
    if (!file_.read(number, 1, page.data())) return false;
    if (page[0] == PageFile::kLeaf) {
      leaves_.push_back(number);
      return true;
    }
    std::vector<std::uint32_t> below;
    if (page[0] != PageFile::kInterior || !children(page.data(), below)) return false;
    const bool above_leaves = valid(below[0]) && is_leaf(below[0], page);
    for (const std::uint32_t child : below) {
      if (!above_leaves) {
        if (!visit(child, depth + 1)) return false;
        continue;
      }
      if (!take(child)) return false;
      leaves_.push_back(child);
    }
    return true;
  }

  std::vector<std::uint32_t> take_leaves() { return std::move(leaves_); }

 private:
  [[nodiscard]] bool valid(std::uint32_t number) const {
    return number >= 2 && number <= file_.pages();
  }
  [[nodiscard]] bool is_leaf(std::uint32_t number, std::vector<std::uint8_t>& page) const {
    return file_.read(number, 1, page.data()) && page[0] == PageFile::kLeaf;
  }

  /// Every page belongs to one place only, which also rules out cycles.
  bool take(std::uint32_t number) {
    if (!valid(number) || seen_[number]) return false;
    seen_[number] = true;
    return true;
  }

  bool children(const std::uint8_t* page, std::vector<std::uint32_t>& into) const {
    const std::uint32_t cells = big_endian_16(page + 3);
    const std::uint32_t pointers_end = kInteriorHeader + 2 * cells;
    if (pointers_end > file_.page_bytes() || cells > max_cells(file_.page_bytes())) return false;
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t cell = big_endian_16(page + kInteriorHeader + 2 * i);
      if (cell < pointers_end || cell + 5 > file_.page_bytes()) return false;
      into.push_back(big_endian_32(page + cell));
    }
    into.push_back(big_endian_32(page + 8));
    return true;
  }

  const PageFile& file_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> leaves_;
};

/// The header fields that decide and for which SQLite has no pragma.
bool plain_header(const std::uint8_t* header) {
  constexpr std::size_t kReserved = 20, kFractions = 21, kEncoding = 56;
  const bool fractions =
      header[kFractions] == 64 && header[kFractions + 1] == 32 && header[kFractions + 2] == 32;
  return header[kReserved] == 0 && fractions && big_endian_32(header + kEncoding) == 1;
}

bool read_whole(int fd, std::uint8_t* into, std::size_t bytes, off_t offset) {
  while (bytes > 0) {
    const ssize_t got = ::pread(fd, into, bytes, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    offset += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

Result<std::optional<PageFile>> PageFile::open(ForeignDatabase& database) {
  const auto page_bytes = TRY(database.database().scalar("PRAGMA page_size")).value_or(0);
  const auto pages = TRY(database.database().scalar("PRAGMA page_count")).value_or(0);
  struct stat status{};
  const int fd = database.fd();
  if (fd < 0 || ::fstat(fd, &status) != 0) return std::optional<PageFile>();
  const std::int64_t bytes = page_bytes * pages;
  if (pages < 2 || pages > 0xfffffffe || page_bytes < 512 || page_bytes > 65536 ||
      status.st_size < bytes) {
    return std::optional<PageFile>();
  }
  struct stat log{};
  if (::stat((database.opened_path() + "-wal").c_str(), &log) == 0 && log.st_size > 0) {
    return std::optional<PageFile>();
  }
  std::uint8_t header[100];
  if (!read_whole(fd, header, sizeof header, 0) || !plain_header(header))
    return std::optional<PageFile>();
  PageFile file;
  file.fd_ = fd;
  file.pages_ = static_cast<std::uint32_t>(pages);
  file.page_bytes_ = static_cast<std::uint32_t>(page_bytes);
  return std::optional<PageFile>(std::move(file));
}

PageFile::PageFile(PageFile&& other) noexcept
    : fd_(other.fd_),
      pages_(other.pages_),
      page_bytes_(other.page_bytes_),
      failed_(other.failed_.load()) {}

bool PageFile::read(std::uint32_t first, std::uint32_t count, std::uint8_t* into) const {
  const std::size_t bytes = std::size_t{count} * page_bytes_;
  const auto offset = static_cast<off_t>(std::size_t{first - 1} * page_bytes_);
  iovec whole{into, bytes};
  const ssize_t there = ::preadv2(fd_, &whole, 1, offset, RWF_NOWAIT);
  if (there == static_cast<ssize_t>(bytes)) return true;
  // Only a matter of speed, so that it may fail.
  if (there >= 0 || errno == EAGAIN) ::posix_fadvise(fd_, offset, kAheadBytes, POSIX_FADV_WILLNEED);
  if (read_whole(fd_, into, bytes, offset)) return true;
  failed_ = true;
  return false;
}

bool PageFile::shrank() const {
  struct stat status{};
  return failed_ || ::fstat(fd_, &status) != 0 ||
         status.st_size < static_cast<off_t>(std::size_t{pages_} * page_bytes_);
}

std::optional<std::vector<std::uint32_t>> PageFile::leaves(std::uint32_t root) const {
  LeafWalk walk(*this);
  if (!walk.visit(root, 0)) return std::nullopt;
  return walk.take_leaves();
}

PageStream::PageStream(const PageFile& file, std::span<const std::uint32_t> pages)
    : file_(file),
      pages_(pages),
      block_(std::max<std::size_t>(kBlockBytes, file.page_bytes()) + kOverread) {}

bool PageStream::fill() {
  if (at_end()) return false;
  first_ = pages_[next_];
  const auto most = static_cast<std::uint32_t>((block_.size() - kOverread) / file_.page_bytes());
  std::uint32_t last = first_;
  ready_ = next_ + 1;
  while (ready_ < pages_.size()) {
    const std::uint32_t page = pages_[ready_];
    if (page <= last || page - last > kFurthestNext || page - first_ >= most) break;
    last = page;
    ++ready_;
  }
  if (file_.read(first_, last - first_ + 1, block_.data())) return true;
  ready_ = next_;
  return false;
}

}  // namespace rpl
