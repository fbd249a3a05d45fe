// SPDX-License-Identifier: MIT
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

constexpr unsigned kHalf = 32;

[[gnu::always_inline]] inline void fill_body(std::uint32_t* to, std::uint32_t value) {
  for (unsigned i = 0; i < kLanes; ++i) to[i] = value;
}
[[gnu::always_inline]] inline void expand_body(std::uint32_t* to, std::uint64_t mask) {
  const auto low = static_cast<std::uint32_t>(mask),
             high = static_cast<std::uint32_t>(mask >> kHalf);
  for (unsigned i = 0; i < kHalf; ++i) to[i] = low >> i & 1U;
  for (unsigned i = 0; i < kHalf; ++i) to[i + kHalf] = high >> i & 1U;
}
[[gnu::always_inline]] inline void blend_body(std::uint32_t* to, const std::uint32_t* from,
                                              std::uint64_t mask) {
  const auto low = static_cast<std::uint32_t>(mask),
             high = static_cast<std::uint32_t>(mask >> kHalf);
  for (unsigned i = 0; i < kHalf; ++i) to[i] = (low >> i & 1U) != 0 ? from[i] : to[i];
  for (unsigned i = 0; i < kHalf; ++i)
    to[i + kHalf] = (high >> i & 1U) != 0 ? from[i + kHalf] : to[i + kHalf];
}

// An unaligned dword, which the compiler may gather.
using Dword [[gnu::aligned(1), gnu::may_alias]] = std::uint32_t;

[[gnu::always_inline]] inline void gather_body(std::uint32_t* to, const std::byte* base,
                                               const std::uint64_t* offset) {
  for (unsigned i = 0; i < kLanes; ++i) to[i] = *reinterpret_cast<const Dword*>(base + offset[i]);
}

void fill_base(std::uint32_t* to, std::uint32_t value) { fill_body(to, value); }
void expand_base(std::uint32_t* to, std::uint64_t mask) { expand_body(to, mask); }
void blend_base(std::uint32_t* to, const std::uint32_t* from, std::uint64_t mask) {
  blend_body(to, from, mask);
}
void gather_base(std::uint32_t* to, const std::byte* base, const std::uint64_t* offset) {
  gather_body(to, base, offset);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void gather_v3(std::uint32_t* __restrict to,
                                                 const std::byte* base,
                                                 const std::uint64_t* __restrict offset) {
  gather_body(to, base, offset);
}
[[gnu::target("arch=x86-64-v4")]] void gather_v4(std::uint32_t* __restrict to,
                                                 const std::byte* base,
                                                 const std::uint64_t* __restrict offset) {
  gather_body(to, base, offset);
}
[[gnu::target("arch=x86-64-v3")]] void fill_v3(std::uint32_t* to, std::uint32_t value) {
  fill_body(to, value);
}
[[gnu::target("arch=x86-64-v3")]] void expand_v3(std::uint32_t* to, std::uint64_t mask) {
  expand_body(to, mask);
}
[[gnu::target("arch=x86-64-v3")]] void blend_v3(std::uint32_t* to, const std::uint32_t* from,
                                                std::uint64_t mask) {
  blend_body(to, from, mask);
}
[[gnu::target("arch=x86-64-v4")]] void fill_v4(std::uint32_t* to, std::uint32_t value) {
  fill_body(to, value);
}
[[gnu::target("arch=x86-64-v4")]] void expand_v4(std::uint32_t* to, std::uint64_t mask) {
  expand_body(to, mask);
}
[[gnu::target("arch=x86-64-v4")]] void blend_v4(std::uint32_t* to, const std::uint32_t* from,
                                                std::uint64_t mask) {
  blend_body(to, from, mask);
}
#endif

Primitives choose() {
#if defined(__x86_64__)
  if (processor_level() == 4) return {fill_v4, expand_v4, blend_v4, gather_v4};
  if (processor_level() == 3) return {fill_v3, expand_v3, blend_v3, gather_v3};
#endif
  return {fill_base, expand_base, blend_base, gather_base};
}

}  // namespace

const Primitives& primitives() {
  static const Primitives chosen = choose();
  return chosen;
}

}  // namespace rpl::emu
