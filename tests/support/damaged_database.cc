// SPDX-License-Identifier: MIT
#include "tests/support/damaged_database.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace rpl::test {
namespace {

constexpr std::uint8_t kInterior = 0x05, kLeaf = 0x0d;

std::uint32_t word16(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) << 8 | at[1];
}
std::uint32_t word32(const std::uint8_t* at) { return word16(at) << 16 | word16(at + 2); }
void put16(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value >> 8);
  at[1] = static_cast<std::uint8_t>(value);
}
void put32(std::uint8_t* at, std::uint32_t value) {
  put16(at, value >> 16);
  put16(at + 2, value & 0xffff);
}

std::uint64_t varint(const std::uint8_t* at, std::size_t& used) {
  std::uint64_t value = 0;
  for (used = 1; used <= 8; ++used, ++at) {
    value = value << 7 | (*at & 0x7fU);
    if (*at < 0x80) return value;
  }
  return value << 8 | *at;
}

/// Of a table that has more than a page: a random one of its pages of a type.
struct Place {
  std::uint32_t root = 0, page = 0;
};
bool pick(const PagesOf& pages, std::string_view table, std::uint8_t type, Random& random,
          Place& into) {
  const std::vector<std::uint32_t> roots = pages.roots(table);
  if (roots.empty()) return false;
  into.root = roots[random.below(roots.size())];
  const std::vector<std::uint32_t> all = pages.of_tree(into.root, type);
  if (all.empty()) return false;
  into.page = all[random.below(all.size())];
  return true;
}

std::uint8_t* pointer(PagesOf& pages, std::uint32_t page, std::uint32_t cell) {
  std::uint8_t* at = pages.page(page) + PagesOf::header_at(page);
  return at + (at[0] == kInterior ? 12 : 8) + 2 * std::size_t{cell};
}
std::uint32_t cells(const PagesOf& pages, std::uint32_t page) {
  return word16(pages.page(page) + PagesOf::header_at(page) + 3);
}
/// The bytes of a random cell of a page.
std::uint8_t* any_cell(PagesOf& pages, std::uint32_t page, Random& random) {
  const std::uint32_t count = cells(pages, page);
  if (count == 0) return nullptr;
  const std::uint32_t at =
      word16(pointer(pages, page, static_cast<std::uint32_t>(random.below(count))));
  return at + 24 > pages.page_bytes() ? nullptr : pages.page(page) + at;
}

bool one_bit(PagesOf& pages, std::string_view, Random& random) {
  const std::uint64_t bit = random.below(pages.bytes().size() * 8);
  const auto page = static_cast<std::uint32_t>(bit / 8 / pages.page_bytes() + 1);
  pages.page(page)[bit / 8 % pages.page_bytes()] ^= static_cast<std::uint8_t>(1U << bit % 8);
  return true;
}

bool eight_bytes(PagesOf& pages, std::string_view, Random& random) {
  std::uint8_t* page = pages.page(static_cast<std::uint32_t>(1 + random.below(pages.pages())));
  for (int i = 0; i < 8; ++i)
    page[random.below(pages.page_bytes())] = static_cast<std::uint8_t>(random.next());
  return true;
}

bool cell_count_less(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at) || cells(pages, at.page) < 2) return false;
  put16(pages.page(at.page) + 3, cells(pages, at.page) - 1);
  return true;
}

bool child_doubled(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kInterior, random, at)) return false;
  const std::uint32_t count = cells(pages, at.page);
  if (count < 2) return false;
  const auto to = static_cast<std::uint32_t>(random.below(count));
  const std::uint32_t from = (to + 1 + static_cast<std::uint32_t>(random.below(count - 1))) % count;
  std::uint8_t* page = pages.page(at.page);
  std::memcpy(page + word16(pointer(pages, at.page, to)),
              page + word16(pointer(pages, at.page, from)), 4);
  return true;
}

bool children_exchanged(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kInterior, random, at)) return false;
  const std::uint32_t count = cells(pages, at.page);
  if (count < 2) return false;
  const auto one = static_cast<std::uint32_t>(random.below(count - 1));
  std::uint8_t* page = pages.page(at.page);
  std::uint8_t* a = page + word16(pointer(pages, at.page, one));
  std::uint8_t* b = page + word16(pointer(pages, at.page, one + 1));
  std::swap_ranges(a, a + 4, b);
  return true;
}

bool child_dropped(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kInterior, random, at)) return false;
  const std::uint32_t count = cells(pages, at.page);
  if (count < 2) return false;
  // The pointers behind it move up, as if it had never been there.
  const auto gone = static_cast<std::uint32_t>(random.below(count));
  std::uint8_t* from = pointer(pages, at.page, gone);
  std::memmove(from, from + 2, 2 * std::size_t{count - gone - 1});
  put16(pages.page(at.page) + 3, count - 1);
  return true;
}

