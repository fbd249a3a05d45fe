// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rpl {

/// A hash table from N words to an index, for the inner loops of readers: open addressing, no erase.
template <std::size_t N>
class TupleTable {
 public:
  using Key = std::array<std::uint64_t, N>;

  TupleTable() : slots_(kFirstSlots) {}

  /// nullptr when absent; valid until the next insert.
  [[nodiscard]] const std::uint32_t* find(const Key& key) const {
    for (std::size_t at = hash(key);; ++at) {
      const Slot& slot = slots_[at & (slots_.size() - 1)];
      if (!slot.used) return nullptr;
      if (slot.key == key) return &slot.value;
    }
  }

  /// `key` must be absent.
  void insert(const Key& key, std::uint32_t value) {
    if (++count_ * 2 > slots_.size()) grow();
    place({key, value, true});
  }

 private:
  static constexpr std::size_t kFirstSlots = 64;

  struct Slot {
    Key key{};
    std::uint32_t value = 0;
    bool used = false;
  };

  static std::size_t hash(const Key& key) {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : key) {
      mixed = (mixed ^ word) *
              0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio: spreads neighbouring values
      mixed ^= mixed >> 29;
    }
    return static_cast<std::size_t>(mixed);
  }

  void place(const Slot& slot) {
    std::size_t at = hash(slot.key);
    while (slots_[at & (slots_.size() - 1)].used) ++at;
    slots_[at & (slots_.size() - 1)] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace rpl
