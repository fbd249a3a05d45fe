// SPDX-License-Identifier: MIT
// What the HSA programs of this folder share: agents, pools, one kernel of a code object, packets.
#pragma once

#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const hsa_status_t status = (call);                                             \
    if (status != HSA_STATUS_SUCCESS && status != HSA_STATUS_INFO_BREAK) {          \
      const char* text = "unknown status";                                          \
      (void)hsa_status_string(status, &text);                                       \
      std::printf("%s:%d: %s: 0x%x %s\n", __FILE__, __LINE__, #call, status, text); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

/// The agents and memory pools of the system, which must have one CPU and one GPU.
struct System {
  hsa_agent_t cpu{}, gpu{};
  hsa_amd_memory_pool_t host{}, kernarg{}, device{};

  System() {
    CHECK(hsa_init());
    CHECK(hsa_iterate_agents(see_agent, this));
    CHECK(hsa_amd_agent_iterate_memory_pools(cpu, see_host_pool, this));
    CHECK(hsa_amd_agent_iterate_memory_pools(gpu, see_device_pool, this));
    EXPECT(cpu.handle != 0 && gpu.handle != 0 && host.handle != 0 && kernarg.handle != 0 &&
           device.handle != 0);
  }
  ~System() { CHECK(hsa_shut_down()); }

  template <class T>
  T* allocate(hsa_amd_memory_pool_t pool, std::size_t count) const {
    void* out = nullptr;
    CHECK(hsa_amd_memory_pool_allocate(pool, count * sizeof(T), 0, &out));
    const hsa_agent_t both[] = {cpu, gpu};
    CHECK(hsa_amd_agents_allow_access(2, both, nullptr, out));
    return static_cast<T*>(out);
  }

 private:
  static hsa_status_t see_agent(hsa_agent_t agent, void* data) {
    hsa_device_type_t type{};
    CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    (type == HSA_DEVICE_TYPE_GPU ? static_cast<System*>(data)->gpu
                                 : static_cast<System*>(data)->cpu) = agent;
    return HSA_STATUS_SUCCESS;
  }
  static std::uint32_t flags_of(hsa_amd_memory_pool_t pool) {
    hsa_amd_segment_t segment{};
    std::uint32_t flags = 0;
    CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment == HSA_AMD_SEGMENT_GLOBAL)
      CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    return flags;
  }
  static hsa_status_t see_host_pool(hsa_amd_memory_pool_t pool, void* data) {
    const std::uint32_t flags = flags_of(pool);
    if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0)
      static_cast<System*>(data)->kernarg = pool;
    if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) != 0)
      static_cast<System*>(data)->host = pool;
    return HSA_STATUS_SUCCESS;
  }
  static hsa_status_t see_device_pool(hsa_amd_memory_pool_t pool, void* data) {
    if ((flags_of(pool) & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) != 0)
      static_cast<System*>(data)->device = pool;
    return HSA_STATUS_SUCCESS;
  }
};

/// One kernel of a code object in a file.
struct LoadedCode {
  std::uint64_t object = 0;
  std::uint32_t kernarg_bytes = 0, lds_bytes = 0, scratch_bytes = 0;

  LoadedCode(const System& system, const std::string& path, const std::string& name) {
    const int file = ::open(path.c_str(), O_RDONLY);
    EXPECT(file >= 0);
    hsa_code_object_reader_t reader{};
    CHECK(hsa_code_object_reader_create_from_file(file, &reader));
    hsa_executable_t executable{};
    CHECK(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                    nullptr, &executable));
    CHECK(hsa_executable_load_agent_code_object(executable, system.gpu, reader, nullptr, nullptr));
    CHECK(hsa_executable_freeze(executable, nullptr));
    ::close(file);
    hsa_executable_symbol_t symbol{};
    CHECK(hsa_executable_get_symbol_by_name(executable, (name + ".kd").c_str(), &system.gpu,
                                            &symbol));
    CHECK(
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
    CHECK(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg_bytes));
    CHECK(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &lds_bytes));
    CHECK(hsa_executable_symbol_get_info(
        symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &scratch_bytes));
  }
};

/// The kernarg segment of vector_add with its hidden arguments (code object version 5: block counts, group sizes, dimensions).
inline void* vector_add_arguments(const System& system, const float* a, const float* b, float* out,
                                  int count, std::uint32_t workgroup) {
  auto* bytes = system.allocate<char>(system.kernarg, 512);
  std::memset(bytes, 0, 512);
  const std::uint32_t items = static_cast<std::uint32_t>(count), groups = items / workgroup;
  const std::uint16_t size[] = {static_cast<std::uint16_t>(workgroup), 1, 1},
                      rest = static_cast<std::uint16_t>(items % workgroup), one = 1;
  const std::uint32_t counts[] = {groups, 1, 1};
  constexpr std::size_t kHidden = 32;
  std::memcpy(bytes, &a, 8), std::memcpy(bytes + 8, &b, 8), std::memcpy(bytes + 16, &out, 8),
      std::memcpy(bytes + 24, &count, 4);
  std::memcpy(bytes + kHidden, counts, 12), std::memcpy(bytes + kHidden + 12, size, 6),
      std::memcpy(bytes + kHidden + 18, &rest, 2);
  std::memcpy(bytes + kHidden + 64, &one, 2);
  return bytes;
}

inline hsa_signal_t new_signal(hsa_signal_value_t value = 1) {
  hsa_signal_t signal{};
  CHECK(hsa_signal_create(value, 0, nullptr, &signal));
  return signal;
}

/// False after five minutes: the device is emulated, but not that slow.
inline bool wait_for(hsa_signal_t signal) {
  std::uint64_t frequency = 0;
  CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, 0, 300 * frequency,
                                   HSA_WAIT_STATE_BLOCKED) == 0;
}

/// Puts a packet into the ring, its header last, and rings the doorbell.
template <class Packet>
void submit(hsa_queue_t* queue, Packet packet, std::uint16_t header) {
  const std::uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
  while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) ::usleep(100);
  auto* slot = static_cast<char*>(queue->base_address) + index % queue->size * sizeof(packet);
  std::uint32_t first = 0;
  std::memcpy(&first, &packet, sizeof(first));
  std::memcpy(slot + sizeof(first), reinterpret_cast<const char*>(&packet) + sizeof(first),
              sizeof(packet) - sizeof(first));
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(slot))
      .store((first & 0xffff0000U) | header, std::memory_order_release);
  hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

constexpr std::uint16_t kDispatchHeader = 0x1502,
                        kBarrierHeader = 0x1503;  ///< barrier bit, system scope fences

inline hsa_kernel_dispatch_packet_t dispatch_of(const LoadedCode& code, void* arguments,
                                                std::uint32_t items, std::uint16_t workgroup,
                                                hsa_signal_t done) {
  hsa_kernel_dispatch_packet_t packet{};
  packet.setup = 1;
  packet.workgroup_size_x = workgroup, packet.workgroup_size_y = packet.workgroup_size_z = 1;
  packet.grid_size_x = items, packet.grid_size_y = packet.grid_size_z = 1;
  packet.group_segment_size = code.lds_bytes;
  packet.private_segment_size = code.scratch_bytes;
  packet.kernel_object = code.object;
  packet.kernarg_address = arguments;
  packet.completion_signal = done;
  return packet;
}
