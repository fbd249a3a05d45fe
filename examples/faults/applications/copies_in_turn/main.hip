// fault: copies-not-overlapped
// Pieces of an array are copied to the device, worked on and copied back one after the other; the fast one has two streams, two buffers and pinned memory, so that copies run
// beside kernels.
#include "../program.h"

constexpr int kPiece = 1 << 17, kPieces = 12;

int main(int count, char** words) {
  float* host = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), std::size_t{kPiece} * kPieces * sizeof(float), 0));
  for (int i = 0; i < kPiece * kPieces; ++i) host[i] = static_cast<float>(i % 100);
  constexpr std::size_t kBytes = kPiece * sizeof(float);
  float* buffers[2] = {device_array<float>(kPiece), device_array<float>(kPiece)};
  if (is_fast(count, words)) {
    hipStream_t streams[2];
    for (auto& stream : streams) CHECK(hipStreamCreate(&stream));
    for (int piece = 0; piece < kPieces; ++piece) {
      hipStream_t stream = streams[piece % 2];
      float* buffer = buffers[piece % 2];
      CHECK(hipMemcpyAsync(buffer, host + piece * kPiece, kBytes, hipMemcpyHostToDevice, stream));
      work<<<blocks(kPiece), 256, 0, stream>>>(buffer, kPiece, 150);
      CHECK(hipMemcpyAsync(host + piece * kPiece, buffer, kBytes, hipMemcpyDeviceToHost, stream));
    }
    for (auto& stream : streams) CHECK(hipStreamSynchronize(stream));
  } else {
    for (int piece = 0; piece < kPieces; ++piece) {
      CHECK(hipMemcpy(buffers[0], host + piece * kPiece, kBytes, hipMemcpyHostToDevice));
      work<<<blocks(kPiece), 256>>>(buffers[0], kPiece, 150);
      CHECK(hipMemcpy(host + piece * kPiece, buffers[0], kBytes, hipMemcpyDeviceToHost));
    }
  }
  CHECK(hipDeviceSynchronize());
}
