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
    12;  ///< bytes before the cell pointers of an interior page
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
  LeafWalk(const PageFile& file, std::size_t most)
      : file_(file), seen_(file.pages() + 1), most_(most) {}

  bool visit(std::uint32_t number, int depth, const KeyRange& range) {
    if (depth > PageFile::kMaxDepth || !take(number)) return damaged(number);
    std::vector<std::uint8_t> page(file_.page_bytes() + PageStream::kOverread);
    if (!file_.read(number, 1, page.data())) return damaged(number);
    if (page[0] == PageFile::kLeaf) {
      add(number, range);
      return true;
    }
    std::vector<Child> below;
    if (page[0] != PageFile::kInterior || !children(number, page.data(), range, below))
      return damaged(number);
    const bool above_leaves = valid(below[0].page) && is_leaf(below[0].page, page);
    for (const Child& child : below) {
      if (leaves.pages.size() > most_) return true;
      if (!above_leaves) {
        if (!visit(child.page, depth + 1, child.range)) return false;
        continue;
      }
      if (!take(child.page)) return damaged(number);
      add(child.page, child.range);
    }
    return true;
  }

  TreeLeaves leaves;

 private:
  struct Child {
    std::uint32_t page = 0;
    KeyRange range;
  };

  void add(std::uint32_t number, const KeyRange& range) {
    leaves.pages.push_back(number);
    leaves.ranges.push_back(range);
  }
  bool damaged(std::uint32_t number) {
    if (leaves.whole()) leaves.findings = {PageFault::tree, number, leaves.findings.pages + 1};
    return false;
  }
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

  bool children(std::uint32_t number, const std::uint8_t* page, const KeyRange& range,
                std::vector<Child>& into) {
    const std::uint32_t bytes = file_.page_bytes(), cells = big_endian_16(page + 3);
    const std::uint32_t pointers_end = kInteriorHeader + 2 * cells;
    if (pointers_end > bytes || cells > max_cells(bytes)) return false;
    std::uint64_t in_cells = 0;
    std::int64_t after = range.after;
    bool rising = true;
    into.reserve(cells + 1);
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t cell = big_endian_16(page + kInteriorHeader + 2 * std::size_t{i});
      if (cell < pointers_end || cell + 5 > bytes) return false;
      const std::uint8_t* at = page + cell + 4;
      const auto key = static_cast<std::int64_t>(read_varint(at));
      in_cells += static_cast<std::uint64_t>(at - page) - cell;
      rising = rising && key > after && key <= range.last;
      into.push_back({big_endian_32(page + cell), {after, key}});
      after = key;
    }
    into.push_back({big_endian_32(page + 8), {after, range.last}});
    if (!rising)
      leaves.findings.add(PageFault::order, number);
    else if (!accounts_for_bytes(page, bytes, kInteriorHeader, in_cells))
      leaves.findings.add(PageFault::bytes, number);
    return true;
  }

  const PageFile& file_;
  std::vector<bool> seen_;
  std::size_t most_;
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

TreeLeaves PageFile::leaves(std::uint32_t root, std::size_t most) const {
  LeafWalk walk(*this, most);
  // What is wrong stands in the findings.
  static_cast<void>(walk.visit(root, 0, {}));
  return std::move(walk.leaves);
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
