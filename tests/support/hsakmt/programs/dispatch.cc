// SPDX-License-Identifier: MIT
// dispatch vector_add.CO: what the system is, one dispatch, copies of every kind.
#include "tests/support/hsakmt/programs/hsa_program.h"

namespace {

constexpr int kCount = 100003;
constexpr std::uint16_t kWorkgroup = 256;

void describe(const System& system) {
  char name[64] = {}, product[64] = {};
  std::uint32_t units = 0, wave = 0;
  CHECK(hsa_agent_get_info(system.gpu, HSA_AGENT_INFO_NAME, name));
  CHECK(hsa_agent_get_info(
      system.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_PRODUCT_NAME), product));
  CHECK(hsa_agent_get_info(
      system.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT), &units));
  CHECK(hsa_agent_get_info(system.gpu, HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
  hsa_isa_t isa{};
  char isa_name[128] = {};
  CHECK(hsa_agent_get_info(system.gpu, HSA_AGENT_INFO_ISA, &isa));
  CHECK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, isa_name));
  std::size_t bytes = 0;
  CHECK(hsa_amd_memory_pool_get_info(system.device, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes));
  std::printf("gpu %s, %s, %s, wave %u\n", name, product, isa_name, wave);
  EXPECT(units > 0 && bytes > 0);
}

void copy_and_wait(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent,
                   std::size_t bytes) {
  const hsa_signal_t done = new_signal();
  CHECK(hsa_amd_memory_async_copy(to, to_agent, from, from_agent, bytes, 0, nullptr, done));
  EXPECT(wait_for(done));
  CHECK(hsa_signal_destroy(done));
}

void dispatch_once(const System& system, const char* path) {
  std::vector<float> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i)
    a[i] = static_cast<float>(i) * 0.5F, b[i] = static_cast<float>(kCount - i);
  auto* device_a = system.allocate<float>(system.device, kCount);
  auto* device_b = system.allocate<float>(system.device, kCount);
  auto* out = system.allocate<float>(system.device, kCount);
  // Memory that the driver knows nothing of, and memory that is locked for the device.
  CHECK(hsa_memory_copy(device_a, a.data(), kCount * sizeof(float)));
  void* locked = nullptr;
  hsa_agent_t gpu = system.gpu;
  CHECK(hsa_amd_memory_lock(b.data(), kCount * sizeof(float), &gpu, 1, &locked));
  copy_and_wait(device_b, system.gpu, locked, system.cpu, kCount * sizeof(float));
  CHECK(hsa_amd_memory_unlock(b.data()));

  const LoadedCode code(system, path, "vector_add");
  hsa_queue_t* queue = nullptr;
  CHECK(hsa_queue_create(system.gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                         UINT32_MAX, &queue));
  CHECK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  void* arguments = vector_add_arguments(system, device_a, device_b, out, kCount, kWorkgroup);
  std::uint64_t before = 0, after = 0;
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before));
  const hsa_signal_t done = new_signal();
  submit(queue, dispatch_of(code, arguments, kCount, kWorkgroup, done), kDispatchHeader);
  EXPECT(wait_for(done));
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after));
  hsa_amd_profiling_dispatch_time_t time{};
  CHECK(hsa_amd_profiling_get_dispatch_time(system.gpu, done, &time));
  // The clock of the device is coarser than the host's, and the runtime fits one to the other.
  constexpr std::uint64_t kSlack = 1'000'000;
  EXPECT(time.end > time.start && time.start + kSlack >= before && time.end <= after + kSlack);
  EXPECT(hsa_queue_load_read_index_scacquire(queue) == 1);

  auto* back = system.allocate<float>(system.host, kCount);
  copy_and_wait(back, system.cpu, out, system.gpu, kCount * sizeof(float));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += back[i] != a[i] + b[i];
  std::printf("dispatch: %d of %d wrong\n", wrong, kCount);
  EXPECT(wrong == 0);
  CHECK(hsa_signal_destroy(done));
  CHECK(hsa_queue_destroy(queue));
}

