// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace rpl::cycle {

/// Who loaded each line: the dies, a bit each, and the first and the last workgroup. A table in one piece, in which a line lies at its hash or behind.
class LineSharers {
 public:
  struct Sharers {
    std::uint64_t line_1 = 0;  ///< line number + 1; 0 is an empty place
    std::uint32_t operation = 0, first = 0, last = 0, dies = 0;
  };

  /// Of a line with its line_hash(): as it was made with `operation` and `workgroup` by the first who asked. Good until the next call.
  Sharers& of(std::uint64_t line, std::uint64_t hash, std::uint32_t operation,
              std::uint32_t workgroup);
  /// Lines of whose hash any of these bits is set are forgotten.
  void forget(std::uint64_t hash_bits);

  template <class Visit>
  void each(const Visit& visit) const {
    for (const Sharers& one : places_)
      if (one.line_1 != 0) visit(one);
  }

 private:
  [[nodiscard]] std::size_t place_of(std::uint64_t line, std::uint64_t hash) const;
  void move_to(std::size_t places, std::uint64_t without_hash_bits);

  std::vector<Sharers> places_;  ///< a power of two, at most half of them taken
  std::size_t taken_ = 0;
};

}  // namespace rpl::cycle
