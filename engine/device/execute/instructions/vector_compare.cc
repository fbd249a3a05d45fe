// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/float_math.h"

namespace rpl::emu {
namespace {

template <class T>
auto number(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_float(value);
  } else {
    return value;
  }
}

template <class T>
void add_ordered(std::vector<VectorEntry>& out, std::string_view type) {
  const auto add = [&](std::string_view relation, VectorEntry entry) {
    entry.name = fmt::format("v_cmp_{}_{}", relation, type);
    out.push_back(entry);
  };
  add("f", compare_entry([](T, T) { return false; }, ""));
  add("lt", compare_entry([](T a, T b) { return number(a) < number(b); }, ""));
  add("eq", compare_entry([](T a, T b) { return number(a) == number(b); }, ""));
  add("le", compare_entry([](T a, T b) { return number(a) <= number(b); }, ""));
  add("gt", compare_entry([](T a, T b) { return number(a) > number(b); }, ""));
  add("ge", compare_entry([](T a, T b) { return number(a) >= number(b); }, ""));
}

template <class T>
void add_integers(std::vector<VectorEntry>& out, std::string_view type) {
  add_ordered<T>(out, type);
  const auto add = [&](std::string_view relation, VectorEntry entry) {
    entry.name = fmt::format("v_cmp_{}_{}", relation, type);
    out.push_back(entry);
  };
  add("ne", compare_entry([](T a, T b) { return a != b; }, ""));
  add("t", compare_entry([](T, T) { return true; }, ""));
}

template <class T>
void add_floats(std::vector<VectorEntry>& out, std::string_view type) {
  add_ordered<T>(out, type);
  const auto add = [&](std::string_view relation, VectorEntry entry) {
    entry.name = fmt::format("v_cmp_{}_{}", relation, type);
    out.push_back(entry);
  };
  add("lg",
      compare_entry([](T a, T b) { return number(a) < number(b) || number(a) > number(b); }, ""));
  add("o",
      compare_entry([](T a, T b) { return number(a) == number(a) && number(b) == number(b); }, ""));
  add("u",
      compare_entry([](T a, T b) { return number(a) != number(a) || number(b) != number(b); }, ""));
  add("nge", compare_entry([](T a, T b) { return !(number(a) >= number(b)); }, ""));
  add("nlg", compare_entry(
                 [](T a, T b) { return !(number(a) < number(b) || number(a) > number(b)); }, ""));
  add("ngt", compare_entry([](T a, T b) { return !(number(a) > number(b)); }, ""));
  add("nle", compare_entry([](T a, T b) { return !(number(a) <= number(b)); }, ""));
  add("neq", compare_entry([](T a, T b) { return number(a) != number(b); }, ""));
  add("nlt", compare_entry([](T a, T b) { return !(number(a) < number(b)); }, ""));
  add("tru", compare_entry([](T, T) { return true; }, ""));
}

// One bit of the mask for each class of number: signalling and quiet NaN, then -inf, -normal, -denormal, -0 and the
// positive ones upwards.
template <class T>
bool in_class(T a, std::uint32_t mask) {
  const auto bits = std::bit_cast<BitsOf<T>>(a);
  if (a != a) {
    const bool quiet = (bits >> (kMantissaBits<T> - 1) & 1) != 0;
    return (mask >> (quiet ? 1 : 0) & 1) != 0;
  }
  const int kind = std::isinf(a) ? 0 : a == T(0) ? 3 : is_denormal(a) ? 2 : 1;
  return (mask >> (std::signbit(a) ? 2 + kind : 9 - kind) & 1) != 0;
}

bool half_in_class(Half a, std::uint32_t mask) {
  const unsigned magnitude = a.bits & 0x7fffU;
  const bool negative = (a.bits & 0x8000U) != 0;
  if (magnitude > 0x7c00U) return (mask >> ((magnitude & 0x200U) != 0 ? 1 : 0) & 1) != 0;
  const int kind = magnitude == 0x7c00U ? 0 : magnitude == 0 ? 3 : magnitude < 0x400U ? 2 : 1;
  return (mask >> (negative ? 2 + kind : 9 - kind) & 1) != 0;
}

}  // namespace

std::vector<VectorEntry> compare_entries() {
  std::vector<VectorEntry> entries;
  add_integers<std::int16_t>(entries, "i16");
  add_integers<std::uint16_t>(entries, "u16");
  add_integers<std::int32_t>(entries, "i32");
  add_integers<std::uint32_t>(entries, "u32");
  add_integers<std::int64_t>(entries, "i64");
  add_integers<std::uint64_t>(entries, "u64");
  add_floats<Half>(entries, "f16");
  add_floats<float>(entries, "f32");
  add_floats<double>(entries, "f64");
  entries.push_back(
      compare_entry([](float a, std::uint32_t b) { return in_class(a, b); }, "v_cmp_class_f32"));
  entries.push_back(
      compare_entry([](double a, std::uint32_t b) { return in_class(a, b); }, "v_cmp_class_f64"));
  entries.push_back(compare_entry([](Half a, std::uint16_t b) { return half_in_class(a, b); },
                                  "v_cmp_class_f16"));
  for (auto& entry : entries) entry.keeps_denormals = entry.name.starts_with("v_cmp_class");
  return entries;
}

}  // namespace rpl::emu
