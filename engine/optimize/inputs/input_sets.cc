// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/input_sets.h"
#include "engine/optimize/inputs/scalars.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include "engine/base/half.h"
#include "engine/base/interrupt.h"
#include "engine/optimize/inputs/few_values.h"
#include "engine/optimize/inputs/odd_floats.h"
#include "engine/optimize/inputs/residues.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

double share(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
bool coin(Random& random) { return (random() >> 63) != 0; }

/// Looked at now and then: whoever draws for a run that nobody wants any more stops, and Runner::run() says so.
bool is_wanted(std::size_t at) {
  return at % interrupt::kRowsBetweenChecks != 0 || !interrupt::pending();
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

Range finite_range(Element element, std::span<const std::byte> bytes) {
  Range out;
  const std::size_t size = size_of(element);
  for (std::size_t at = 0; at + size <= bytes.size() && is_wanted(at); at += size) {
    const double value = element_number(element, bytes.data() + at);
    if (!std::isfinite(value)) continue;
    out.low = std::min(out.low, value);
    out.high = std::max(out.high, value);
  }
  // A constant is drawn around itself: nobody promised that it stays.
  if (!(out.low <= out.high)) return {.low = -1, .high = 1};
  if (out.low == out.high) {
    const double by = std::max(1.0, std::abs(out.low) / 2);
    return {.low = out.low - by, .high = out.high + by};
  }
  return out;
}

struct Stretch {
  int sign;            ///< 0: either
  double centre = 0;   ///< exponent as a share of the largest
  bool wide = false;   ///< all exponents instead
  bool tiny = false;   ///< those of the smallest normal numbers and of denormals instead
  bool root = false;   ///< those whose squares are denormals instead
  bool power = false;  ///< those whose exponentials are denormals, or near the largest number
};
constexpr Stretch kStretches[] = {{-1, 0.9},
                                  {1, 0.9},
                                  {-1, -0.9},
                                  {1, -0.9},
                                  {0, 0.4},
                                  {0, 0, true},
                                  {-1, 0, true},
                                  {1, 0, true},
                                  {0, 0, false, true},
                                  {0, 0, false, false, true},
                                  {0, 0, false, false, false, true}};

class FloatDraw {
 public:
  FloatDraw(InputClass kind, Element element, Range range, std::size_t count, Random& random,
            const Thresholds& thresholds)
      : kind_(kind),
        element_(element),
        range_(range),
        thresholds_(thresholds.numbers),
        random_(random),
        exponents_(element == Element::f16 ? 5 : 10),
        lowest_(element == Element::f16   ? -24
                : element == Element::f64 ? -1074
                                          : -149),
        stretch_(std::max<std::size_t>(16, count / (3 * std::size(kStretches)))),
        count_(count),
        lengths_(row_lengths(thresholds.whole, count)),
        turn_(thresholds_.empty() ? 0 : random_() % thresholds_.size()) {}

  void put(std::byte* at) {
    if (kind_ == InputClass::special && is_special()) return special(at);
    if (kind_ == InputClass::edges) return store_number(element_, at_edge(), at);
    store_number(element_, value(), at);
  }

 private:
  /// Those of the scalar arguments that may be the length of a row.
  static std::vector<std::size_t> row_lengths(std::span<const std::int64_t> whole,
                                              std::size_t count) {
    std::vector<std::size_t> out;
    for (const std::int64_t one : whole) {
      if (one > 2 && static_cast<std::uint64_t>(one) <= count / 2)
        out.push_back(static_cast<std::size_t>(one));
    }
    return out;
  }

  // What is added beyond the end of a row, or begins it, shows where it is infinite and all else is finite; what is skipped for being zero, where an infinity is multiplied by it.
  // Each length has a part of the buffer.
  double at_edge() {
    constexpr std::size_t kSparse = 256;
    const std::size_t at = drawn_++;
    bool end = false;
    if (!lengths_.empty()) {
      const std::size_t length = lengths_[at * lengths_.size() / std::max<std::size_t>(count_, 1)];
      end = at % length == 0 || at % length + 1 == length;
    }
    if (end ? random_() % 4 == 0 : random_() % kSparse == 0)
      return std::numeric_limits<double>::infinity() * (random_() % 4 == 0 ? 1 : -1);
    if (random_() % 4 == 0) return coin(random_) ? 0.0 : -0.0;
    return usual();
  }

  double value() {
    switch (kind_) {
      case InputClass::ties: {
        // What is multiplied by an infinity elsewhere is zero somewhere, however few there are.
        constexpr std::size_t kZeroIn = 8;
        const std::size_t at = drawn_++ % kZeroIn;
        if (at == 0) zero_at_ = random_() % kZeroIn;
        if (at == zero_at_) return coin(random_) ? 0.0 : -0.0;
        if (!thresholds_.empty() && random_() % 8 == 0)
          return thresholds_[random_() % thresholds_.size()];
        if (element_ == Element::f32 && random_() % 8 == 0) return halfway();
        // Times a scale that is a whole number, eighths are halfway between two of them.
        if (random_() % 4 == 0) return (static_cast<double>(random_() % 65) - 32) / 8;
        const double whole = static_cast<double>(random_() % 9) - 4;
        return whole == 0 && coin(random_) ? -0.0 : whole;
      }
      case InputClass::wide:
        return in_stretch();
      case InputClass::around:
        return around();
      default:
        return usual();
    }
  }

  // In the middle of two neighbours of a type of 16 bits, bf16 or f16.
  double halfway() {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(usual()));
    const std::uint32_t cut = coin(random_) ? 1U << 16 : 1U << 13;
    return double{std::bit_cast<float>((bits & ~(cut - 1)) | cut / 2)};
  }

  double usual() {
    const double at = share(random_);
    return range_.low * (1 - at) + range_.high * at;
  }

  // Some elements, as a single one is what a comparison of elements needs; and now and then a whole stretch, as for sums and maxima.
  double around() {
    if (thresholds_.empty()) return usual();
    const std::size_t at = drawn_++;
    if (at >= count_ / 2) return beyond(at - count_ / 2);
    if (at < count_ / 8) return seldom();
    if (at % kStretch == 0) {
      threshold_ = thresholds_[at / kStretch % thresholds_.size()];
      share_ = coin(random_) ? 4 : 1;
    }
    return random_() % share_ == 0 ? near_threshold(threshold_, random_) : usual();
  }

  // One in a row that is just beyond: against it all others are.
  double seldom() {
    constexpr std::uint64_t kOneIn = 64;
    if (random_() % kOneIn != 0) return usual();
    const double threshold = thresholds_[random_() % thresholds_.size()];
    return threshold * (1 + share(random_) / 16) * (random_() % 4 == 0 ? -1 : 1);
  }

  // Whole rows, columns and tiles beyond one of them, to either side: what a maximum begins with is wrong for those alone.
  double beyond(std::size_t at) {
    const std::size_t blocks = std::min<std::size_t>(2 * thresholds_.size(), 16);
    const std::size_t block = at / std::max<std::size_t>(1, count_ / 2 / blocks);
    const double threshold = thresholds_[(block / 2 + turn_) % thresholds_.size()];
    const double size = threshold * (1 + std::exp2(3 * share(random_)) * share(random_));
    return block % 2 == 0 ? size : -size;
  }

  // A row of large negative numbers alone is a case of its own, which single draws never make: stretches of one sign and one size. All kinds come before one
  // comes again, so that none depends on luck.
  double in_stretch() {
    const std::size_t at = drawn_++ % (stretch_ * order_.size());
    if (at == 0) std::ranges::shuffle(order_, random_);
    const Stretch& now = kStretches[order_[at / stretch_]];
    const double by = 2 * share(random_) - 1;
    constexpr double kTiny = 30;
    if (now.tiny) return std::exp2(lowest_ + kTiny * share(random_)) * (coin(random_) ? 1 : -1);
    constexpr double kRoot = 10;
    if (now.root) return std::exp2(lowest_ / 2 + kRoot * share(random_)) * (coin(random_) ? 1 : -1);
    constexpr double kPower = 80, kToPower = 150;
    if (now.power)
      return (kPower + (kToPower - kPower) * share(random_)) * (coin(random_) ? 1 : -1);
    const double size = std::exp2(now.wide ? exponents_ * by : exponents_ * now.centre + by);
    return now.sign > 0 || (now.sign == 0 && coin(random_)) ? size : -size;
  }

  // Single ones; in the third quarter so many that rows and tiles have hardly a number, in the last one they have none.
  bool is_special() {
    quarter_ = 4 * drawn_++ / std::max<std::size_t>(count_, 1);
    return quarter_ < 2 ? random_() % 24 == 0 : quarter_ > 2 || random_() % 8 != 0;
  }

  void special(std::byte* at) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (quarter_ >= 2) {
      if (random_() % 4 == 0) return store_nan(element_, random_, at);
      return store_number(element_, quarter_ > 2 ? kInfinity : -kInfinity, at);
    }
    switch (random_() % 6) {
      case 0:
        return store_number(element_, coin(random_) ? 0.0 : -0.0, at);
      case 1:
      case 2:
        return store_denormal(element_, random_, at);
      case 3:
        return store_number(element_, coin(random_) ? kInfinity : -kInfinity, at);
      case 4:
        return store_nan(element_, random_, at);
      default:
        return store_number(element_, coin(random_) ? range_.high * 64 : -range_.high * 64, at);
    }
  }

  InputClass kind_;
  Element element_;
  Range range_;
  std::span<const double> thresholds_;
  static constexpr std::size_t kStretch = 16;  ///< elements around one threshold
  double threshold_ = 0;
  std::uint64_t share_ = 1;  ///< one in so many is near it
  Random& random_;
  double exponents_,
      lowest_;               ///< the largest exponent that is drawn, and that of the least denormal
  std::size_t stretch_;      ///< elements
  std::size_t count_;        ///< of all elements
  std::size_t quarter_ = 0;  ///< of all elements
  std::vector<std::size_t> lengths_;  ///< of rows, for edges
  std::size_t zero_at_ = 0;           ///< of ties
  std::size_t turn_;                  ///< which threshold whole blocks begin with
  std::size_t drawn_ = 0;
  std::array<std::uint8_t, std::size(kStretches)> order_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
};

