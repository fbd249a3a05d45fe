// SPDX-License-Identifier: MIT
// Bits, conversions, mathematics, votes and atomics in one kernel each; every result is also known to the host.
#include <cmath>
#include <cstring>
#include <vector>

#include "check.h"

__global__ void bits(unsigned* out, unsigned long long* wide, unsigned x) {
  if (threadIdx.x != 0) return;
  out[0] = __popc(x);
  out[1] = __clz(static_cast<int>(x));
  out[2] = __ffs(x);
  out[3] = __brev(x);
  out[4] = __byte_perm(x, ~x, 0x5140);
  out[5] = __umulhi(x, x);
  out[6] = static_cast<unsigned>(__mulhi(static_cast<int>(x), -3));
  out[7] = __umul24(x, x);
  out[8] = __sad(-5, 7, 100);
  out[9] = __uhadd(0x7fffffffu, 0x7ffffffdu);
  out[10] = __bitextract_u32(x, 4, 8);
  out[11] = __bitinsert_u32(x, 0xab, 8, 8);
  out[12] = __ffs(0);
  out[13] = __clz(0);
  wide[0] = __popcll(0x8000000000000001ull);
  wide[1] = __brevll(1);
  wide[2] = __umul64hi(1ull << 63, 6);
  wide[3] = static_cast<unsigned long long>(__mul64hi(-(1ll << 62), 8));
  wide[4] = __bitextract_u64(0x123456789abcdef0ull, 60, 4);
  wide[5] = __clzll(1);
  wide[6] = __ffsll(1ull << 40);
}

__global__ void convert(int* out, double* wide, float x, double y) {
  if (threadIdx.x != 0) return;
  out[0] = __float2int_rn(x);
  out[1] = __float2int_rz(x);
  out[2] = __float2int_ru(x);
  out[3] = __float2int_rd(x);
  out[4] = __float_as_int(x);
  out[5] = __double2int_rz(y);
  out[6] = __double2hiint(y);
  out[7] = __double2loint(y);
  wide[0] = __hiloint2double(__double2hiint(y), __double2loint(y));
  wide[1] = __int_as_float(__float_as_int(x));
  wide[2] = __longlong_as_double(__double_as_longlong(y));
  wide[3] = __int2float_rn(-12345);
}

__global__ void mathematics(float* out, double* wide, float x, double y) {
  if (threadIdx.x != 0) return;
  out[0] = sinf(x);
  out[1] = expf(x);
  out[2] = powf(x, 1.5f);
  out[3] = sqrtf(x);
  out[4] = rsqrtf(x);
  out[5] = fmaf(x, x, 1.0f);
  out[6] = fminf(x, 0.5f);
  out[7] = floorf(x);
  out[8] = std::log(x);
  out[9] = max(x, 2.0f);
  out[10] = atan2f(x, 2.0f);
  out[11] = tanhf(x);
  wide[0] = cos(y);
  wide[1] = exp(y);
  wide[2] = pow(y, 2.5);
  wide[3] = sqrt(y);
  wide[4] = erf(y);
  wide[5] = fma(y, y, 1.0);
}

__global__ void votes(unsigned long long* out, int* counts) {
  const int lane = static_cast<int>(threadIdx.x);
  const unsigned long long odd = __ballot(lane & 1);
  const int some = __any(lane == 13), every = __all(lane < 64), not_every = __all(lane != 5);
  const int higher = __syncthreads_count(lane >= 48), both = __syncthreads_and(lane >= 0), one = __syncthreads_or(lane == 200);
  if (lane != 0) return;
  out[0] = odd;
  out[1] = __popcll(odd);
  counts[0] = some;
  counts[1] = every;
  counts[2] = not_every;
  counts[3] = higher;
  counts[4] = both != 0;
  counts[5] = one != 0;
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* w, float* f, double* d) {
  const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&i[0], 1);
  atomicSub(&i[1], 2);
  atomicMin(&i[2], -item);
  atomicMax(&i[3], item);
  atomicAnd(&u[0], ~(1u << (item % 32)));
  atomicOr(&u[1], 1u << (item % 32));
  atomicXor(&u[2], 1u << (item % 32));
#if defined(RPL_OWN_HIP_HEADERS)
  // Those of HIP 5.2 are an intrinsic of LLVM that LLVM 19 no longer has: they do not link.
  atomicInc(&u[3], 99u);
  atomicDec(&u[4], 99u);
#endif
  atomicAdd(&w[0], 1ull << 33);
  atomicMax(&w[1], static_cast<unsigned long long>(item) << 40);
  unsigned long long seen = w[2], before;
  do {
    before = seen;
    seen = atomicCAS(&w[2], before, before + 3);
  } while (seen != before);
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
  if (item == 7) atomicExch(&f[1], 7.0f);
}