bool leaf_replaced(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  const std::vector<std::uint32_t> leaves = pages.of_tree(at.root, kLeaf);
  if (leaves.size() < 2) return false;
  std::uint32_t other = at.page;
  while (other == at.page) other = leaves[random.below(leaves.size())];
  std::memcpy(pages.page(at.page), pages.page(other), pages.page_bytes());
  return true;
}

bool leaf_of_another_table(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at) || at.page == at.root) return false;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t root : pages.roots("rocpd_")) {
    if (root == at.root) continue;
    for (const std::uint32_t leaf : pages.of_tree(root, kLeaf))
      if (cells(pages, leaf) > 0) others.push_back(leaf);
  }
  if (others.empty()) return false;
  std::memcpy(pages.page(at.page), pages.page(others[random.below(others.size())]),
              pages.page_bytes());
  return true;
}

bool cell_pointer_doubled(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at) || cells(pages, at.page) < 2) return false;
  const auto one = static_cast<std::uint32_t>(random.below(cells(pages, at.page) - 1));
  std::memcpy(pointer(pages, at.page, one), pointer(pages, at.page, one + 1), 2);
  return true;
}

bool cell_pointers_exchanged(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at) || cells(pages, at.page) < 2) return false;
  const auto one = static_cast<std::uint32_t>(random.below(cells(pages, at.page) - 1));
  std::uint8_t* a = pointer(pages, at.page, one);
  std::swap_ranges(a, a + 2, a + 2);
  return true;
}

bool page_zeroed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, random.chance(0.9) ? kLeaf : kInterior, random, at)) return false;
  std::memset(pages.page(at.page), 0, pages.page_bytes());
  return true;
}

bool page_half_zeroed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  // As a disk leaves it that wrote some of a page's sectors.
  const std::size_t half = pages.page_bytes() / 2;
  std::memset(pages.page(at.page) + (random.chance(0.5) ? half : 0), 0, half);
  return true;
}

bool row_id_changed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  std::uint8_t* cell = any_cell(pages, at.page, random);
  if (cell == nullptr) return false;
  std::size_t used = 0;
  varint(cell, used);
  std::uint8_t* id = cell + used;
  varint(id, used);
  id[used - 1] ^= static_cast<std::uint8_t>(1U << random.below(7));
  return true;
}

bool payload_length_changed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  std::uint8_t* cell = any_cell(pages, at.page, random);
  if (cell == nullptr) return false;
  std::size_t used = 0;
  varint(cell, used);
  cell[used - 1] ^= static_cast<std::uint8_t>(1U << random.below(7));
  return true;
}

bool column_type_changed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  std::uint8_t* cell = any_cell(pages, at.page, random);
  if (cell == nullptr) return false;
  std::size_t used = 0;
  varint(cell, used);
  cell += used;
  varint(cell, used);
  std::uint8_t* record = cell + used;
  const std::size_t header = record[0];
  if (header < 2 || header > 100) return false;
  std::uint8_t& type = record[1 + random.below(header - 1)];
  const std::uint8_t before = type;
  type = static_cast<std::uint8_t>(random.below(10));
  return type != before;
}

bool interior_key_changed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kInterior, random, at)) return false;
  std::uint8_t* cell = any_cell(pages, at.page, random);
  if (cell == nullptr) return false;
  std::size_t used = 0;
  varint(cell + 4, used);
  cell[4 + used - 1] ^= static_cast<std::uint8_t>(1U << random.below(7));
  return true;
}

bool free_bytes_changed(PagesOf& pages, std::string_view table, Random& random) {
  Place at;
  if (!pick(pages, table, kLeaf, random, at)) return false;
  std::uint8_t* page = pages.page(at.page);
  if (random.chance(0.5))
    page[7] = static_cast<std::uint8_t>(page[7] + 1 + random.below(255));
  else
    put16(page + 1, static_cast<std::uint32_t>(1 + random.below(pages.page_bytes() - 4)));
  return true;
}

bool roots_exchanged(PagesOf& pages, std::string_view table, Random& random) {
  // In the schema's table: the root of one table is another's. Roots below 128 take one byte.
  const std::vector<std::uint32_t> mine = pages.roots(table), all = pages.roots("rocpd_");
  if (mine.empty() || all.size() < 2) return false;
  const std::uint32_t root = mine[random.below(mine.size())];
  std::uint32_t other = root;
  while (other == root) other = all[random.below(all.size())];
  if (pages.of_tree(root, kLeaf).empty() || pages.of_tree(other, kLeaf).empty()) return false;
  std::string whole(pages.page_bytes(), '\0');
  std::memcpy(whole.data(), pages.page(root), whole.size());
  std::memcpy(pages.page(root), pages.page(other), whole.size());
  std::memcpy(pages.page(other), whole.data(), whole.size());
  return true;
}

