// SPDX-License-Identifier: MIT
// two_queues vector_add.CO: two queues fed by two threads, with copies to and from the device in flight, all ordered by signals alone.
#include <thread>

#include "tests/support/hsakmt/programs/hsa_program.h"

namespace {

constexpr int kCount = 5003, kRounds = 40;  // more packets than the ring holds
constexpr std::uint16_t kWorkgroup = 128;
constexpr std::size_t kBytes = kCount * sizeof(float);

/// Round after round: copy in, wait for the copy in the queue, add, copy out when that is done. Nothing waits on the host.
struct Lane {
  const System& system;
  const LoadedCode& code;
  float first = 0;
  hsa_queue_t* queue = nullptr;
  std::vector<float*> in{}, out{};
  std::vector<hsa_signal_t> signals{}, copied_back{};

  void enqueue(int round) {
    float* host_in = system.allocate<float>(system.host, kCount);
    float* host_out = system.allocate<float>(system.host, kCount);
    auto* a = system.allocate<float>(system.device, kCount);
    auto* sum = system.allocate<float>(system.device, kCount);
    for (int i = 0; i < kCount; ++i) host_in[i] = first + static_cast<float>(round * 1000 + i);
    const hsa_signal_t copied = new_signal(), added = new_signal(), back = new_signal();
    CHECK(
        hsa_amd_memory_async_copy(a, system.gpu, host_in, system.cpu, kBytes, 0, nullptr, copied));
    hsa_barrier_and_packet_t barrier{};
    barrier.dep_signal[0] = copied;
    submit(queue, barrier, kBarrierHeader);
    void* arguments = vector_add_arguments(system, a, a, sum, kCount, kWorkgroup);
    submit(queue, dispatch_of(code, arguments, kCount, kWorkgroup, added), kDispatchHeader);
    CHECK(
        hsa_amd_memory_async_copy(host_out, system.cpu, sum, system.gpu, kBytes, 1, &added, back));
    in.push_back(host_in);
    out.push_back(host_out);
    signals.insert(signals.end(), {copied, added, back});
    copied_back.push_back(back);
  }

  void run() {
    CHECK(hsa_queue_create(system.gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                           UINT32_MAX, &queue));
    for (int round = 0; round < kRounds; ++round) enqueue(round);
  }

  int wrong() {
    int count = 0;
    for (int round = 0; round < kRounds; ++round) {
      EXPECT(wait_for(copied_back[round]));
      for (int i = 0; i < kCount; ++i) count += out[round][i] != 2 * in[round][i];
    }
    for (const hsa_signal_t signal : signals) CHECK(hsa_signal_destroy(signal));
    CHECK(hsa_queue_destroy(queue));
    return count;
  }
};

}  // namespace

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  {
    const System system;
    const LoadedCode code(system, argv[1], "vector_add");
    Lane one{.system = system, .code = code, .first = 1},
        other{.system = system, .code = code, .first = 5};
    {
      const std::jthread first([&] { one.run(); }), second([&] { other.run(); });
    }
    const int wrong = one.wrong() + other.wrong();
    std::printf("%d of %d wrong\n", wrong, 2 * kRounds * kCount);
    EXPECT(wrong == 0);
  }
  std::printf("PASSED\n");
  return 0;
}