/// Integers as unsigned numbers of their size that sort as the type does.
class Whole {
 public:
  explicit Whole(Element element) : size_(size_of(element)), signed_(is_signed(element)) {}
  [[nodiscard]] std::int64_t get(const std::byte* at) const {
    switch (size_) {
      case 1:
        return signed_ ? read_as<std::int8_t>(at) : read_as<std::uint8_t>(at);
      case 2:
        return signed_ ? read_as<std::int16_t>(at) : read_as<std::uint16_t>(at);
      case 4:
        return signed_ ? read_as<std::int32_t>(at) : std::int64_t{read_as<std::uint32_t>(at)};
      default:
        return read_as<std::int64_t>(at);
    }
  }
  void put(std::int64_t value, std::byte* at) const { std::memcpy(at, &value, size_); }
  [[nodiscard]] std::vector<std::int64_t> all(std::span<const std::byte> bytes) const {
    std::vector<std::int64_t> out(bytes.size() / size_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = get(bytes.data() + i * size_);
    return out;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int64_t lowest() const {
    return signed_ ? static_cast<std::int64_t>(~std::uint64_t{0} << (8 * size_ - 1)) : 0;
  }

 private:
  std::size_t size_;
  bool signed_;
};

std::int64_t between(std::int64_t low, std::int64_t high, Random& random) {
  const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   (width + 1 == 0 ? random() : random() % (width + 1)));
}

std::vector<std::int64_t> structured(std::vector<std::int64_t> values, bool stay_distinct,
                                     bool stay_sorted, Random& random) {
  if (values.empty()) return values;
  const auto [low, high] = std::ranges::minmax(values);
  if (low == high) return values;
  constexpr std::size_t kFew = 64;
  const std::set<std::int64_t> distinct(values.begin(), values.end());
  if (stay_sorted && std::ranges::is_sorted(values) && !stay_distinct) {
    std::vector<std::int64_t> drawn(values.size());
    for (std::int64_t& value : drawn) value = between(low, high, random);
    drawn.front() = values.front();
    drawn.back() = values.back();
    std::ranges::sort(drawn);
    return drawn;
  }
  if (distinct.size() == values.size()) {
    std::ranges::shuffle(values, random);
    return values;
  }
  const std::vector<std::int64_t> choices(distinct.begin(), distinct.end());
  for (std::int64_t& value : values)
    value =
        choices.size() <= kFew ? choices[random() % choices.size()] : between(low, high, random);
  return values;
}

class WholeDraw {
 public:
  WholeDraw(InputClass kind, const BufferTraits& traits, const std::vector<std::int64_t>& captured,
            Random& random, std::span<const std::int64_t> thresholds)
      : kind_(kind),
        traits_(traits),
        whole_(traits.element),
        random_(random),
        thresholds_(thresholds) {
    count_ = captured.size();
    if (captured.empty()) return;
    const auto [low, high] = std::ranges::minmax(captured);
    low_ = low;
    high_ = low == high ? low + 3 : high;
  }
  [[nodiscard]] std::int64_t value() {
    const bool free = traits_.role == Role::value || traits_.role == Role::branch;
    if (kind_ == InputClass::ties) {
      std::int64_t small = between(whole_.lowest() < 0 ? -4 : 0, 4, random_);
      // Whole rows and tiles of equal ones: counts of them are as high as they can be.
      if (free && drawn_++ == count_ / 2) equal_ = small;
      if (equal_) return *equal_;
      if (!free || thresholds_.empty() || random_() % 8 != 0) return small;
      return thresholds_[random_() % thresholds_.size()] + between(-1, 1, random_);
    }
    // What chooses among others chooses none of them when it is of any size.
    const bool usual = traits_.role == Role::branch && coin(random_);
    if (free && kind_ == InputClass::edges) return at_edge();
    if (free && !usual && kind_ == InputClass::wide) return static_cast<std::int64_t>(random_());
    if (free && kind_ == InputClass::special && random_() % 16 == 0) {
      const std::int64_t ends[] = {0, -1, whole_.lowest(), ~whole_.lowest(), 1};
      return ends[random_() % std::size(ends)];
    }
    if (free && kind_ == InputClass::special && random_() % 4 == 0) return of_edge_bytes();
    if (kind_ == InputClass::around && !thresholds_.empty() && coin(random_)) {
      const std::int64_t bound =
          thresholds_[random_() % thresholds_.size()] + between(-1, 1, random_);
      if (free) return whole_.lowest() < 0 && random_() % 4 == 0 ? -bound : bound;
      if (bound >= low_ && bound <= high_) return bound;
    }
    if (traits_.role == Role::value && kind_ == InputClass::again)
      return static_cast<std::int64_t>(random_());
    return between(low_, high_, random_);
  }