bool page_count_changed(PagesOf& pages, std::string_view, Random& random) {
  std::uint8_t* count = pages.page(1) + 28;
  put32(count, static_cast<std::uint32_t>(1 + random.below(pages.pages() - 1)));
  return true;
}

constexpr std::array kDamages{
    DatabaseDamage{"one bit", false, one_bit},
    DatabaseDamage{"eight bytes of one page", false, eight_bytes},
    DatabaseDamage{"cell count one less", true, cell_count_less},
    DatabaseDamage{"child pointer doubled", true, child_doubled},
    DatabaseDamage{"child pointers exchanged", true, children_exchanged},
    DatabaseDamage{"child pointer dropped", true, child_dropped},
    DatabaseDamage{"leaf replaced by another", true, leaf_replaced},
    DatabaseDamage{"leaf of another table", true, leaf_of_another_table},
    DatabaseDamage{"cell pointer doubled", true, cell_pointer_doubled},
    DatabaseDamage{"cell pointers exchanged", true, cell_pointers_exchanged},
    DatabaseDamage{"page zeroed", true, page_zeroed},
    DatabaseDamage{"half of a page zeroed", true, page_half_zeroed},
    DatabaseDamage{"row id changed", true, row_id_changed},
    DatabaseDamage{"length of a row changed", true, payload_length_changed},
    DatabaseDamage{"type of a column changed", true, column_type_changed},
    DatabaseDamage{"key of a child changed", true, interior_key_changed},
    DatabaseDamage{"free bytes changed", true, free_bytes_changed},
    DatabaseDamage{"tables exchanged", true, roots_exchanged},
    DatabaseDamage{"page count changed", true, page_count_changed},
};

}  // namespace

std::span<const DatabaseDamage> database_damages() { return kDamages; }

PagesOf::PagesOf(std::string bytes) : bytes_(std::move(bytes)), page_bytes_(0) {
  const std::uint32_t stored = word16(reinterpret_cast<const std::uint8_t*>(bytes_.data()) + 16);
  page_bytes_ = stored == 1 ? 65536 : stored;
}

std::uint8_t* PagesOf::page(std::uint32_t number) {
  return reinterpret_cast<std::uint8_t*>(bytes_.data()) + (number - 1) * page_bytes_;
}
const std::uint8_t* PagesOf::page(std::uint32_t number) const {
  return reinterpret_cast<const std::uint8_t*>(bytes_.data()) + (number - 1) * page_bytes_;
}

void PagesOf::collect(std::uint32_t number, std::uint8_t type, int depth,
                      std::vector<std::uint32_t>& into) const {
  if (number < 1 || number > pages() || depth > 20) return;
  const std::uint8_t* at = page(number) + header_at(number);
  if (at[0] == type) into.push_back(number);
  if (at[0] != kInterior) return;
  for (std::uint32_t i = 0; i < word16(at + 3); ++i)
    collect(word32(page(number) + word16(at + 12 + 2 * std::size_t{i})), type, depth + 1, into);
  collect(word32(at + 8), type, depth + 1, into);
}

std::vector<std::uint32_t> PagesOf::of_tree(std::uint32_t root, std::uint8_t type) const {
  std::vector<std::uint32_t> out;
  collect(root, type, 0, out);
  return out;
}

std::vector<std::uint32_t> PagesOf::roots(std::string_view prefix) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t leaf : of_tree(1, kLeaf)) {
    const std::uint8_t* at = page(leaf) + header_at(leaf);
    for (std::uint32_t i = 0; i < word16(at + 3); ++i) {
      // sqlite_schema: type, name, tbl_name, rootpage, sql.
      const std::uint8_t* cell = page(leaf) + word16(at + 8 + 2 * std::size_t{i});
      std::size_t used = 0;
      varint(cell, used);
      cell += used;
      varint(cell, used);
      const std::uint8_t* record = cell + used;
      const std::uint8_t* type = record;
      const std::uint64_t header = varint(type, used);
      type += used;
      std::array<std::uint64_t, 4> types{};
      for (std::uint64_t& one : types) {
        one = varint(type, used);
        type += used;
      }
      const auto text_bytes = [](std::uint64_t one) { return one < 13 ? 0 : (one - 13) / 2; };
      const auto* text = reinterpret_cast<const char*>(record + header);
      const std::string_view what(text, text_bytes(types[0]));
      const std::string_view name(text + what.size(), text_bytes(types[1]));
      const std::uint8_t* root = record + header + what.size() + name.size() + text_bytes(types[2]);
      std::uint32_t number = 0;
      for (std::uint64_t byte = 0; byte < types[3] && types[3] <= 4; ++byte)
        number = number << 8 | root[byte];
      if (what == "table" && name.starts_with(prefix) && number > 1) out.push_back(number);
    }
  }
  return out;
}

}  // namespace rpl::test
