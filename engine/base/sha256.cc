// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace rpl {
namespace {

using HashState = std::array<std::uint32_t, 8>;

// Fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2).
alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// Fractional parts of the square roots of the first 8 primes (§5.3.3).
constexpr HashState kInitial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::uint32_t big_endian_word(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | std::uint32_t{bytes[3]};
}

void add_block(HashState& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian_word(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const HashState added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

#if defined(__x86_64__)
// The instructions take the eight words in two registers, ABEF and CDGH, highest word first.
[[gnu::target("sha,sse4.1,ssse3")]] void add_blocks_by_instructions(HashState& state,
                                                                    const unsigned char* at,
                                                                    std::size_t count) {
  const auto load = [](const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(load(&state[0]), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; count > 0; --count, at += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      __m128i& next = w[i % 4];
      if (i < 4) {
        next = _mm_shuffle_epi8(load(at + 16 * i), big_endian);
      } else {
        const __m128i seven_back = _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4);
        next = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(next, w[(i + 1) % 4]), seven_back), w[(i + 3) % 4]);
      }
      const __m128i sums = _mm_add_epi32(next, load(&kRound[static_cast<std::size_t>(4 * i)]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i abfe = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i ghcd = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(abfe, ghcd, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(ghcd, abfe, 8));
}

// Leaf 1: SSSE3 is bit 9 of ECX, SSE4.1 bit 19; leaf 7: SHA is bit 29 of EBX.
bool look_for_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c >> 9 & 1) == 0 || (c >> 19 & 1) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0;
}
#else
void add_blocks_by_instructions(HashState&, const unsigned char*, std::size_t) {}
bool look_for_instructions() { return false; }
#endif

}  // namespace

bool Sha256::has_instructions() {
  static const bool found = look_for_instructions();
  return found;
}

Sha256::Sha256(Code code)
    : state_(kInitial), instructions_(code == Code::fastest && has_instructions()) {}

void Sha256::add_blocks(const unsigned char* blocks, std::size_t count) {
  if (instructions_) return add_blocks_by_instructions(state_, blocks, count);
  for (std::size_t i = 0; i < count; ++i) add_block(state_, blocks + i * kBlockBytes);
}

void Sha256::add(std::span<const std::byte> bytes) {
  const std::size_t held = bytes_ % kBlockBytes;
  bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t taken = std::min(bytes.size(), kBlockBytes - held);
    std::memcpy(rest_.data() + held, bytes.data(), taken);
    if (held + taken < kBlockBytes) return;
    add_blocks(rest_.data(), 1);
    bytes = bytes.subspan(taken);
  }
  const std::size_t whole = bytes.size() / kBlockBytes;
  add_blocks(reinterpret_cast<const unsigned char*>(bytes.data()), whole);
  bytes = bytes.subspan(whole * kBlockBytes);
  if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  // The end of the message: 0x80, zeros, and the length in bits, to a whole block.
  const std::uint64_t bits = bytes_ * 8;
  std::array<std::byte, 2 * kBlockBytes> pad{std::byte{0x80}};
  const std::size_t held = bytes_ % kBlockBytes;
  const std::size_t end = (held < kBlockBytes - 8 ? kBlockBytes : 2 * kBlockBytes) - held;
  for (std::size_t i = 0; i < 8; ++i) pad[end - 1 - i] = static_cast<std::byte>(bits >> 8 * i);
  add(std::span(pad).first(end));
  std::string out;
  for (const std::uint32_t word : state_) out += fmt::format("{:08x}", word);
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return hash.hex();
}

}  // namespace rpl
