// SPDX-License-Identifier: MIT
#include "engine/device/debug/memory_history.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace rpl::debug {

MemoryHistory::MemoryHistory(const emu::Memory& memory) {
  for (const emu::Region* region : memory.regions()) {
    if (!region->writable || region->size == 0) continue;
    held_.push_back({region, std::vector<std::byte>(region->host, region->host + region->size)});
    watched_ += region->size;
  }
  changes_.emplace_back();
}

void MemoryHistory::push() {
  Changes& changes = changes_.emplace_back();
  for (std::uint32_t i = 0; i < held_.size(); ++i) {
    Held& held = held_[i];
    for (std::size_t at = 0; at < held.copy.size(); at += kPage) {
      const std::size_t size = std::min(kPage, held.copy.size() - at);
      std::byte* before = held.copy.data() + at;
      const std::byte* now = held.region->host + at;
      if (std::memcmp(before, now, size) == 0) continue;
      changes.push_back({i, static_cast<std::uint32_t>(at / kPage),
                         std::vector<std::byte>(before, before + size)});
      bytes_ += size;
      std::memcpy(before, now, size);
    }
  }
}

void MemoryHistory::undo(const Changes& changes) {
  for (const Page& page : changes) {
    std::memcpy(held_[page.held].copy.data() + page.number * kPage, page.bytes.data(),
                page.bytes.size());
    bytes_ -= page.bytes.size();
  }
}

void MemoryHistory::restore(std::size_t number) {
  while (changes_.size() > number + 1) {
    undo(changes_.back());
    changes_.pop_back();
  }
  for (const Held& held : held_) std::memcpy(held.region->host, held.copy.data(), held.copy.size());
}

// A page that changed before both moments goes back to what it was before the first.
void MemoryHistory::forget(std::size_t number) {
  Changes merged;
  Changes &first = changes_[number], &second = changes_[number + 1];
  const auto key = [](const Page& page) { return std::tie(page.held, page.number); };
  auto a = first.begin(), b = second.begin();
  while (a != first.end() || b != second.end()) {
    if (b == second.end() || (a != first.end() && key(*a) < key(*b))) {
      merged.push_back(std::move(*a++));
    } else if (a == first.end() || key(*b) < key(*a)) {
      merged.push_back(std::move(*b++));
    } else {
      bytes_ -= b->bytes.size();
      merged.push_back(std::move(*a++));
      ++b;
    }
  }
  second = std::move(merged);
  changes_.erase(changes_.begin() + static_cast<std::ptrdiff_t>(number));
}

}  // namespace rpl::debug
