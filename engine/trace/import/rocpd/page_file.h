// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/foreign.h"
#include "engine/trace/import/rocpd/page_check.h"

namespace rpl {

/// The pages of a table that hold its rows.
struct TreeLeaves {
  std::vector<std::uint32_t> pages;  ///< in key order
  std::vector<KeyRange> ranges;      ///< of each
  /// Of the pages above them. After PageFault::tree the list ends where the tree does, and nothing in it can be relied on.
  PageFindings findings;

  [[nodiscard]] bool whole() const { return findings.fault != PageFault::tree; }
};

/// The pages of a SQLite file, read while SQLite's own lock keeps writers out. They are read and not mapped: a file that becomes
/// shorter gives fewer bytes and no signal, and what is decoded lies in the processor's cache. Format:
/// https://www.sqlite.org/fileformat2.html §1.
class PageFile {
 public:
  /// nullopt when the file is of a kind that the leaf decoder leaves to SQLite: reserved bytes (encryption), other text
  /// encodings, a log beside it.
  static Result<std::optional<PageFile>> open(ForeignDatabase& database);

  PageFile(PageFile&& other) noexcept;

  /// Reads pages first … first + count - 1, which count from 1, into count * page_bytes() bytes. What is not in memory is fetched
  /// together with what follows it. False when the file has become shorter, or cannot be read; thread-safe.
  [[nodiscard]] bool read(std::uint32_t first, std::uint32_t count, std::uint8_t* into) const;
  /// Whether the file became shorter, or a read failed, since it was opened.
  [[nodiscard]] bool shrank() const;
  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] std::uint32_t page_bytes() const { return page_bytes_; }

  /// Leaf pages of the table b-tree under `root`. Types of leaves are checked for the first child of each parent only.
  /// No further pages are looked for once `most` leaves were found: the list then has more than it, and is not whole.
  [[nodiscard]] TreeLeaves leaves(std::uint32_t root,
                                  std::size_t most = std::numeric_limits<std::size_t>::max()) const;

  static constexpr std::uint8_t kLeaf = 0x0d, kInterior = 0x05;
  static constexpr int kMaxDepth = 20;  ///< of a tree: SQLite's BTCURSOR_MAX_DEPTH

 private:
  PageFile() = default;

  int fd_ = -1;  ///< the database's
  std::uint32_t pages_ = 0, page_bytes_ = 0;
  mutable std::atomic<bool> failed_ = false;
};

/// Some pages of a file one after the other, read in blocks where they lie together.
class PageStream {
 public:
  /// `pages` in the order in which they are wanted; both must outlive the stream.
  PageStream(const PageFile& file, std::span<const std::uint32_t> pages);

  /// The next page, valid until the next call; nullptr at the end, or when it could not be read. At least kOverread bytes may be
  /// read beyond it.
  const std::uint8_t* next() {
    if (next_ == ready_ && !fill()) return nullptr;
    return block_.data() + std::size_t{pages_[next_++] - first_} * file_.page_bytes();
  }
  [[nodiscard]] bool at_end() const { return next_ == pages_.size(); }

  static constexpr std::size_t kOverread = 64;

 private:
  bool fill();

  const PageFile& file_;
  std::span<const std::uint32_t> pages_;
  std::vector<std::uint8_t> block_;
  std::uint32_t first_ = 0;  ///< page at the beginning of the block
  std::size_t next_ = 0, ready_ = 0;
};

inline std::uint32_t big_endian_16(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0] << 8 | at[1]);
}
inline std::uint32_t big_endian_32(const std::uint8_t* at) {
  return big_endian_16(at) << 16 | big_endian_16(at + 2);
}

}  // namespace rpl
