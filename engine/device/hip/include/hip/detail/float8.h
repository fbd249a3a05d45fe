/* SPDX-License-Identifier: MIT */
/* Eight-bit floats as bits: the two formats of the Open Compute Project's "OFP8 Formats Specification" and the two without infinities and negative zero
 * (FNUZ) that gfx942 has. Alone: it needs nothing of HIP. */
#pragma once

#if defined(__HIP__)
#define RPL_HIP_FLOAT8 __attribute__((host)) __attribute__((device)) inline
#else
#define RPL_HIP_FLOAT8 inline
#endif

/** One format: bits of the mantissa, bias, the code of the largest number, and the codes (without a sign) of what is too large and of no number. */
struct rpl_hip_float8_format {
  int mantissa, bias;
  unsigned char largest, overflow, nan;
  bool fnuz;
};

RPL_HIP_FLOAT8 rpl_hip_float8_format rpl_hip_float8_of(int interpretation) {
  const rpl_hip_float8_format e4m3 = {3, 7, 0x7e, 0x7f, 0x7f, false}, e5m2 = {2, 15, 0x7b, 0x7c, 0x7e, false},
                              e4m3_fnuz = {3, 8, 0x7f, 0x80, 0x80, true}, e5m2_fnuz = {2, 16, 0x7f, 0x80, 0x80, true};
  return interpretation == 0 ? e4m3 : interpretation == 1 ? e5m2 : interpretation == 2 ? e4m3_fnuz : e5m2_fnuz;
}

/** Rounds to nearest, ties to even; what is then beyond the largest number becomes that (`saturate`), or what the format has for it. */
RPL_HIP_FLOAT8 unsigned char rpl_hip_float8_encode(double value, bool saturate, int interpretation) {
  const rpl_hip_float8_format format = rpl_hip_float8_of(interpretation);
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
  const unsigned long long fraction = bits & ((1ull << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const unsigned beyond = saturate ? (sign | format.largest) : format.fnuz ? 0x80u : (sign | format.overflow);
  if (exponent == 1024) {
    if (fraction != 0) return static_cast<unsigned char>(format.fnuz ? 0x80u : (sign | format.nan));
    return static_cast<unsigned char>(beyond);
  }
  const int least = 1 - format.bias;
  const int at = exponent < least ? least : exponent;
  const int drop = 52 - format.mantissa + (at - exponent);
  const unsigned zero = format.fnuz ? 0u : sign;
  if (drop > 53) return static_cast<unsigned char>(zero); /* less than half of the smallest; zero and subnormal doubles too */
  const unsigned long long whole = fraction | 1ull << 52, kept = whole >> drop, half = 1ull << (drop - 1), rest = whole & ((half << 1) - 1);
  const unsigned long long rounded = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  const unsigned long long code = (static_cast<unsigned long long>(at - least) << format.mantissa) + rounded;
  if (code > format.largest) return static_cast<unsigned char>(beyond);
  return static_cast<unsigned char>(code == 0 ? zero : (sign | static_cast<unsigned>(code)));
}

/** Exact. */
RPL_HIP_FLOAT8 float rpl_hip_float8_decode(unsigned char code, int interpretation) {
  const rpl_hip_float8_format format = rpl_hip_float8_of(interpretation);
  const unsigned sign = static_cast<unsigned>(code >> 7) << 31, magnitude = code & 0x7fu;
  unsigned bits = 0;
  if (format.fnuz ? code == 0x80 : magnitude > format.largest) {
    const bool infinite = !format.fnuz && format.overflow != format.nan && magnitude == format.overflow;
    bits = infinite ? (sign | 0x7f800000u) : (sign | 0x7fc00000u);
  } else if (magnitude >> format.mantissa != 0) {
    bits = sign | (magnitude << (23 - format.mantissa)) + (static_cast<unsigned>(127 - format.bias) << 23);
  } else {
    /* The quantum of subnormal numbers is a normal float. */
    unsigned quantum = static_cast<unsigned>(127 + 1 - format.bias - format.mantissa) << 23;
    float step;
    __builtin_memcpy(&step, &quantum, sizeof(step));
    const float out = step * static_cast<float>(magnitude);
    return sign != 0 ? -out : out;
  }
  float out;
  __builtin_memcpy(&out, &bits, sizeof(out));
  return out;
}
