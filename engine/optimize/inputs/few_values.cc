// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/few_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <numeric>
#include <set>

#include "engine/replay/elements.h"

namespace rpl {
namespace {

std::vector<double> numbers_of(Element element, std::span<const std::byte> bytes) {
  const std::size_t size = size_of(element);
  std::vector<double> out;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size)
    out.push_back(element_number(element, &bytes[at]));
  return out;
}

class Few {
 public:
  Few(std::size_t size, Random& random, std::vector<std::byte>& out)
      : size_(size), count_(out.size() / size), random_(random), drawn_(out), out_(out) {
    constexpr std::size_t kChoices = 4;
    while (choices_.size() < kChoices) choices_.push_back(random_() % count_);
  }

  // Waves and rows in which all are alike, and those of which neighbours differ though first and last do not.
  void few() {
    if (count_ < kLeast) {
      const std::size_t all = choices_[random_() % choices_.size()];
      for (std::size_t i = 0; i < count_; ++i) put(all, i);
      return;
    }
    constexpr std::size_t kLongest = 300;
    std::size_t left = 0, choice = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (left == 0) {
        choice = random_() % choices_.size();
        const bool in_turns = i >= count_ / 4 && i < count_ - count_ / 4;
        left = 1 + (in_turns ? 0 : random_() % kLongest);
      }
      --left;
      put(choices_[choice], i);
    }
  }

  // What is looked for is found, and found at the end, where buffers hold the same.
  void share_zero_and_one() {
    const auto set = [&](std::size_t element, std::uint8_t value) {
      std::fill_n(drawn_.begin() + static_cast<std::ptrdiff_t>(element * size_), size_,
                  std::byte{});
      drawn_[element * size_] = std::byte{value};
    };
    if (count_ < 3) return;
    choices_ = {0, 0, 0, 1, 2 % count_, 3 % count_, 4 % count_, 5 % count_};
    set(0, 0);
    set(1, 1);
  }

  // What is counted in few bits overflows where all are counted as one.
  void uniform() {
    for (std::size_t i = 0; i < count_; ++i) put(choices_.front(), i);
  }

  // What adds up from one to the next goes as far as it can where few say that it ends.
  void sparse() {
    constexpr std::array<std::uint64_t, 4> kOneIn = {8, 64, 64, 256};
    for (std::size_t i = 0; i < count_; ++i) {
      if (count_ < kLeast || random_() % kOneIn[i * kOneIn.size() / count_] != 0)
        std::fill_n(out_.begin() + static_cast<std::ptrdiff_t>(i * size_), size_, std::byte{});
    }
  }

  void sorted(Element element, std::span<const std::byte> captured) {
    few();
    std::vector<std::pair<double, std::size_t>> order;
    const std::vector<double> numbers = numbers_of(element, out_);
    for (std::size_t i = 0; i < count_; ++i) order.emplace_back(numbers[i], i);
    std::ranges::sort(order);
    drawn_ = out_;
    for (std::size_t i = 0; i < count_; ++i) put(order[i].second, i);
    std::ranges::copy(captured.first(size_), out_.begin());
    const std::size_t last = (count_ - 1) * size_;
    std::ranges::copy(captured.subspan(last, size_),
                      out_.begin() + static_cast<std::ptrdiff_t>(last));
  }

 private:
  static constexpr std::size_t kLeast = 16;  ///< elements: of fewer all are alike
  void put(std::size_t from, std::size_t to) {
    std::copy_n(drawn_.begin() + static_cast<std::ptrdiff_t>(from * size_), size_,
                out_.begin() + static_cast<std::ptrdiff_t>(to * size_));
  }

  std::size_t size_, count_;
  Random& random_;
  std::vector<std::byte> drawn_;
  std::vector<std::byte>& out_;
  std::vector<std::size_t> choices_;  ///< elements of what was drawn
};

/// Sorts as the type does; of 64-bit integers that are one double their bits decide.
struct SortKey {
  bool is_none = false;
  double number = 0;
  std::int64_t bits = 0;
  auto operator<=>(const SortKey&) const = default;
};

std::vector<SortKey> keys_of(Element element, std::span<const std::byte> bytes) {
  const std::vector<double> numbers = numbers_of(element, bytes);
  std::vector<SortKey> out;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_none = std::isnan(numbers[i]);
    out.push_back({.is_none = is_none, .number = is_none ? 0 : numbers[i]});
    if (size_of(element) == 8 && !is_float(element))
      out.back().bits = read_as<std::int64_t>(&bytes[i * 8]);
  }
  return out;
}

}  // namespace

void sort_elements(Element element, std::vector<std::byte>& bytes) {
  const std::size_t size = size_of(element);
  const std::vector<SortKey> keys = keys_of(element, bytes);
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return std::is_lt(keys[a] <=> keys[b]); });
  const std::vector<std::byte> from = bytes;
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(order[i] * size), size,
                bytes.begin() + static_cast<std::ptrdiff_t>(i * size));
}

bool is_ascending(Element element, std::span<const std::byte> bytes) {
  constexpr std::size_t kEnough = 8;
  const std::vector<double> numbers = numbers_of(element, bytes);
  return numbers.size() >= kEnough && numbers.front() < numbers.back() &&
         std::ranges::is_sorted(numbers);
}

void keep_few(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
              Random& random, std::vector<std::byte>& out) {
  const std::size_t size = size_of(traits.element);
  const bool held =
      traits.role == Role::fixed || traits.orders || (traits.mixed && traits.role != Role::value);
  if (held || out.size() < 2 * size || out.size() % size != 0) return;
  Few few(size, random, out);
  if (kind == InputClass::uniform) {
    const bool counted =
        traits.role != Role::structure && !is_float(traits.element) && !traits.mixed;
    return counted ? few.uniform() : void();
  }
  if (traits.role != Role::structure && !is_float(traits.element) && !traits.mixed)
    few.share_zero_and_one();
  if (traits.role != Role::structure) return kind == InputClass::sparse ? few.sparse() : few.few();
  const std::vector<double> numbers = numbers_of(traits.element, captured);
  const std::set<double> distinct(numbers.begin(), numbers.end());
  if (traits.stay_distinct) return;
  if (!traits.any_order && std::ranges::is_sorted(numbers))
    return few.sorted(traits.element, captured);
  if (distinct.size() < numbers.size()) few.few();
}

}  // namespace rpl