template <class T>
struct OnDevice {
  T* data = nullptr;
  std::vector<T> host;
  explicit OnDevice(std::vector<T> values) : host(std::move(values)) {
    CHECK(hipMalloc(&data, host.size() * sizeof(T)));
    CHECK(hipMemcpy(data, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  ~OnDevice() { CHECK(hipFree(data)); }
  const std::vector<T>& read() {
    CHECK(hipMemcpy(host.data(), data, host.size() * sizeof(T), hipMemcpyDeviceToHost));
    return host;
  }
};

bool near(double value, double expected, double relative) { return std::fabs(value - expected) <= relative * std::fabs(expected); }

void check_bits() {
  constexpr unsigned x = 0x00f31428u;
  OnDevice<unsigned> out(std::vector<unsigned>(14));
  OnDevice<unsigned long long> wide(std::vector<unsigned long long>(7));
  bits<<<1, 64>>>(out.data, wide.data, x);
  const std::vector<unsigned> expected = {10, 8, 4, 0x1428cf00, 0, static_cast<unsigned>((1ull * x * x) >> 32),
                                          static_cast<unsigned>((-3ll * x) >> 32), x * x, 112, 0x7ffffffe, 0x42, 0x00f3ab28, 0, 32};
  const std::vector<unsigned> got = out.read();
  for (size_t i = 0; i < got.size(); ++i) {
    if (i != 4) EXPECT(got[i] == expected[i]);
  }
  // Bytes 0, 4, 1, 5 of ~x:x from the lowest up.
  EXPECT(got[4] == ((x & 0xff) | (~x & 0xff) << 8 | (x >> 8 & 0xff) << 16 | (~x >> 8 & 0xff) << 24));
  const std::vector<unsigned long long> expected_wide = {2, 1ull << 63, 3, static_cast<unsigned long long>(-2), 1, 63, 41};
  EXPECT(wide.read() == expected_wide);
}

void check_conversions() {
  constexpr float x = -2.5f;
  constexpr double y = 1234.75;
  OnDevice<int> out(std::vector<int>(8));
  OnDevice<double> wide(std::vector<double>(4));
  convert<<<1, 64>>>(out.data, wide.data, x, y);
  long long pattern;
  std::memcpy(&pattern, &y, sizeof(y));
  const std::vector<int> expected = {-2, -2, -2, -3, static_cast<int>(0xc0200000), 1234, static_cast<int>(pattern >> 32), static_cast<int>(pattern)};
  EXPECT(out.read() == expected);
  const std::vector<double> expected_wide = {y, x, y, -12345.0};
  EXPECT(wide.read() == expected_wide);
}

void check_mathematics() {
  constexpr float x = 1.25f;
  constexpr double y = 0.75;
  OnDevice<float> out(std::vector<float>(12));
  OnDevice<double> wide(std::vector<double>(6));
  mathematics<<<1, 64>>>(out.data, wide.data, x, y);
  const double expected[] = {std::sin(1.25), std::exp(1.25), std::pow(1.25, 1.5), std::sqrt(1.25), 1 / std::sqrt(1.25), 2.5625, 0.5, 1.0,
                             std::log(1.25), 2.0, std::atan2(1.25, 2.0), std::tanh(1.25)};
  for (int i = 0; i < 12; ++i) EXPECT(near(out.read()[i], expected[i], 1e-6));
  const double expected_wide[] = {std::cos(y), std::exp(y), std::pow(y, 2.5), std::sqrt(y), std::erf(y), y * y + 1};
  for (int i = 0; i < 6; ++i) EXPECT(near(wide.read()[i], expected_wide[i], 1e-14));
}

void check_votes() {
  OnDevice<unsigned long long> out(std::vector<unsigned long long>(2));
  OnDevice<int> counts(std::vector<int>(6));
  votes<<<1, 256>>>(out.data, counts.data);
  EXPECT(out.read()[0] == 0xaaaaaaaaaaaaaaaaull && out.read()[1] == 32);
  const std::vector<int> expected = {1, 1, 0, 208, 1, 1};
  EXPECT(counts.read() == expected);
}

void check_atomics() {
  constexpr int kItems = 4 * 96;
  OnDevice<int> i({0, 0, 0, 0});
  OnDevice<unsigned> u({~0u, 0, 0, 0, 0});
  OnDevice<unsigned long long> w({0, 0, 0});
  OnDevice<float> f({0, 0});
  OnDevice<double> d({0});
  atomics<<<4, 96>>>(i.data, u.data, w.data, f.data, d.data);
  EXPECT((i.read() == std::vector<int>{kItems, -2 * kItems, 1 - kItems, kItems - 1}));
  EXPECT(u.read()[0] == 0 && u.read()[1] == ~0u && u.read()[2] == 0);
#if defined(RPL_OWN_HIP_HEADERS)
  EXPECT(u.read()[3] == kItems % 100 && u.read()[4] == (100 - kItems % 100) % 100);
#endif
  EXPECT((w.read() == std::vector<unsigned long long>{kItems * (1ull << 33), (kItems - 1ull) << 40, 3ull * kItems}));
  EXPECT((f.read() == std::vector<float>{kItems * 0.5f, 7.0f}));
  EXPECT(d.read()[0] == kItems * 0.25);
}

int main() {
  check_bits();
  check_conversions();
  check_mathematics();
  check_votes();
  check_atomics();
  return passed();
}
