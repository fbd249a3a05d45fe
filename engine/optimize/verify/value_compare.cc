// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/value_compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/base/half.h"
#include "engine/base/interrupt.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

struct F16 {
  std::uint16_t bits;
};
struct Bf16 {
  std::uint16_t bits;
};

double number(F16 value) { return static_cast<double>(emu::to_float(emu::Half{value.bits})); }
double number(Bf16 value) {
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{value.bits} << 16));
}
template <class T>
double number(T value) {
  return static_cast<double>(value);
}

template <class T>
constexpr bool kIsFloat =
    std::is_floating_point_v<T> || std::is_same_v<T, F16> || std::is_same_v<T, Bf16>;

template <class T>
T at(std::span<const std::byte> bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

/// Position among all values of the type, so that neighbours differ by one and both zeros are the same.
template <class T>
std::int64_t rank(T value) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;
  const Bits bits = std::bit_cast<Bits>(value);
  const auto lowest = static_cast<std::int64_t>(std::numeric_limits<Bits>::min());
  return bits >= 0 ? std::int64_t{bits} : lowest - std::int64_t{bits};
}

template <class T>
double root_mean_square(std::span<const std::byte> bytes) {
  double sum = 0;
  std::uint64_t finite = 0;
  const std::uint64_t count = bytes.size() / sizeof(T);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = number(at<T>(bytes, i));
    if (!std::isfinite(value)) continue;
    sum += value * value;
    ++finite;
  }
  return finite == 0 ? 0 : std::sqrt(sum / static_cast<double>(finite));
}

template <class T>
void note_distance(T expected, T found, ValueComparison& out) {
  const double wanted = number(expected), got = number(found);
  if (!std::isfinite(wanted) || !std::isfinite(got)) return;
  const double distance = std::abs(got - wanted);
  out.max_absolute = std::max(out.max_absolute, distance);
  if (wanted != 0) out.max_relative = std::max(out.max_relative, distance / std::abs(wanted));
  if constexpr (kIsFloat<T>) {
    const auto steps =
        static_cast<std::uint64_t>(rank(expected)) - static_cast<std::uint64_t>(rank(found));
    out.max_ulp = std::max(out.max_ulp, std::min(steps, std::uint64_t{0} - steps));
  }
}

template <class T>
bool agrees(T expected, T found, const Tolerance& tolerance, double slack) {
  if (std::memcmp(&expected, &found, sizeof(T)) == 0) return true;
  if (!kIsFloat<T>) return false;
  // Which of two NaN an operation hands on depends on the order of its operands, which nobody chose.
  const double wanted = number(expected), got = number(found);
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  if (tolerance.exact) return false;
  if (std::isinf(wanted) || std::isinf(got)) return wanted == got;
  return std::abs(got - wanted) <= tolerance.relative * std::abs(wanted) + slack;
}

template <class T>
ValueComparison compare_as(Element element, std::span<const std::byte> expected,
                           std::span<const std::byte> found, const Tolerance& tolerance) {
  ValueComparison out;
  out.elements = expected.size() / sizeof(T);
  if (std::memcmp(expected.data(), found.data(), expected.size()) == 0) return out;
  const double slack =
      tolerance.absolute +
      (tolerance.rms_share > 0 ? tolerance.rms_share * root_mean_square<T>(expected) : 0);
  for (std::uint64_t i = 0; i < out.elements; ++i) {
    if (i % interrupt::kRowsBetweenChecks == 0 && interrupt::pending()) {
      ++out.mismatches;
      break;
    }
    const T wanted = at<T>(expected, i), got = at<T>(found, i);
    note_distance(wanted, got, out);
    const double more = i < tolerance.each.size()
                            ? tolerance.each_factor * static_cast<double>(tolerance.each[i])
                            : 0;
    // What vanished in the baseline may be there in a candidate whose intermediate results are smaller.
    const bool vanished = number(wanted) == 0 && std::abs(number(got)) < tolerance.underflow;
    if (vanished || std::isinf(more) || agrees(wanted, got, tolerance, slack + more)) continue;
    if (out.mismatches++ > 0) continue;
    out.first_index = i;
    out.first_expected = element_text(element, expected.data() + i * sizeof(T));
    out.first_found = element_text(element, found.data() + i * sizeof(T));
  }
  return out;
}

template <class T>
Bias bias_as(std::span<const std::byte> expected, std::span<const std::byte> found) {
  Bias out;
  std::vector<double> by;
  const std::uint64_t count = expected.size() / sizeof(T);
  by.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double wanted = number(at<T>(expected, i)), got = number(at<T>(found, i));
    const double share = (got - wanted) / wanted;
    if (std::isnormal(wanted) && std::isnormal(got) && std::isfinite(share)) by.push_back(share);
  }
  out.elements = by.size();
  // Where numbers cancel each other few elements differ by much, to either side.
  std::ranges::sort(by);
  const std::span<const double> middle =
      std::span(by).subspan(by.size() / 10, by.size() - 2 * (by.size() / 10));
  if (middle.size() < 2) return out;
  double sum = 0, squares = 0;
  for (const double share : middle) sum += share;
  const auto n = static_cast<double>(middle.size());
  out.mean = sum / n;
  for (const double share : middle) squares += (share - out.mean) * (share - out.mean);
  out.error = std::sqrt(squares / (n - 1) / n);
  return out;
}

/// Calls `work` with a value of the C++ type that holds one element.
template <class Work>
auto with_type(Element element, const Work& work) {
  switch (element) {
    case Element::i8:
      return work(std::int8_t{});
    case Element::u8:
      return work(std::uint8_t{});
    case Element::i16:
      return work(std::int16_t{});
    case Element::u16:
      return work(std::uint16_t{});
    case Element::i32:
      return work(std::int32_t{});
    case Element::u32:
      return work(std::uint32_t{});
    case Element::i64:
      return work(std::int64_t{});
    case Element::u64:
      return work(std::uint64_t{});
    case Element::f16:
      return work(F16{});
    case Element::bf16:
      return work(Bf16{});
    case Element::f32:
      return work(float{});
    case Element::f64:
      break;
  }
  return work(double{});
}

}  // namespace

Tolerance default_tolerance(Element element) {
  switch (element) {
    case Element::f64:
      return {.relative = 1e-12, .rms_share = 1e-13};
    case Element::f32:
      return {.relative = 1e-5, .rms_share = 1e-6};
    case Element::f16:
      return {.relative = 1e-3, .rms_share = 1e-4};
    case Element::bf16:
      return {.relative = 1e-2, .rms_share = 1e-3};
    default:
      return {.exact = true};
  }
}

Bias bias_of(Element element, std::span<const std::byte> expected,
             std::span<const std::byte> found) {
  if (!is_float(element) || expected.size() != found.size()) return {};
  if (std::memcmp(expected.data(), found.data(), expected.size()) == 0) return {};
  return with_type(element, [&](auto type) { return bias_as<decltype(type)>(expected, found); });
}

double unit_in_last_place(Element element) {
  switch (element) {
    case Element::f64:
      return 0x1p-52;
    case Element::f32:
      return 0x1p-23;
    case Element::f16:
      return 0x1p-10;
    case Element::bf16:
      return 0x1p-7;
    default:
      return 0;
  }
}

ValueComparison compare_values(Element element, std::span<const std::byte> expected,
                               std::span<const std::byte> found, const Tolerance& tolerance) {
  return with_type(element, [&](auto type) {
    return compare_as<decltype(type)>(element, expected, found, tolerance);
  });
}

}  // namespace rpl
