// SPDX-License-Identifier: MIT
// fault: repeated-copies, allocation-in-loop
// Frames of a deforming mesh whose rest pose never changes: it is uploaded for each frame into a buffer made for that frame; the fast one has it on the device from the start.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

static void must(hipError_t e, const char* what) {
  if (e == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(e));
  std::exit(2);
}

struct Vertex { float x, y, z, weight; };

struct DeviceFree { void operator()(void* p) const { must(hipFree(p), "free"); } };
template <class T>
using Owned = std::unique_ptr<T, DeviceFree>;

template <class T>
Owned<T> allocate(size_t n) {
  void* p = nullptr;
  must(hipMalloc(&p, n * sizeof(T)), "malloc");  // fault
  return Owned<T>(static_cast<T*>(p));
}
template <class T>
void upload(T* to, const std::vector<T>& from) {
  must(hipMemcpy(to, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice), "upload");  // fault
}

__global__ void deform(const Vertex* rest, Vertex* posed, float time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Vertex v = rest[i];
  for (int bone = 0; bone < 48; ++bone) {
    const float a = time + 0.1f * bone;
    v.x = fmaf(v.y, 0.01f * a, v.x);
    v.y = fmaf(v.z, -0.01f * a, v.y);
    v.z = fmaf(v.x, 0.005f * a, v.z);
  }
  posed[i] = v;
}

int main(int argc, char** argv) {
  const bool keep = argc > 1 && !std::strcmp(argv[1], "fast");
  constexpr int kVertices = 1 << 17, kFrames = 10;
  std::vector<Vertex> rest(kVertices);
  for (int i = 0; i < kVertices; ++i) rest[i] = {i * 0.5f, i * 0.25f, 1.f, 1.f};
  Owned<Vertex> posed = allocate<Vertex>(kVertices), kept;
  if (keep) {
    kept = allocate<Vertex>(kVertices);
    upload(kept.get(), rest);
  }
  for (int frame = 0; frame < kFrames; ++frame) {
    Owned<Vertex> own;
    if (!keep) {
      own = allocate<Vertex>(kVertices);  // fault
      upload(own.get(), rest);  // fault
    }
    deform<<<kVertices / 256, 256>>>(keep ? kept.get() : own.get(), posed.get(), 0.04f * frame);
  }
  Vertex first;
  must(hipMemcpy(&first, posed.get(), sizeof first, hipMemcpyDeviceToHost), "download");
  std::printf("%f\n", first.x);
}
