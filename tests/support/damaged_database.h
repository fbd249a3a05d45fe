// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random.h"

namespace rpl::test {

/// The bytes of a SQLite database and where its tables lie in them, read by hand: what breaks pages must not be the code that is to notice.
/// Format: https://www.sqlite.org/fileformat2.html.
class PagesOf {
 public:
  explicit PagesOf(std::string bytes);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::size_t page_bytes() const { return page_bytes_; }
  [[nodiscard]] std::size_t pages() const { return bytes_.size() / page_bytes_; }
  /// Root pages of the tables whose names begin with `prefix`.
  [[nodiscard]] std::vector<std::uint32_t> roots(std::string_view prefix) const;
  /// Pages of a table's tree that have this type (0x05 interior, 0x0d leaf), in key order.
  [[nodiscard]] std::vector<std::uint32_t> of_tree(std::uint32_t root, std::uint8_t type) const;

  [[nodiscard]] std::uint8_t* page(std::uint32_t number);
  [[nodiscard]] const std::uint8_t* page(std::uint32_t number) const;
  /// Where a page's header begins: behind the file's on page 1.
  [[nodiscard]] static std::size_t header_at(std::uint32_t number) { return number == 1 ? 100 : 0; }

 private:
  void collect(std::uint32_t number, std::uint8_t type, int depth,
               std::vector<std::uint32_t>& into) const;

  std::string bytes_;
  std::size_t page_bytes_;
};

/// One way of breaking a database.
struct DatabaseDamage {
  std::string_view name;
  /// Of a page's structure, which every reader can notice; otherwise of bytes by chance.
  bool structural;
  /// Breaks one place, of the tables whose names begin with `table` where it is structural. False when the file has no such place.
  bool (*apply)(PagesOf& pages, std::string_view table, Random& random);
};
std::span<const DatabaseDamage> database_damages();

}  // namespace rpl::test
