// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rpl {

/// A hash table from N words to an index, for the inner loops of readers: open addressing, no erase. Slots are small and
/// keys lie densely beside them, so that a few hundred keys stay in the first-level cache together with what the loop reads.
template <std::size_t N>
class TupleTable {
 public:
  using Key = std::array<std::uint64_t, N>;

  TupleTable() : slots_(kFirstSlots), mask_(kFirstSlots - 1) {}

  /// nullptr when absent; valid until the next insert.
  [[nodiscard, gnu::always_inline]] const std::uint32_t* find(const Key& key) const {
    const std::uint64_t hashed = hash(key);
    for (std::size_t at = hashed & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.entry == kFree) return nullptr;
      if (slot.tag != tag(hashed)) continue;
      const Entry& entry = entries_[slot.entry];
      if (equal(entry.key, key)) return &entry.value;
    }
  }

  /// `key` must be absent.
  void insert(const Key& key, std::uint32_t value) {
    entries_.push_back({key, value});
    if (entries_.size() * 2 > slots_.size()) return grow();
    place(static_cast<std::uint32_t>(entries_.size() - 1));
  }

 private:
  static constexpr std::size_t kFirstSlots = 256;
  static constexpr std::uint32_t kFree = 0xffffffffU;

  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t entry = kFree;
  };
  struct Entry {
    Key key;
    std::uint32_t value;
  };

  /// Without branches or the call to memcmp that == compiles to. Unrolled by hand like hash(): g++ leaves loops of five words
  /// rolled, and they run for each row.
  static bool equal(const Key& a, const Key& b) {
    std::uint64_t difference = 0;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < N; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }

  /// Independent products, so that the processor overlaps them. What differs in high bits of a word alone reaches only the high
  /// bits of its product, which are folded down at the end.
  static std::uint64_t hash(const Key& key) {
    std::uint64_t sum = 0;
    std::uint64_t factor = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio; odd as its successors are
#pragma GCC unroll 8
    for (const std::uint64_t word : key) {
      sum += word * factor;
      factor += 0x3c6ef372fe94f82aULL;
    }
    sum ^= sum >> 32;
    return sum * 0x9e3779b97f4a7c15ULL >> 20;
  }
  /// Bits that the position in the table hardly depends on.
  static std::uint32_t tag(std::uint64_t hashed) {
    return static_cast<std::uint32_t>(hashed >> 12);
  }

  void place(std::uint32_t entry) {
    const std::uint64_t hashed = hash(entries_[entry].key);
    std::size_t at = hashed & mask_;
    while (slots_[at].entry != kFree) at = (at + 1) & mask_;
    slots_[at] = {tag(hashed), entry};
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot());
    mask_ = slots_.size() - 1;
    for (std::uint32_t entry = 0; entry < entries_.size(); ++entry) place(entry);
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::vector<Entry> entries_;
};

}  // namespace rpl
