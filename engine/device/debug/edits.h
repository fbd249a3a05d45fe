// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/device/debug/points.h"

namespace rpl::debug {

/// Something that a person wrote into a launch: from `time` on it runs with it.
struct Edit {
  std::uint64_t time = 0;  ///< wave-instructions executed before it
  Watched where;
  std::vector<std::byte>
      bytes;  ///< as many as parts of `where` have together; of the pc: the number of the operation, 4 bytes
  std::string text;  ///< "v2 = 5", for people
};

/// The edits of a launch in the order of their times. Executing a moment again makes those of that moment again; going back to before one takes it back.
class Edits {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  void add(Edit edit) { all_.push_back(std::move(edit)); }
  [[nodiscard]] const std::vector<Edit>& all() const { return all_; }
  /// The first that is still to be made when the launch stands at `time`.
  void go_to(std::uint64_t time);
  /// Of those to be made, the time of the first; kNever for none.
  [[nodiscard]] std::uint64_t due() const;
  /// The next one to be made at `time`, which then counts as made; null for none.
  const Edit* take(std::uint64_t time);
  /// Forgets those later than `time`.
  void forget_after(std::uint64_t time);

 private:
  std::vector<Edit> all_;
  std::size_t next_ = 0;
};

}  // namespace rpl::debug
