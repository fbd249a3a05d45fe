// SPDX-License-Identifier: MIT
// Lanes of one wave that go different ways: what is done with x = in[i] % 4096 + 1, and how often loops run, depends on x alone. Odd
// multiples of three count the steps of Collatz's sequence, other odd numbers those of Euclid's algorithm, and even numbers sum their
// prime factors in a loop within a loop.
#include <hip/hip_runtime.h>

__device__ unsigned collatz_steps(unsigned x) {
  unsigned steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  return steps;
}

__device__ unsigned euclid_steps(unsigned a, unsigned b) {
  unsigned steps = 0;
  for (; b != 0; ++steps) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return steps;
}

__device__ unsigned sum_of_prime_factors(unsigned x) {
  unsigned sum = 0;
  for (unsigned factor = 2; x != 1; ++factor) {
    if (factor * factor > x) return sum + x;  // what is left is prime
    while (x % factor == 0) {
      sum += factor;
      x /= factor;
    }
  }
  return sum;
}

extern "C" __global__ void divergent(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = in[i] % 4096 + 1;
  if (x % 2 != 0) {
    out[i] = x % 3 == 0 ? collatz_steps(x) : euclid_steps(4096, x);
  } else {
    out[i] = sum_of_prime_factors(x);
  }
}
