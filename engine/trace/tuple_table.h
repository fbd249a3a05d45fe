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

  TupleTable() : slots_(kFirstSlots), mask_(kFirstSlots - 1) {}

  /// nullptr when absent; valid until the next insert.
  [[nodiscard]] const std::uint32_t* find(const Key& key) const {
    for (std::size_t at = hash(key) & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.used && equal(slot.key, key)) return &slot.value;
      if (!slot.used) return nullptr;
    }
  }

  /// `key` must be absent.
  void insert(const Key& key, std::uint32_t value) {
    if (++count_ * 2 > slots_.size()) grow();
    place({key, value, true});
  }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  struct Slot {
    Key key{};
    std::uint32_t value = 0;
    bool used = false;
  };

  /// Without branches or the call to memcmp that == compiles to.
  static bool equal(const Key& a, const Key& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < N; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }

  /// Independent products, so that the processor overlaps them.
  static std::size_t hash(const Key& key) {
    std::uint64_t sum = 0;
    std::uint64_t factor = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio; odd as its successors are
    for (const std::uint64_t word : key) {
      sum += (word ^ word >> 32) * factor;
      factor += 0x3c6ef372fe94f82aULL;
    }
    sum ^= sum >> 32;
    return static_cast<std::size_t>(sum * 0x9e3779b97f4a7c15ULL >> 20);
  }

  void place(const Slot& slot) {
    std::size_t at = hash(slot.key) & mask_;
    while (slots_[at].used) at = (at + 1) & mask_;
    slots_[at] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.used) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::size_t count_ = 0;
};

}  // namespace rpl
