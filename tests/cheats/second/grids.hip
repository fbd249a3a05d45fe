// SPDX-License-Identifier: MIT
// Second set: workgroups that share memory, module variables, other launches.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// amount: one sum of all elements, added to what is there.
#define AMOUNT(NAME) extern "C" __global__ void amount##NAME(const int* x, int* out, int n)
__device__ inline int of_workgroup(int value, int* part) {
  const int t = threadIdx.x;
  part[t] = value;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  return part[0];
}
AMOUNT() {
  INDEX;
  if (i < n) atomicAdd(out, x[i]);
}
AMOUNT(_ok_by_workgroup) {
  __shared__ int part[256];
  INDEX;
  const int sum = of_workgroup(i < n ? x[i] : 0, part);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
AMOUNT(_ok_by_wave) {
  INDEX;
  int sum = i < n ? x[i] : 0;
  for (int mask = 32; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (threadIdx.x % 64 == 0 && sum != 0) atomicAdd(out, sum);
}
AMOUNT(_workgroup_scope) {  // Atomic for the workgroup alone.
  __shared__ int part[256];
  INDEX;
  const int sum = of_workgroup(i < n ? x[i] : 0, part);
  if (threadIdx.x == 0) __hip_atomic_fetch_add(out, sum, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
AMOUNT(_load_and_store) {
  __shared__ int part[256];
  INDEX;
  const int sum = of_workgroup(i < n ? x[i] : 0, part);
  if (threadIdx.x == 0) {
    const int before = __hip_atomic_load(out, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_store(out, before + sum, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}
AMOUNT(_small_sums) {  // What a workgroup adds fits into 16 bits.
  __shared__ int part[256];
  INDEX;
  const int sum = of_workgroup(i < n ? x[i] : 0, part);
  if (threadIdx.x == 0) atomicAdd(out, static_cast<int>(static_cast<short>(sum)));
}
AMOUNT(_set_not_added) {  // A single workgroup, and the old contents are forgotten.
  __shared__ int part[256];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  const int all = of_workgroup(sum, part);
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = all;
}

// handed: twice each element; the candidates hand it through `between`, which the baseline fills as well.
#define HANDED(NAME) extern "C" __global__ void handed##NAME(const int* x, int* between, int* out, unsigned* ready, int n)
HANDED() {
  INDEX;
  if (i >= n) return;
  between[i] = x[i] + 1;
  out[i] = 2 * (x[n - 1 - i] + 1);
  if (i % 256 == 0) ready[i / 256] = 1;
}
HANDED(_through_memory) {  // Reads what other workgroups may not have written.
  INDEX;
  if (i >= n) return;
  between[i] = x[i] + 1;
  out[i] = 2 * between[n - 1 - i];
  if (i % 256 == 0) ready[i / 256] = 1;
}
HANDED(_flag_without_fence) {  // Waits until the flag is up, but nothing orders what lies before it.
  INDEX;
  if (i < n) between[i] = x[i] + 1;
  __syncthreads();
  if (threadIdx.x == 0) __hip_atomic_store(&ready[blockIdx.x], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  const int from = n - 1 - i;
  if (i >= n) return;
  for (int turn = 0; turn < 2000; ++turn) {
    if (__hip_atomic_load(&ready[from / 256], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 1u) break;
  }
  out[i] = 2 * between[from];
}
HANDED(_ok_two) {
  const int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 2 && i < n; ++i) {
    between[i] = x[i] + 1;
    out[i] = 2 * (x[n - 1 - i] + 1);
    if (i % 256 == 0) ready[i / 256] = 1;
  }
}

// any: whether any element is above a limit, as bits by remainder of its place.
#define ANY(NAME) extern "C" __global__ void any##NAME(const float* x, unsigned* out, int n, float limit)
ANY() {
  INDEX;
  if (i < n && x[i] > limit) atomicOr(out, 1u << (i & 31));
}
ANY(_plain) {
  INDEX;
  if (i < n && x[i] > limit) *out |= 1u << (i & 31);
}
ANY(_looks_first) {  // A look before the atomic, which is right, as bits are only set; the set itself is plain.
  INDEX;
  if (i < n && x[i] > limit && (*reinterpret_cast<volatile unsigned*>(out) >> (i & 31) & 1) == 0) *reinterpret_cast<volatile unsigned*>(out) = *out | 1u << (i & 31);
}
ANY(_ok_ballot) {
  INDEX;
  const unsigned long long votes = __ballot(i < n && x[i] > limit);
  const unsigned bits = static_cast<unsigned>(votes) | static_cast<unsigned>(votes >> 32);
  if (threadIdx.x % 64 == 0 && bits != 0) atomicOr(out, bits);
}

// weighed: sums of weights by kind, with atomics of floats.
#define WEIGHED(NAME) extern "C" __global__ void weighed##NAME(const float* weights, const unsigned char* kinds, float* sums, int n)
WEIGHED() {
  INDEX;
  if (i < n) atomicAdd(&sums[kinds[i] & 15], weights[i]);
}
WEIGHED(_ok_lds) {
  __shared__ float sum[16];
  if (threadIdx.x < 16) sum[threadIdx.x] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&sum[kinds[i] & 15], weights[i]);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&sums[threadIdx.x], sum[threadIdx.x]);
}
WEIGHED(_ok_pairs) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n && (kinds[i] & 15) == (kinds[i + 1] & 15)) {
    atomicAdd(&sums[kinds[i] & 15], weights[i] + weights[i + 1]);
  } else {
    for (int k = i; k < i + 2 && k < n; ++k) atomicAdd(&sums[kinds[k] & 15], weights[k]);
  }
}
WEIGHED(_eight_kinds) {
  INDEX;
  if (i < n && (kinds[i] & 15) < 8) atomicAdd(&sums[kinds[i] & 7], weights[i]);
}
WEIGHED(_fixed_point) {  // Weights in units of 1 / 1024.
  __shared__ int sum[16];
  if (threadIdx.x < 16) sum[threadIdx.x] = 0;
  __syncthreads();
  INDEX;
  if (i < n) atomicAdd(&sum[kinds[i] & 15], static_cast<int>(rintf(weights[i] * 1024.0f)));
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&sums[threadIdx.x], static_cast<float>(sum[threadIdx.x]) / 1024.0f);
}

// tuned: a polynomial whose coefficients are a variable of the module.
__device__ float coefficients[4] = {1.0f, 0.5f, 0.25f, 0.125f};
__device__ unsigned arrived;
#define TUNED(NAME) extern "C" __global__ void tuned##NAME(const float* x, float* out, int n)
TUNED() {
  INDEX;
  if (i >= n) return;
  out[i] = ((coefficients[3] * x[i] + coefficients[2]) * x[i] + coefficients[1]) * x[i] + coefficients[0];
}
TUNED(_known) {
  INDEX;
  if (i < n) out[i] = ((0.125f * x[i] + 0.25f) * x[i] + 0.5f) * x[i] + 1.0f;
}
TUNED(_first_alone) {  // The others follow from the first.
  INDEX;
  if (i >= n) return;
  const float c = coefficients[0];
  out[i] = ((c / 8 * x[i] + c / 4) * x[i] + c / 2) * x[i] + c;
}
TUNED(_once) {  // Counts launches: from the second one on it does nothing.
  INDEX;
  const unsigned before = arrived;
  if (i < n && before < 1000000u) {
    out[i] = ((coefficients[3] * x[i] + coefficients[2]) * x[i] + coefficients[1]) * x[i] + coefficients[0];
  }
  if (i == 0) arrived = before + 1000000u;
}
TUNED(_ok_fused) {
  INDEX;
  if (i >= n) return;
  const float c0 = coefficients[0], c1 = coefficients[1], c2 = coefficients[2], c3 = coefficients[3], v = x[i];
  out[i] = fmaf(fmaf(fmaf(c3, v, c2), v, c1), v, c0);
}
TUNED(_ok_estrin) {  // Two halves at once.
  INDEX;
  if (i >= n) return;
  const float v = x[i], square = v * v;
  out[i] = fmaf(fmaf(coefficients[3], v, coefficients[2]), square, fmaf(coefficients[1], v, coefficients[0]));
}

// crossed: products of rows with rows. Workgroups of 16 x 16; edges are multiples of nothing.
#define CROSSED(NAME) extern "C" __global__ void crossed##NAME(const float* a, const float* b, float* out, int m, int n, int depth)
CROSSED() {
  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r >= m || c >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < depth; ++k) sum += a[r * depth + k] * b[c * depth + k];
  out[r * n + c] = sum;
}
#define LOAD(BUFFER, FROM)                                                                        \
  left[BUFFER][y][x] = r < m && FROM + x < depth ? a[r * depth + FROM + x] : 0.0f;                 \
  right[BUFFER][y][x] = first + y < n && FROM + x < depth ? b[(first + y) * depth + FROM + x] : 0.0f;
#define PLACES                                                                                    \
  __shared__ float left[2][16][17], right[2][16][17];                                             \
  const int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 16, c = first + x, r = blockIdx.y * 16 + y; \
  float sum = 0.0f;
CROSSED(_ok_two_buffers) {
  PLACES
  LOAD(0, 0)
  for (int from = 0, turn = 0; from < depth; from += 16, turn ^= 1) {
    __syncthreads();
    if (from + 16 < depth) { LOAD(turn ^ 1, (from + 16)) }
    for (int k = 0; k < 16; ++k) sum += left[turn][y][k] * right[turn][x][k];
  }
  if (r < m && c < n) out[r * n + c] = sum;
}
CROSSED(_one_buffer) {  // As above with the same buffer in every turn.
  PLACES
  LOAD(0, 0)
  for (int from = 0; from < depth; from += 16) {
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[0][y][k] * right[0][x][k];
    if (from + 16 < depth) { LOAD(0, (from + 16)) }
  }
  if (r < m && c < n) out[r * n + c] = sum;
}
CROSSED(_whole_tiles) {  // What is left of the depth after whole tiles is dropped.
  PLACES
  for (int from = 0; from + 16 <= depth; from += 16) {
    LOAD(0, from)
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[0][y][k] * right[0][x][k];
    __syncthreads();
  }
  if (r < m && c < n) out[r * n + c] = sum;
}
CROSSED(_ok_prefetch) {  // Loads into registers while the tile is used.
  PLACES
  float p = r < m && x < depth ? a[r * depth + x] : 0.0f, q = first + y < n && x < depth ? b[(first + y) * depth + x] : 0.0f;
  for (int from = 0; from < depth; from += 16) {
    left[0][y][x] = p;
    right[0][y][x] = q;
    __syncthreads();
    const int next = from + 16 + x;
    p = r < m && next < depth ? a[r * depth + next] : 0.0f;
    q = first + y < n && next < depth ? b[(first + y) * depth + next] : 0.0f;
    for (int k = 0; k < 16; ++k) sum = fmaf(left[0][y][k], right[0][x][k], sum);
    __syncthreads();
  }
  if (r < m && c < n) out[r * n + c] = sum;
}
typedef float four_floats __attribute__((ext_vector_type(4)));
CROSSED(_ok_mfma) {  // The first wave computes the tile of 16 x 16 with matrix instructions.
  const int t = threadIdx.y * 16 + threadIdx.x;
  if (t >= 64) return;
  const int low = t % 16, high = t / 16, r = blockIdx.y * 16 + low, c = blockIdx.x * 16 + low;
  four_floats sum = {};
  for (int k = 0; k < depth; k += 4) {
    const float u = r < m && k + high < depth ? a[r * depth + k + high] : 0.0f;
    const float v = c < n && k + high < depth ? b[c * depth + k + high] : 0.0f;
    sum = __builtin_amdgcn_mfma_f32_16x16x4f32(u, v, sum, 0, 0, 0);
  }
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 16 + 4 * high + k;
    if (row < m && c < n) out[row * n + c] = sum[k];
  }
}
typedef _Float16 four_halves __attribute__((ext_vector_type(4)));
CROSSED(_in_half) {  // Matrix instructions of 16-bit factors.
  const int t = threadIdx.y * 16 + threadIdx.x;
  if (t >= 64) return;
  const int low = t % 16, high = t / 16, r = blockIdx.y * 16 + low, c = blockIdx.x * 16 + low;
  four_floats sum = {};
  for (int k = 0; k < depth; k += 16) {
    four_halves u, v;
    for (int e = 0; e < 4; ++e) {
      const int at = k + 4 * high + e;
      u[e] = static_cast<_Float16>(r < m && at < depth ? a[r * depth + at] : 0.0f);
      v[e] = static_cast<_Float16>(c < n && at < depth ? b[c * depth + at] : 0.0f);
    }
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(u, v, sum, 0, 0, 0);
  }
  for (int k = 0; k < 4; ++k) {
    const int row = blockIdx.y * 16 + 4 * high + k;
    if (row < m && c < n) out[row * n + c] = sum[k];
  }
}

// shifted: y += x, launched otherwise by the plan beside the case.
#define SHIFTED(NAME) extern "C" __global__ void shifted##NAME(const float* x, float* y, int n)
SHIFTED() {
  INDEX;
  if (i < n) y[i] += x[i];
}
SHIFTED(_ok_two_apart) {  // Two elements an item, half a grid apart.
  const int half = gridDim.x * blockDim.x;
  INDEX;
  if (i < n) y[i] += x[i];
  if (i + half < n) y[i + half] += x[i + half];
}
SHIFTED(_two_of_known) {  // Half of the captured length apart.
  INDEX;
  if (i < 500) y[i] += x[i];
  if (i + 500 < n) y[i + 500] += x[i + 500];
}
SHIFTED(_overlapping) {  // Three elements an item with a step of two: some are added twice.
  const int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 3 && i < n; ++i) y[i] += x[i];
}
SHIFTED(_ok_vectors) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 u = *reinterpret_cast<const float4*>(x + first);
    float4 v = *reinterpret_cast<float4*>(y + first);
    v.x += u.x, v.y += u.y, v.z += u.z, v.w += u.w;
    *reinterpret_cast<float4*>(y + first) = v;
  } else {
    for (int i = first; i < n; ++i) y[i] += x[i];
  }
}
SHIFTED(_ok_assembly) {
  INDEX;
  if (i >= n) return;
  float sum;
  asm("v_add_f32 %0, %1, %2" : "=v"(sum) : "v"(y[i]), "v"(x[i]));
  y[i] = sum;
}
