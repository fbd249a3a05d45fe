// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/foreign.h"

namespace rpl {

/// Watches a mapping of a file for the file becoming shorter, which the kernel reports by SIGBUS on the first touch of a page that
/// is gone. While a guard lives, such a page reads as zeros instead of ending the program, and shrank() is true from then on.
///
/// A signal handler is installed with the first guard, for the whole process; what it does not know goes to the handler before
/// it. Up to 64 guards may live at once; guarded() is false for those beyond.
class ShrinkGuard {
 public:
  /// `base` is aligned to pages.
  ShrinkGuard(const void* base, std::size_t bytes);
  ShrinkGuard(const ShrinkGuard&) = delete;
  ShrinkGuard& operator=(const ShrinkGuard&) = delete;
  /// Before the memory is unmapped.
  ~ShrinkGuard();

  [[nodiscard]] bool guarded() const { return slot_ != nullptr; }
  [[nodiscard]] bool shrank() const;

  /// One watched mapping, as the signal handler sees it.
  struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<std::size_t> base{0}, end{0};
    std::atomic<bool> shrank{false};
  };

 private:
  Slot* slot_ = nullptr;
};

/// The pages of a SQLite file, mapped for reading while SQLite's own lock keeps writers out. Format:
/// https://www.sqlite.org/fileformat2.html §1.
class PageFile {
 public:
  /// nullopt when the file is of a kind that the leaf decoder leaves to SQLite: reserved bytes (encryption), other text
  /// encodings, a log beside it, network file systems. Pages that are cut off the file meanwhile read as zeros; see shrank().
  static Result<std::optional<PageFile>> map(ForeignDatabase& database);

  PageFile(PageFile&& other) noexcept;
  PageFile& operator=(PageFile&&) = delete;
  ~PageFile();

  /// Page `number` counts from 1. At least kOverread bytes may be read beyond any page.
  [[nodiscard]] const std::uint8_t* page(std::uint32_t number) const {
    return bytes_ + std::size_t{number - 1} * page_bytes_;
  }
  /// Gives back the memory management of the pages from `first` to `last`, which costs as much as unmapping them later; they
  /// may be read again.
  void release(std::uint32_t first, std::uint32_t last) const;
  /// Whether the file became shorter while it was read: what was read may be zeros that are not in the file.
  [[nodiscard]] bool shrank() const;
  [[nodiscard]] std::uint32_t pages() const { return pages_; }
  [[nodiscard]] std::uint32_t page_bytes() const { return page_bytes_; }

  /// Leaf pages of the table b-tree under `root`, in key order. Types of leaves are checked for the first child of each
  /// parent only. nullopt when the tree is damaged.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> leaves(std::uint32_t root) const;

  static constexpr std::size_t kOverread = 4096;
  static constexpr std::uint8_t kLeaf = 0x0d, kInterior = 0x05;

 private:
  PageFile() = default;

  const std::uint8_t* bytes_ = nullptr;
  std::size_t mapped_ = 0;
  int fd_ = -1;  ///< the database's
  std::uint32_t pages_ = 0, page_bytes_ = 0;
  std::unique_ptr<ShrinkGuard> guard_;
};

inline std::uint32_t big_endian_16(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0] << 8 | at[1]);
}
inline std::uint32_t big_endian_32(const std::uint8_t* at) {
  return big_endian_16(at) << 16 | big_endian_16(at + 2);
}

}  // namespace rpl