void fill(const System& system) {
  constexpr std::size_t kWords = 70001;
  auto* words = system.allocate<std::uint32_t>(system.device, kWords + 1);
  CHECK(hsa_amd_memory_fill(words, 0x11111111, kWords + 1));
  CHECK(hsa_amd_memory_fill(words, 0xabcd1234, kWords));
  std::vector<std::uint32_t> back(kWords + 1);
  CHECK(hsa_memory_copy(back.data(), words, back.size() * sizeof(std::uint32_t)));
  for (std::size_t i = 0; i < kWords; ++i) EXPECT(back[i] == 0xabcd1234);
  EXPECT(back[kWords] == 0x11111111);
  std::printf("fill: right\n");
}

bool has_copy_engines() {
  const char* enabled = std::getenv("HSA_ENABLE_SDMA");
  return enabled == nullptr || std::strcmp(enabled, "0") != 0;
}

// A box of 20 x 7 x 3 words out of the middle of one volume into the middle of another one.
void copy_box(const System& system) {
  constexpr std::uint32_t kRow = 64, kRows = 16, kSlices = 5, kOutRow = 48, kOutRows = 12;
  auto* from = system.allocate<std::uint32_t>(system.host, kRow * kRows * kSlices);
  auto* to = system.allocate<std::uint32_t>(system.device, kOutRow * kOutRows * kSlices);
  for (std::uint32_t i = 0; i < kRow * kRows * kSlices; ++i) from[i] = i;
  CHECK(hsa_amd_memory_fill(to, 0xffffffff, kOutRow * kOutRows * kSlices));
  hsa_pitched_ptr_t source{.base = from, .pitch = kRow * 4, .slice = kRow * kRows * 4};
  hsa_pitched_ptr_t target{.base = to, .pitch = kOutRow * 4, .slice = kOutRow * kOutRows * 4};
  hsa_dim3_t source_at{.x = 5 * 4, .y = 4, .z = 1}, target_at{.x = 3 * 4, .y = 2, .z = 2},
      size{.x = 20 * 4, .y = 7, .z = 3};
  const hsa_signal_t done = new_signal();
  CHECK(hsa_amd_memory_async_copy_rect(&target, &target_at, &source, &source_at, &size, system.gpu,
                                       hsaHostToDevice, 0, nullptr, done));
  EXPECT(wait_for(done));
  CHECK(hsa_signal_destroy(done));
  std::vector<std::uint32_t> back(kOutRow * kOutRows * kSlices);
  CHECK(hsa_memory_copy(back.data(), to, back.size() * sizeof(std::uint32_t)));
  for (std::uint32_t i = 0; i < back.size(); ++i) {
    const std::uint32_t x = i % kOutRow, y = i / kOutRow % kOutRows, z = i / (kOutRow * kOutRows);
    const bool inside = x >= 3 && x < 23 && y >= 2 && y < 9 && z >= 2;
    const std::uint32_t expected =
        inside ? ((z - 2 + 1) * kRows + (y - 2 + 4)) * kRow + (x - 3 + 5) : 0xffffffff;
    EXPECT(back[i] == expected);
  }
  std::printf("box: right\n");
}

void ask_about_pointers(const System& system) {
  auto* words = system.allocate<std::uint32_t>(system.device, 5000);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof(info);
  CHECK(hsa_amd_pointer_info(words + 7, &info, nullptr, nullptr, nullptr));
  EXPECT(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentOwner.handle == system.gpu.handle &&
         info.agentBaseAddress == words);
  int here = 0;
  CHECK(hsa_amd_pointer_info(&here, &info, nullptr, nullptr, nullptr));
  EXPECT(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
  CHECK(hsa_amd_memory_pool_free(words));
  std::printf("pointers: right\n");
}

}  // namespace

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  {
    const System system;
    describe(system);
    dispatch_once(system, argv[1]);
    fill(system);
    // The runtime copies boxes with the copy engines alone.
    if (has_copy_engines()) copy_box(system);
    ask_about_pointers(system);
  }
  std::printf("PASSED\n");
  return 0;
}