 private:
  // Floats cannot tell neighbours of a large number apart, and sums and products are as large as they get where all elements are at one end of their range.
  [[nodiscard]] std::int64_t at_edge() {
    constexpr std::int64_t kLarge = std::int64_t{1} << 28;
    constexpr std::size_t kLeast = 16, kBlocks = 8;
    const std::size_t at = drawn_++, length = std::max(kLeast, count_ / (2 * kBlocks));
    const bool negative = whole_.lowest() < 0 && at / length % 2 == 1;
    if (at < count_ / 2 && whole_.size() >= 4)
      return (negative ? -kLarge : kLarge) + between(-3, 3, random_);
    const std::int64_t highest =
        whole_.lowest() < 0 ? ~whole_.lowest() : static_cast<std::int64_t>(~std::uint64_t{0});
    return negative ? whole_.lowest() : highest;
  }

  // What tricks with the bytes of a number go wrong with: carries and borrows from one to the next.
  [[nodiscard]] std::int64_t of_edge_bytes() {
    constexpr std::uint64_t kEdges[] = {0, 1, 0x7f, 0x80, 0xff};
    std::uint64_t out = 0;
    for (int byte = 0; byte < 8; ++byte) out = out << 8 | kEdges[random_() % std::size(kEdges)];
    return static_cast<std::int64_t>(out);
  }

