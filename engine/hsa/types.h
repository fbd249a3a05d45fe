// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// The part of the HSA runtime's binary interface that capture and replay use, declared here so that neither needs ROCm's headers and one
/// build works with every release. Numbers and layouts: HSA Runtime Programmer's Reference Manual 1.2 and HSA Platform System Architecture
/// 1.2 (packets); AMD's extensions as ROCR-Runtime 5.2 to 7.0 lay them out.
namespace rpl::hsa {

/// hsa_status_t. Values beyond those named here are passed through.
enum class Status : std::uint32_t {
  success = 0,
  info_break = 0x1,  ///< an iteration's callback ended it
  error = 0x1000,
  invalid_argument = 0x1001,
  invalid_queue_creation = 0x1002,
  invalid_allocation = 0x1003,
  invalid_agent = 0x1004,
  invalid_region = 0x1005,
  invalid_signal = 0x1006,
  invalid_queue = 0x1007,
  out_of_resources = 0x1008,
  invalid_packet_format = 0x1009,
  resource_free = 0x100A,
  not_initialized = 0x100B,
  refcount_overflow = 0x100C,
  incompatible_arguments = 0x100D,
  invalid_index = 0x100E,
  invalid_isa = 0x100F,
  invalid_code_object = 0x1010,
  invalid_executable = 0x1011,
  frozen_executable = 0x1012,
  invalid_symbol_name = 0x1013,
  variable_already_defined = 0x1014,
  variable_undefined = 0x1015,
  exception = 0x1016,
  invalid_isa_name = 0x1017,
  invalid_code_symbol = 0x1018,
  invalid_executable_symbol = 0x1019,
  invalid_file = 0x1020,
  invalid_code_object_reader = 0x1021,
  invalid_runtime_state = 0x1025,
  fatal = 0x1026,
};

/// As the manual spells it, "HSA_STATUS_ERROR_INVALID_QUEUE"; "HSA status 0x2a" for a value that this build does not know.
std::string name_of(Status status);

/// Handles: opaque, zero for none.
struct Agent {
  std::uint64_t handle;
};
struct Signal {
  std::uint64_t handle;
};
struct Pool {
  std::uint64_t handle;
};  ///< hsa_amd_memory_pool_t
struct Region {
  std::uint64_t handle;
};  ///< hsa_region_t
struct Isa {
  std::uint64_t handle;
};
struct Reader {
  std::uint64_t handle;
};  ///< hsa_code_object_reader_t
struct Executable {
  std::uint64_t handle;
};
struct Symbol {
  std::uint64_t handle;
};  ///< hsa_executable_symbol_t
struct LoadedObject {
  std::uint64_t handle;
};  ///< hsa_loaded_code_object_t
struct MemoryHandle {
  std::uint64_t handle;
};  ///< hsa_amd_vmem_alloc_handle_t
using SignalValue = std::int64_t;

/// hsa_dim3_t
struct Dim3 {
  std::uint32_t x, y, z;
};

/// hsa_queue_t: what a queue shows of itself.
struct Queue {
  std::uint32_t type;      ///< 0 several producers, 1 one, 2 cooperative
  std::uint32_t features;  ///< 1 kernel dispatch, 2 agent dispatch
  void* base_address;      ///< of `size` packets
  Signal doorbell;
  std::uint32_t size;  ///< packets, a power of two
  std::uint32_t reserved;
  std::uint64_t id;  ///< unique in the process
};
static_assert(sizeof(Queue) == 40 && offsetof(Queue, id) == 32);

/// Bits 0-7 of a packet's header.
enum class PacketType : std::uint8_t {
  vendor = 0,
  invalid = 1,
  dispatch = 2,
  barrier_and = 3,
  agent_dispatch = 4,
  barrier_or = 5
};

inline constexpr unsigned kHeaderBarrier = 8;   ///< bit
inline constexpr unsigned kHeaderAcquire = 9;   ///< two bits: 0 none, 1 agent, 2 system
inline constexpr unsigned kHeaderRelease = 11;  ///< likewise
inline constexpr unsigned kScopeAgent = 1, kScopeSystem = 2;
inline constexpr std::size_t kPacketBytes = 64;

/// A header with system scope at both ends.
constexpr std::uint16_t system_header(PacketType type, bool barrier) {
  return static_cast<std::uint16_t>(
      static_cast<unsigned>(type) | (barrier ? 1U : 0U) << kHeaderBarrier |
      kScopeSystem << kHeaderAcquire | kScopeSystem << kHeaderRelease);
}
constexpr PacketType type_of(std::uint16_t header) {
  return static_cast<PacketType>(header & 0xff);
}

/// hsa_kernel_dispatch_packet_t
struct DispatchPacket {
  std::uint16_t header;
  std::uint16_t setup;  ///< bits 0-1: dimensions
  std::uint16_t workgroup[3];
  std::uint16_t reserved0;
  std::uint32_t grid[3];        ///< work-items
  std::uint32_t private_bytes;  ///< scratch of a work-item
  std::uint32_t group_bytes;    ///< LDS of a workgroup, static and dynamic
  std::uint64_t kernel_object;  ///< address of the kernel descriptor
  std::uint64_t kernarg;        ///< address of the kernel argument segment
  std::uint64_t reserved2;
  Signal completion;
};
static_assert(sizeof(DispatchPacket) == kPacketBytes && offsetof(DispatchPacket, kernarg) == 40);

/// hsa_barrier_and_packet_t and hsa_barrier_or_packet_t
struct BarrierPacket {
  std::uint16_t header;
  std::uint16_t reserved0;
  std::uint32_t reserved1;
  Signal dependency[5];  ///< none: satisfied
  std::uint64_t reserved2;
  Signal completion;
};
static_assert(sizeof(BarrierPacket) == kPacketBytes && offsetof(BarrierPacket, completion) == 56);

/// What lies at a signal's handle (amd_signal_t), as far as it is used.
struct SignalBlock {
  std::int64_t kind;
  volatile std::int64_t value;
  std::uint64_t event_mailbox;
  std::uint32_t event_id;
  std::uint32_t reserved1;
  std::uint64_t start_ticks,
      end_ticks;  ///< of the dispatch that completed it, where its queue profiles
};
static_assert(offsetof(SignalBlock, start_ticks) == 32);

/// hsa_signal_condition_t
enum class Condition : std::uint32_t { equal = 0, not_equal = 1, less = 2, greater_or_equal = 3 };
/// hsa_wait_state_t
enum class WaitState : std::uint32_t { blocked = 0, active = 1 };

/// hsa_agent_info_t
enum class AgentInfo : std::uint32_t {
  name = 0,
  vendor_name = 1,
  feature = 2,
  profile = 4,
  queue_max_size = 14,
  device = 17,
  cache_size = 18,  ///< uint32_t[4], bytes by level; 0 for none
  isa = 19,
  product_name = 0xA009
};
/// hsa_device_type_t
enum class DeviceType : std::uint32_t { cpu = 0, gpu = 1, dsp = 2 };
inline constexpr std::size_t kAgentNameBytes = 64;
/// hsa_isa_info_t
enum class IsaInfo : std::uint32_t { name_length = 0, name = 1 };
/// hsa_system_info_t
enum class SystemInfo : std::uint32_t {
  version_major = 0,
  version_minor = 1,
  timestamp = 2,
  timestamp_frequency = 3,
  signal_max_wait = 4,
  vmem_supported = 0x205
};

/// hsa_amd_memory_pool_info_t
enum class PoolInfo : std::uint32_t {
  segment = 0,
  global_flags = 1,
  size = 2,
  alloc_allowed = 5,
  alloc_granule = 6,
  alloc_alignment = 7,
  accessible_by_all = 15
};
/// hsa_amd_segment_t
enum class Segment : std::uint32_t { global = 0, readonly = 1, private_ = 2, group = 3 };
/// hsa_amd_memory_pool_global_flag_t
inline constexpr std::uint32_t kPoolKernarg = 1, kPoolFine = 2, kPoolCoarse = 4,
                               kPoolExtendedFine = 8;

/// hsa_amd_pointer_type_t
enum class PointerType : std::uint32_t {
  unknown = 0,
  hsa = 1,
  locked = 2,
  graphics = 3,
  ipc = 4,
  reserved = 5,
  vmem = 6
};
/// hsa_amd_pointer_info_t up to what ROCr 5.2 fills; `size` is set first, and the runtime fills no more than that.
struct PointerInfo {
  std::uint32_t size;
  PointerType type;
  void* agent_base;
  void* host_base;
  std::size_t bytes;
  void* user_data;
  Agent owner;
  std::uint32_t global_flags;
  std::uint32_t reserved;
};
static_assert(offsetof(PointerInfo, owner) == 40);

/// hsa_executable_symbol_info_t
enum class SymbolInfo : std::uint32_t {
  type = 0,
  name_length = 1,
  name = 2,
  variable_size = 9,
  kernarg_bytes = 11,
  group_bytes = 13,
  private_bytes = 14,
  variable_address = 21,
  kernel_object = 22
};
enum class SymbolType : std::uint32_t { variable = 0, kernel = 1, indirect_function = 2 };

/// hsa_amd_memory_access_desc_t
struct Access {
  std::uint32_t permissions;  ///< 0 none, 1 read, 2 write, 3 both
  std::uint32_t reserved;
  Agent agent;
};
static_assert(sizeof(Access) == 16);

/// hsa_queue_type_t
enum class QueueType : std::uint32_t { several_producers = 0, one_producer = 1, cooperative = 2 };
/// hsa_profile_t
enum class Profile : std::uint32_t { base = 0, full = 1 };
/// hsa_default_float_rounding_mode_t
enum class Rounding : std::uint32_t { as_compiled = 0, zero = 1, near = 2 };
/// hsa_amd_memory_type_t
enum class MemoryType : std::uint32_t { none = 0, pinned = 1 };
/// hsa_access_permission_t, of memory that is mapped to addresses
inline constexpr std::uint32_t kAccessNone = 0, kAccessRead = 1, kAccessWrite = 2, kAccessBoth = 3;

/// hsa_amd_event_t, of its first kind: a memory fault of the GPU
struct FaultEvent {
  std::uint32_t type;  ///< 0
  std::uint32_t reserved;
  Agent agent;
  std::uint64_t address;
  std::uint32_t
      reasons;  ///< bits: 1 page not present, 2 read-only, 4 not executable, 8 of the host alone
};
static_assert(offsetof(FaultEvent, address) == 16);

/// hsa_amd_profiling_dispatch_time_t: ticks of the system's timestamp frequency.
struct DispatchTime {
  std::uint64_t start, end;
};

}  // namespace rpl::hsa
