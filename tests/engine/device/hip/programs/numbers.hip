// SPDX-License-Identifier: MIT
// Vectors, halves, bfloat16 and complex numbers in kernels, as they come back to the host.
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>

#include "check.h"

struct Results {
  float4 sum;
  int2 scaled;
  float3 three;
  double2 minus;
  uchar4 bytes;
  float half_sum, half_fused, half_root, pair_x, pair_y;
  int half_less, half_bits;
  float short_float;
  hipFloatComplex product;
};

__global__ void compute(Results* out, float4 a, float4 b) {
  out->sum = a + 2.0f * b;
  out->scaled = make_int2(3, -4) * 5;
  out->three = make_float3(a.x, a.y, a.z);
  out->three += make_float3(1, 1, 1);
  out->minus = -make_double2(1.5, 0.0);
  out->bytes = make_uchar4(250, 1, 2, 3) + make_uchar4(10, 1, 1, 1);
  const __half x = __float2half(1.5f), y = __float2half(0.25f);
  out->half_sum = __half2float(__hadd(x, y) * x);
  out->half_fused = __half2float(__hfma(x, y, y));
  out->half_root = __half2float(hsqrt(__float2half(6.25f)));
  const __half2 pair = __hmul2(__halves2half2(x, y), __float2half2_rn(2.0f));
  out->pair_x = __low2float(pair);
  out->pair_y = __high2float(pair);
  out->half_less = __hlt(y, x);
  out->half_bits = __half_as_ushort(x);
  out->short_float = hip_bfloat16(1.00390625f) + hip_bfloat16(2.0f);
  out->product = hipCmulf(make_hipFloatComplex(1, 2), make_hipFloatComplex(3, -1));
}

int main() {
  static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "moved by one instruction");
  static_assert(sizeof(float3) == 12 && alignof(double2) == 16 && sizeof(__half2) == 4, "as in memory");
  Results* out;
  CHECK(hipMallocManaged(&out, sizeof(Results)));
  compute<<<1, 1>>>(out, make_float4(1, 2, 3, 4), make_float4(10, 20, 30, 40));
  CHECK(hipDeviceSynchronize());
  EXPECT(out->sum == make_float4(21, 42, 63, 84));
  EXPECT(out->scaled.x == 15 && out->scaled.y == -20);
  EXPECT(out->three == make_float3(2, 3, 4));
  EXPECT(out->minus.x == -1.5 && out->minus.y == 0.0);
  EXPECT(out->bytes == make_uchar4(4, 2, 3, 4));
  EXPECT(out->half_sum == 2.625f && out->half_fused == 0.625f && out->half_root == 2.5f);
  EXPECT(out->pair_x == 3.0f && out->pair_y == 0.5f);
  EXPECT(out->half_less == 1 && out->half_bits == 0x3e00);
  // 1.00390625 lies half-way between two of 8 bits, and 1 is the even one.
  EXPECT(out->short_float == 3.0f);
  EXPECT(out->product.x == 5.0f && out->product.y == 5.0f);
  CHECK(hipFree(out));
  return passed();
}
