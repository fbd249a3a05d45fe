// Example.
#pragma once



__device__ inline float add(float2 pair) {
  return pair.x +
         pair.y;
}
