// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace rpl {

/// A variable-length integer of up to nine bytes (fileformat2.html §1.6); at most nine bytes are read.
inline std::uint64_t read_varint(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    const std::uint8_t byte = *at++;
    value = value << 7 | (byte & 0x7fU);
    if (byte < 0x80) return value;
  }
  return value << 8 | *at++;
}

/// What is wrong with a page of a table.
enum class PageFault : std::uint8_t {
  none,
  unreadable,  ///< not of a tree of rows, or a cell points out of it
  order,       ///< row ids do not rise
  place,       ///< row ids that the page above puts elsewhere
  bytes,       ///< its bytes do not add up: a cell is missing, or was changed in length
  record,      ///< a row that cannot be one of this table (RowShape)
  tree,        ///< a page above it leads nowhere, or to a page that was reached before
};
/// As a sentence goes on behind "page 7 of rocpd_event": "does not account for all of its bytes".
std::string_view to_string(PageFault fault);

/// The row ids that the pages above give a page: above `after`, up to `last`.
struct KeyRange {
  std::int64_t after = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

/// What was found out about the pages of one table that were read.
struct PageFindings {
  PageFault fault = PageFault::none;  ///< the first
  std::uint32_t page = 0;             ///< where
  std::uint32_t pages = 0;            ///< how many have any fault

  void add(PageFault found, std::uint32_t number) {
    if (pages++ == 0) {
      fault = found;
      page = number;
    }
  }
  void add(const PageFindings& others);
};

/// Bytes that a cell of a leaf takes in its page, from those of its head (length and row id) and of its payload. A long payload goes on in
/// other pages (fileformat2.html §1.5).
inline std::uint32_t cell_bytes(std::uint32_t head, std::uint64_t payload,
                                std::uint32_t page_bytes) {
  const std::uint32_t most = page_bytes - 35;
  if (payload <= most) {
    const std::uint32_t bytes = head + static_cast<std::uint32_t>(payload);
    return bytes < 4 ? 4 : bytes;
  }
  const std::uint32_t least = (page_bytes - 12) * 32 / 255 - 23;
  const auto local = least + static_cast<std::uint32_t>((payload - least) % (page_bytes - 4));
  return head + (local <= most ? local : least) + 4;
}

/// Whether the area of a page behind its pointers holds exactly `in_cells` bytes of cells, its free blocks and its fragments, as SQLite's
/// own check demands. `header`: bytes of the page's header, 8 or 12.
bool accounts_for_bytes(const std::uint8_t* page, std::uint32_t page_bytes, std::uint32_t header,
                        std::uint64_t in_cells);

/// What a leaf holds, looked at by itself, whatever its records mean.
struct LeafFacts {
  PageFault fault = PageFault::none;
  std::uint32_t rows = 0;
  std::int64_t first = 0, last = 0;  ///< row ids, where there are rows
};
/// At most nine bytes are read beyond the page.
LeafFacts check_leaf(const std::uint8_t* page, std::uint32_t page_bytes, const KeyRange& range);

}  // namespace rpl
