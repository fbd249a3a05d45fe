// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/row_shape.h"

#include <algorithm>
#include <cstring>

#include "engine/trace/import/rocpd/page_check.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "engine/trace/import/rocpd/table_layout.h"

namespace rpl {
namespace {

constexpr std::uint8_t kMayBeNull = 1, kMayBeNumber = 2, kMayBeEmpty = 4, kMayBeText = 8,
                       kMayBeReal = 16, kMayBeAny = 31;

/// Serial types (fileformat2.html §2.1): NULL, whole numbers and reals, 10 and 11 in no file, then blobs and texts by their lengths.
std::uint8_t kind_of(std::uint64_t type) {
  if (type == 0) return kMayBeNull;
  if (type == 7) return kMayBeReal;
  if (type <= 9) return kMayBeNumber;
  if (type <= 11) return 0;
  return type <= 13 ? kMayBeEmpty : kMayBeText;
}

std::uint64_t bytes_of(std::uint64_t type) {
  constexpr std::uint8_t kBytes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < 12 ? kBytes[type] : (type - 12) / 2;
}

}  // namespace

std::string guid_of_suffix(std::string_view suffix) {
  constexpr std::size_t kSuffixChars = 37;
  if (suffix.size() != kSuffixChars || suffix[0] != '_') return {};
  std::string guid(suffix.substr(1));
  std::ranges::replace(guid, '_', '-');
  return guid;
}

Result<std::optional<RowShape>> RowShape::of(ForeignDatabase& database, const std::string& table,
                                             std::string_view guid) {
  RowShape shape;
  shape.guid_ = guid;
  for (const ForeignDatabase::Declared& column : *TRY(database.declared(table))) {
    if (column.hidden) return std::optional<RowShape>();
    Kinds kinds = kMayBeAny;
    const Affinity affinity = affinity_of(column.type);
    if (affinity == Affinity::text) kinds = kMayBeNull | kMayBeEmpty | kMayBeText;
    if (affinity == Affinity::integer) kinds = kMayBeNull | kMayBeNumber | kMayBeEmpty;
    // A key that is the row id is held as NULL whatever is declared.
    if (column.not_null && !column.key) kinds = static_cast<Kinds>(kinds - kMayBeNull);
    if (column.name == "guid" && !guid.empty())
      shape.guid_column_ = static_cast<int>(shape.columns_.size());
    shape.columns_.push_back(kinds);
  }
  if (shape.columns_.empty()) return std::optional<RowShape>();
  return std::optional(std::move(shape));
}

bool RowShape::fits(const std::uint8_t* record, std::uint64_t payload, std::uint32_t local) const {
  const std::uint8_t* at = record;
  const std::uint64_t header = read_varint(at);
  // A header that goes on in other pages is one of hundreds of columns.
  if (header > payload || header > local) return false;
  std::uint64_t bytes = header;
  std::size_t column = 0;
  for (; at < record + header; ++column) {
    const std::uint64_t type = read_varint(at);
    if (column == columns_.size() || (kind_of(type) & columns_[column]) == 0) return false;
    if (static_cast<int>(column) == guid_column_ && bytes + guid_.size() <= local &&
        (bytes_of(type) != guid_.size() ||
         std::memcmp(record + bytes, guid_.data(), guid_.size()) != 0))
      return false;
    bytes += bytes_of(type);
    if (bytes > payload) return false;
  }
  // Rows from before a column was added lack it, and have its default.
  return at == record + header && bytes == payload;
}

bool RowShape::fits_types(std::span<const std::uint64_t> types) const {
  constexpr Kinds kMissingOrNumber = kMayBeNull | kMayBeNumber;
  if (types.size() > columns_.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if ((columns_[i] & kMissingOrNumber) == kMissingOrNumber) continue;
    if ((kind_of(types[i]) & columns_[i]) == 0) return false;
  }
  return true;
}

bool RowShape::fits_leaf(const std::uint8_t* page, std::uint32_t page_bytes) const {
  constexpr std::uint32_t kLeafHeader = 8;
  const std::uint32_t cells = big_endian_16(page + 3);
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint8_t* const cell = page + big_endian_16(page + kLeafHeader + 2 * std::size_t{i});
    const std::uint8_t* at = cell;
    const std::uint64_t payload = read_varint(at);
    read_varint(at);
    const auto head = static_cast<std::uint32_t>(at - cell);
    const std::uint32_t in_page = cell_bytes(head, payload, page_bytes) - head;
    // The last four bytes of a row that goes on elsewhere say where.
    const std::uint32_t local = in_page > payload ? static_cast<std::uint32_t>(payload)
                                                  : in_page - (in_page < payload ? 4 : 0);
    if (!fits(at, payload, local)) return false;
  }
  return true;
}

}  // namespace rpl
