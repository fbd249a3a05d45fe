// SPDX-License-Identifier: MIT
// Benchmarks with a work-item for each point: rows of a sparse matrix, nearest clusters, gravitation.
#include "measure.h"

namespace {

using silicon::Point;

__global__ void sparse_rows(const float* values, const std::uint32_t* columns, const std::uint32_t* begins,
                            const float* x, float* y, std::uint32_t rows) {
  const std::uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const std::uint32_t end = begins[row + 1];
  for (std::uint32_t i = begins[row]; i < end; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

void spmv_csr_scalar(const Point& point) {
  const std::uint64_t rows = point.numbers().at(0), entries = point.numbers().at(2), each = entries / rows;
  std::vector<std::uint32_t> begins(rows + 1), columns(entries);
  for (std::uint64_t row = 0; row < rows; ++row) {
    begins[row + 1] = static_cast<std::uint32_t>((row + 1) * each);
    for (std::uint64_t i = 0; i < each; ++i)
      columns[row * each + i] = static_cast<std::uint32_t>((row + i) % rows);
  }
  const float* values = silicon::device_values<float>(entries, silicon::noise);
  const float* x = silicon::device_values<float>(rows, [](std::uint64_t i) { return silicon::noise(13 * i); });
  const std::uint32_t *device_begins = silicon::device_copy(begins), *device_columns = silicon::device_copy(columns);
  float* y = silicon::device<float>(rows);
  const auto count = static_cast<std::uint32_t>(rows);
  silicon::measure(point, [&] {
    sparse_rows<<<(count + silicon::kWorkgroup - 1) / silicon::kWorkgroup, silicon::kWorkgroup>>>(
        values, device_columns, device_begins, x, y, count);
  });
  if (!point.check) return;
  std::vector<float> expected(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t i = 0; i < each; ++i)
      expected[row] += silicon::noise(row * each + i) * silicon::noise(13 * ((row + i) % rows));
  }
  silicon::compare(point, silicon::host_copy(y, rows), expected);
}

__global__ void nearest(const float* feature, const float* clusters, std::uint32_t* membership, std::uint32_t points,
                        std::uint32_t count, std::uint32_t features) {
  const std::uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  std::uint32_t index = 0;
  float least = 3.40282347e+38F;
  for (std::uint32_t i = 0; i < count; ++i) {
    float distance = 0;
    for (std::uint32_t l = 0; l < features; ++l) {
      const float off = feature[l * points + p] - clusters[i * features + l];
      distance += off * off;
    }
    if (distance < least) {
      least = distance;
      index = i;
    }
  }
  membership[p] = index;
}

void kmeans(const Point& point) {
  const std::uint64_t points = point.numbers().at(0), features = point.numbers().at(1), clusters = point.numbers().at(2);
  const auto center = [](std::uint64_t i) { return silicon::noise(17 * i); };
  const float* feature = silicon::device_values<float>(points * features, silicon::noise);
  const float* values = silicon::device_values<float>(clusters * features, center);
  std::uint32_t* membership = silicon::device<std::uint32_t>(points);
  silicon::measure(point, [&] {
    nearest<<<(points + silicon::kWorkgroup - 1) / silicon::kWorkgroup, silicon::kWorkgroup>>>(
        feature, values, membership, static_cast<std::uint32_t>(points), static_cast<std::uint32_t>(clusters),
        static_cast<std::uint32_t>(features));
  });
  if (!point.check) return;
  std::vector<float> expected(points), got(points);
  const auto found = silicon::host_copy(membership, points);
  for (std::uint64_t p = 0; p < points; ++p) {
    float least = 3.40282347e+38F;
    for (std::uint64_t i = 0; i < clusters; ++i) {
      float distance = 0;
      for (std::uint64_t l = 0; l < features; ++l) {
        const float off = silicon::noise(l * points + p) - center(i * features + l);
        distance += off * off;
      }
      if (distance >= least) continue;
      least = distance;
      expected[p] = static_cast<float>(i);
    }
    got[p] = static_cast<float>(found[p]);
  }
  silicon::compare(point, got, expected);
}

constexpr float kSoftening = 500.0F, kTime = 0.005F;

/// One particle for each work-item. Tiles of positions are staged in `tile`, which all workgroups share and write the same values to.
__global__ void attract(const float4* position, const float4* velocity, float4* new_position, float4* new_velocity,
                        float4* tile, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, local = threadIdx.x;
  const float4 own = position[i];
  float4 force = make_float4(0, 0, 0, 0);
  for (std::uint32_t first = 0; first < count; first += blockDim.x) {
    tile[local] = position[first + local];
    __syncthreads();
    for (std::uint32_t k = 0; k < blockDim.x; ++k) {
      const float4 other = tile[k];
      const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      const float inverse = 1.0F / sqrtf(x * x + y * y + z * z + kSoftening);
      const float strength = other.w * inverse * inverse * inverse;
      force.x += strength * x;
      force.y += strength * y;
      force.z += strength * z;
    }
    __syncthreads();
  }
  const float4 old = velocity[i];
  new_position[i] = make_float4(own.x + old.x * kTime + force.x * 0.5F * kTime * kTime,
                                own.y + old.y * kTime + force.y * 0.5F * kTime * kTime,
                                own.z + old.z * kTime + force.z * 0.5F * kTime * kTime, own.w);
  new_velocity[i] =
      make_float4(old.x + force.x * kTime, old.y + force.y * kTime, old.z + force.z * kTime, old.w);
}

void nbody(const Point& point) {
  const std::uint64_t n = point.numbers().at(0);
  const auto* position = reinterpret_cast<const float4*>(
      silicon::device_values<float>(4 * n, [](std::uint64_t i) { return 50 * silicon::noise(i); }));
  const auto* velocity = reinterpret_cast<const float4*>(silicon::device_values<float>(4 * n, [](std::uint64_t) { return 0.0F; }));
  float4* new_position = silicon::device<float4>(n);
  float4* new_velocity = silicon::device<float4>(n);
  float4* tile = silicon::device<float4>(silicon::kWorkgroup);
  silicon::measure(point, [&] {
    attract<<<n / silicon::kWorkgroup, silicon::kWorkgroup>>>(position, velocity, new_position, new_velocity, tile,
                                                             static_cast<std::uint32_t>(n));
  });
  if (!point.check) return;
  std::vector<float> expected(4 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    double force[3] = {};
    for (std::uint64_t k = 0; k < n; ++k) {
      double off[3], squares = kSoftening;
      for (int axis = 0; axis < 3; ++axis) {
        off[axis] = 50.0 * (double{silicon::noise(4 * k + axis)} - double{silicon::noise(4 * i + axis)});
        squares += off[axis] * off[axis];
      }
      for (int axis = 0; axis < 3; ++axis)
        force[axis] += 50 * silicon::noise(4 * k + 3) * off[axis] / (squares * __builtin_sqrt(squares));
    }
    for (int axis = 0; axis < 3; ++axis)
      expected[4 * i + axis] = static_cast<float>(50 * silicon::noise(4 * i + axis) +
                                                  force[axis] * 0.5 * double{kTime} * double{kTime});
    expected[4 * i + 3] = 50 * silicon::noise(4 * i + 3);
  }
  silicon::compare(point, silicon::host_copy(reinterpret_cast<const float*>(new_position), 4 * n), expected, 1e-3F);
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"spmv_csr_scalar", spmv_csr_scalar}, {"kmeans", kmeans}, {"nbody", nbody}});
}
