// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

/// The floats of 8, 6 and 4 bits by their tables: every code's number from the definitions of the Open Compute Project, and conversions by looking
/// through all of them.
namespace rpl::emu::small_oracle {

/// Words that are the same in every run.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

struct Format {
  int exponent_bits, mantissa_bits, bias;
  bool ieee;       ///< infinities and NaNs with the largest exponent
  bool only_nans;  ///< both codes with all ones below the sign are NaNs
};

inline Format format_named(std::string_view name) {
  if (name == "fp8") return {4, 3, 7, false, true};
  if (name == "bf8") return {5, 2, 15, true, false};
  if (name == "fp6") return {2, 3, 1, false, false};
  if (name == "bf6") return {3, 2, 3, false, false};
  return {2, 1, 1, false, false};
}
inline int bits_of(const Format& f) { return 1 + f.exponent_bits + f.mantissa_bits; }

inline double number_of(const Format& f, unsigned code) {
  const unsigned mantissas = 1U << f.mantissa_bits, exponents = 1U << f.exponent_bits;
  const unsigned mantissa = code % mantissas, exponent = code / mantissas % exponents;
  const bool negative = code / mantissas / exponents % 2 != 0;
  double value = exponent == 0 ? mantissa * std::pow(2.0, 1 - f.bias) / mantissas
                               : (1.0 + mantissa * 1.0 / mantissas) *
                                     std::pow(2.0, static_cast<int>(exponent) - f.bias);
  if (f.ieee && exponent == exponents - 1)
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  if (f.only_nans && exponent == exponents - 1 && mantissa == mantissas - 1)
    value = std::numeric_limits<double>::quiet_NaN();
  return negative ? -value : value;
}

/// The finite magnitudes, ascending: the code is the index.
inline std::vector<double> magnitudes(const Format& f) {
  std::vector<double> all;
  for (unsigned code = 0; code < 1U << (bits_of(f) - 1); ++code)
    if (const double value = number_of(f, code); std::isfinite(value)) all.push_back(value);
  return all;
}

/// The codes that a conversion may give: one of nearest even, two neighbours where it rounds at random.
struct Codes {
  unsigned first = 0, second = 0;
  [[nodiscard]] bool contain(unsigned code) const { return code == first || code == second; }
};

inline Codes codes_of(const Format& f, double value, bool stochastic, bool saturate) {
  const auto all = magnitudes(f);
  const unsigned sign = std::signbit(value) ? 1U << (bits_of(f) - 1) : 0;
  const auto last = static_cast<unsigned>(all.size() - 1);
  const bool has_nan = f.ieee || f.only_nans;
  const auto both = [&](unsigned code) { return Codes{sign | code, sign | code}; };
  if (std::isnan(value)) return both(has_nan ? (1U << (bits_of(f) - 1)) - 1 : last);
  const unsigned beyond = saturate || !has_nan ? last : last + 1;
  const double magnitude = std::fabs(value), step = all[last] - all[last - 1];
  if (std::isinf(value)) return both(beyond);
  if (stochastic) {
    unsigned below = 0;
    while (below < last && all[below + 1] <= magnitude) ++below;
    const bool exact = all[below] == magnitude;
    if (magnitude >= all[last] + step) return both(beyond);
    return {sign | below, sign | (exact ? below : below == last ? beyond : below + 1)};
  }
  // The next number, if there were one, decides where too large begins.
  if (magnitude > all[last] + step / 2 || (magnitude == all[last] + step / 2 && last % 2 == 1))
    return both(beyond);
  unsigned nearest = 0;
  for (unsigned code = 1; code <= last; ++code) {
    const double old = std::fabs(all[nearest] - magnitude), now = std::fabs(all[code] - magnitude);
    if (now < old || (now == old && code % 2 == 0)) nearest = code;
  }
  return both(nearest);
}

}  // namespace rpl::emu::small_oracle
