// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/half_math.h"

/// The f16 operations that exist for one half and for packed pairs, as functions of how they round.
namespace rpl::emu::halves {

template <class Round>
struct Add {
  using W = typename Round::Wide;
  Half operator()(Half a, Half b) const {
    const W x = to_float(a), y = to_float(b);
    return Round::sum(result_of(x + y, x, y), x, y);
  }
};
template <class Round>
struct Sub {
  using W = typename Round::Wide;
  Half operator()(Half a, Half b) const {
    const W x = to_float(a), y = to_float(b);
    return Round::sum(result_of(x - y, x, y), x, -y);
  }
};
template <class Round>
struct SubRev {
  Half operator()(Half a, Half b) const { return Sub<Round>()(b, a); }
};
template <class Round>
struct Mul {
  using W = typename Round::Wide;
  Half operator()(Half a, Half b) const {
    const W x = to_float(a), y = to_float(b);
    return Round::half(result_of(x * y, x, y));
  }
};
template <class Round>
struct Fma {
  Half operator()(Half a, Half b, Half c) const {
    const double x = to_double(a), y = to_double(b), z = to_double(c);
    return Round::sum(result_of(half_product_sum(x, y, z), x, y, z), x * y, z);
  }
};
/// The product is rounded before the sum is.
template <class Round>
struct Mad {
  Half operator()(Half a, Half b, Half c) const {
    const Half product = without_denormal(Mul<Round>()(without_denormal(a), without_denormal(b)));
    return without_denormal(Add<Round>()(product, without_denormal(c)));
  }
};
template <class Round>
struct Min {
  Half operator()(Half a, Half b) const { return half_minimum<Round>(a, b); }
};
template <class Round>
struct Max {
  Half operator()(Half a, Half b) const { return half_maximum<Round>(a, b); }
};

/// The same on both halves of a dword.
template <template <class> class F, class Round>
struct Pair2 {
  HalfPair operator()(HalfPair a, HalfPair b) const {
    const Half low = F<Round>()(Half{static_cast<std::uint16_t>(a.bits)},
                                Half{static_cast<std::uint16_t>(b.bits)});
    const Half high = F<Round>()(Half{static_cast<std::uint16_t>(a.bits >> 16)},
                                 Half{static_cast<std::uint16_t>(b.bits >> 16)});
    return {low.bits | std::uint32_t{high.bits} << 16};
  }
};
template <template <class> class F, class Round>
struct Pair3 {
  HalfPair operator()(HalfPair a, HalfPair b, HalfPair c) const {
    const Half low = F<Round>()(Half{static_cast<std::uint16_t>(a.bits)},
                                Half{static_cast<std::uint16_t>(b.bits)},
                                Half{static_cast<std::uint16_t>(c.bits)});
    const Half high = F<Round>()(Half{static_cast<std::uint16_t>(a.bits >> 16)},
                                 Half{static_cast<std::uint16_t>(b.bits >> 16)},
                                 Half{static_cast<std::uint16_t>(c.bits >> 16)});
    return {low.bits | std::uint32_t{high.bits} << 16};
  }
};

/// An entry for F<Nearest>, with F<ByMode> for other modes.
template <template <class> class F>
VectorEntry entry(std::string name) {
  VectorEntry out = vector_entry(F<Nearest>{}, std::move(name));
  out.by_mode = lane_function<F<ByMode>{}>();
  return out;
}
template <template <template <class> class, class> class P, template <class> class F>
VectorEntry pair_entry(std::string name) {
  VectorEntry out = vector_entry(P<F, Nearest>{}, std::move(name));
  out.by_mode = lane_function<P<F, ByMode>{}>();
  return out;
}

}  // namespace rpl::emu::halves