  InputClass kind_;
  const BufferTraits& traits_;
  Whole whole_;
  Random& random_;
  std::span<const std::int64_t> thresholds_;
  std::int64_t low_ = 0, high_ = 3;
  std::size_t count_ = 0, drawn_ = 0;  ///< elements
  std::optional<std::int64_t> equal_;  ///< what the second half of ties holds
};

void draw_whole(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
                Random& random, std::vector<std::byte>& out, const Thresholds& thresholds) {
  const Whole whole(traits.element);
  std::vector<std::int64_t> values = whole.all(captured);
  if (traits.role == Role::structure) {
    const bool stay_sorted = !traits.any_order || kind == InputClass::again;
    values = structured(std::move(values), traits.stay_distinct, stay_sorted, random);
    // What stands for "none" in a table of indices, where the baseline looks for it.
    for (std::int64_t& value : values) {
      if (kind == InputClass::special && random() % 8 == 0) value = -1;
    }
  } else {
    WholeDraw one(kind, traits, values, random, thresholds.whole);
    for (std::size_t i = 0; i < values.size() && is_wanted(i); ++i) values[i] = one.value();
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    whole.put(values[i], out.data() + i * whole.size());
}

/// Of mixed contents: the dwords that look like floats are drawn within their range, the others as the role says.
void draw_mixed(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
                Random& random, std::vector<std::byte>& out, const Thresholds& thresholds) {
  std::vector<std::byte> floats;
  for (std::size_t at = 0; at + 4 <= captured.size() && is_wanted(at); at += 4) {
    if (looks_like_float(read_as<std::uint32_t>(captured.data() + at)))
      floats.insert(floats.end(), captured.begin() + static_cast<std::ptrdiff_t>(at),
                    captured.begin() + static_cast<std::ptrdiff_t>(at + 4));
  }
  FloatDraw one(kind, Element::f32, finite_range(Element::f32, floats), floats.size() / 4, random,
                thresholds);
  for (std::size_t at = 0; at + 4 <= captured.size() && is_wanted(at); at += 4) {
    const auto word = read_as<std::uint32_t>(captured.data() + at);
    if (looks_like_float(word)) {
      one.put(out.data() + at);
    } else if (traits.role == Role::value) {
      const auto bits = static_cast<std::uint32_t>(random());
      std::memcpy(out.data() + at, &bits, 4);
    }
  }
}

}  // namespace

double near_threshold(double threshold, Random& random) {
  const double a_little = std::exp2(-4 - 16 * share(random));
  const double side = random() % 4 == 0 ? -threshold : threshold;
  switch (random() % 6) {
    case 0:
      return side;
    case 1:
      return side * (1 - a_little);
    case 2:
    case 3:
      return side * (1 + a_little);
    default:
      return side * std::exp2(3 * share(random));
  }
}

bool draw(InputClass kind, const BufferTraits& traits, std::span<const std::byte> captured,
          Random& random, std::vector<std::byte>& out, const Thresholds& thresholds) {
  out.assign(captured.begin(), captured.end());
  if (traits.role == Role::fixed || kind == InputClass::captured) return false;
  // What sizes and launches are tried with are usual values.
  if (kind == InputClass::sizes || kind == InputClass::larger || kind == InputClass::moved ||
      kind == InputClass::launch)
    kind = InputClass::again;
  if (has_few_values(kind) || kind == InputClass::residues) {
    draw(InputClass::again, traits, captured, random, out);
    kind == InputClass::residues ? put_residues(traits, thresholds.whole, random, out)
                                 : keep_few(kind, traits, captured, random, out);
    return !std::ranges::equal(out, captured);
  }
  if (traits.mixed) {
    draw_mixed(kind, traits, captured, random, out, thresholds);
  } else if (is_float(traits.element)) {
    if (traits.role == Role::structure) kind = InputClass::again;
    const std::size_t size = size_of(traits.element);
    FloatDraw one(kind, traits.element, finite_range(traits.element, captured),
                  captured.size() / size, random, thresholds);
    for (std::size_t at = 0; at + size <= out.size() && is_wanted(at); at += size)
      one.put(out.data() + at);
  } else {
    draw_whole(kind, traits, captured, random, out, thresholds);
  }
  return !std::ranges::equal(out, captured);
}

bool draw_any(const BufferTraits& traits, std::span<const std::byte> captured, Random& random,
              std::vector<std::byte>& out) {
  if (traits.mixed || is_float(traits.element)) {
    BufferTraits free = traits;
    free.role = Role::value;
    return draw(InputClass::wide, free, captured, random, out);
  }
  out.resize(captured.size());
  for (std::size_t at = 0; at < out.size() && is_wanted(at); ++at)
    out[at] = static_cast<std::byte>(random());
  return !std::ranges::equal(out, captured);
}

}  // namespace rpl
