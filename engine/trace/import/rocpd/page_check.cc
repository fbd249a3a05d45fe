// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/page_check.h"

#include "engine/trace/import/rocpd/page_file.h"

namespace rpl {
namespace {

constexpr std::uint32_t kLeafHeader = 8;

}  // namespace

std::string_view to_string(PageFault fault) {
  switch (fault) {
    case PageFault::none:
      return "is as it should be";
    case PageFault::unreadable:
      return "cannot be read as rows";
    case PageFault::order:
      return "holds row ids that do not rise: rows are repeated or out of place";
    case PageFault::place:
      return "holds rows that belong elsewhere in the table";
    case PageFault::bytes:
      return "does not account for all of its bytes: a row is missing or was changed";
    case PageFault::record:
      return "holds a row that is none of this table: other columns, or values of other types";
    case PageFault::tree:
      return "leads to no page of the table, or to one twice: rows are missing or repeated";
  }
  return "";
}

void PageFindings::add(const PageFindings& others) {
  if (others.pages == 0) return;
  if (pages == 0) {
    fault = others.fault;
    page = others.page;
  }
  pages += others.pages;
}

bool accounts_for_bytes(const std::uint8_t* page, std::uint32_t page_bytes, std::uint32_t header,
                        std::uint64_t in_cells) {
  // fileformat2.html §1.6: first free block, number of cells, where cells begin (0 for 65536), fragments.
  const std::uint32_t pointers_end = header + 2 * big_endian_16(page + 3);
  const std::uint32_t stored = big_endian_16(page + 5);
  const std::uint32_t begin = stored == 0 ? 65536 : stored;
  if (begin < pointers_end || begin > page_bytes) return false;
  std::uint64_t bytes = in_cells + page[7];
  std::uint32_t before = begin;
  for (std::uint32_t block = big_endian_16(page + 1); block != 0;) {
    // Blocks rise, so that this ends.
    if (block < before || block + 4 > page_bytes) return false;
    const std::uint32_t length = big_endian_16(page + block + 2);
    if (length < 4 || block + length > page_bytes) return false;
    bytes += length;
    before = block + length;
    block = big_endian_16(page + block);
  }
  return bytes == page_bytes - begin;
}

LeafFacts check_leaf(const std::uint8_t* page, std::uint32_t page_bytes, const KeyRange& range) {
  LeafFacts out;
  const std::uint32_t cells = big_endian_16(page + 3);
  out.fault = PageFault::unreadable;
  if (page[0] != PageFile::kLeaf || cells > (page_bytes - kLeafHeader) / 6) return out;
  const std::uint32_t pointers_end = kLeafHeader + 2 * cells;
  std::uint64_t in_cells = 0;
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint32_t begin = big_endian_16(page + kLeafHeader + 2 * std::size_t{i});
    if (begin < pointers_end || begin + 4 > page_bytes) return out;
    const std::uint8_t* at = page + begin;
    const std::uint64_t payload = read_varint(at);
    const auto id = static_cast<std::int64_t>(read_varint(at));
    const std::uint32_t bytes =
        cell_bytes(static_cast<std::uint32_t>(at - page) - begin, payload, page_bytes);
    if (begin + bytes > page_bytes) return out;
    in_cells += bytes;
    if (i > 0 && id <= out.last) {
      out.fault = PageFault::order;
      return out;
    }
    if (i == 0) out.first = id;
    out.last = id;
  }
  out.rows = cells;
  out.fault = PageFault::none;
  if (cells > 0 && (out.first <= range.after || out.last > range.last))
    out.fault = PageFault::place;
  else if (!accounts_for_bytes(page, page_bytes, kLeafHeader, in_cells))
    out.fault = PageFault::bytes;
  return out;
}

}  // namespace rpl
