// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// Layouts and numbers of the C interface of libamdhip64, as hip/hip_runtime_api.h of HIP 5.2 (R0000) and 6.0 and later (R0600) have them.
/// Those of 5.2 are compared with the installed header by a test; those of 6.0 by offsets that public bindings state.
namespace rpl::emu::hip::abi {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

struct PropertiesR0000 {
  char name[256];
  std::size_t total_global_memory, shared_per_block;
  int registers_per_block, warp_size, max_threads_per_block, max_threads_dim[3], max_grid_size[3],
      clock_khz, memory_clock_khz, memory_bus_bits;
  std::size_t total_constant_memory;
  int major, minor, multiprocessors, l2_bytes, max_threads_per_multiprocessor, compute_mode,
      wall_clock_khz;
  std::uint32_t features;
  int concurrent_kernels, pci_domain, pci_bus, pci_device;
  std::size_t shared_per_multiprocessor;
  int is_multi_gpu_board, can_map_host_memory, gcn_arch;
  char gcn_arch_name[256];
  int integrated, cooperative_launch, cooperative_multi_device_launch, texture_1d_linear,
      texture_1d, texture_2d[2], texture_3d[3];
  unsigned *hdp_memory_flush, *hdp_register_flush;
  std::size_t memory_pitch, texture_alignment, texture_pitch_alignment;
  int kernel_timeout, ecc, tcc_driver, unmatched[4], large_bar, asic_revision, managed_memory,
      direct_managed_access, concurrent_managed_access, pageable_access, pageable_uses_host_tables;
};
static_assert(sizeof(PropertiesR0000) == 792);

struct PropertiesR0600 {
  char name[256];
  char uuid[16], luid[8];
  unsigned luid_mask;
  std::size_t total_global_memory, shared_per_block;
  int registers_per_block, warp_size;
  std::size_t memory_pitch;
  int max_threads_per_block, max_threads_dim[3], max_grid_size[3], clock_khz;
  std::size_t total_constant_memory;
  int major, minor;
  std::size_t texture_alignment, texture_pitch_alignment;
  int device_overlap, multiprocessors, kernel_timeout, integrated, can_map_host_memory,
      compute_mode;
  int textures[40];  ///< maxTexture1D to maxSurfaceCubemapLayered
  std::size_t surface_alignment;
  int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc_driver, async_engines,
      unified_addressing, memory_clock_khz, memory_bus_bits, l2_bytes, persisting_l2,
      max_threads_per_multiprocessor, stream_priorities, global_l1, local_l1;
  std::size_t shared_per_multiprocessor;
  int registers_per_multiprocessor, managed_memory, is_multi_gpu_board, board_group,
      host_native_atomics, single_to_double, pageable_access, concurrent_managed_access,
      compute_preemption, host_pointer_for_registered, cooperative_launch,
      cooperative_multi_device_launch;
  std::size_t shared_per_block_optin;
  int pageable_uses_host_tables, direct_managed_access, max_blocks_per_multiprocessor,
      access_policy_window;
  std::size_t reserved_shared_per_block;
  int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools,
      gpu_direct_rdma;
  unsigned gpu_direct_flush;
  int gpu_direct_ordering;
  unsigned pool_handle_types;
  int deferred_mapping, ipc_events, cluster_launch, unified_function_pointers, reserved[63],
      hip_reserved[32];
  char gcn_arch_name[256];
  std::size_t shared_per_multiprocessor_amd;
  int wall_clock_khz;
  std::uint32_t features;
  unsigned *hdp_memory_flush, *hdp_register_flush;
  int unmatched[4], large_bar, asic_revision;
};
static_assert(offsetof(PropertiesR0600, shared_per_block_optin) == 696 &&
              offsetof(PropertiesR0600, gcn_arch_name) == 1160 &&
              offsetof(PropertiesR0600, wall_clock_khz) == 1424 && sizeof(PropertiesR0600) == 1472);

struct PointerAttributes {
  int type, device;
  void *device_pointer, *host_pointer;
  int is_managed;
  unsigned flags;
};

struct FunctionAttributes {
  int binary_version, cache_mode;
  std::size_t constant_bytes, local_bytes;
  int max_dynamic_shared, max_threads_per_block, registers, carveout, ptx_version;
  std::size_t shared_bytes;
};

struct FatBinaryWrapper {
  std::uint32_t magic, version;
  const void* binary;
  void* unused;
};
inline constexpr std::uint32_t kFatBinaryMagic = 0x48495046;  // "HIPF"

/// hipLaunchKernelExC and hipDrvLaunchKernelEx; attributes are not looked at.
struct LaunchAttribute {
  unsigned id;
  char padding[4];
  union {
    char bytes[64];
    int number;
  };
};
struct LaunchConfig {
  Dim3 grid, block;
  std::size_t dynamic_shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
struct DriverLaunchConfig {
  unsigned grid[3], block[3], dynamic_shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct Position {
  std::size_t x, y, z;
};
struct PitchedPointer {
  void* pointer;
  std::size_t pitch, width, height;
};
struct Extent {
  std::size_t width, height, depth;
};
struct Copy3d {  ///< hipMemcpy3DParms
  void* from_array;
  Position from_position;
  PitchedPointer from;
  void* to_array;
  Position to_position;
  PitchedPointer to;
  Extent extent;
  int kind;
};

struct KernelNode {  ///< hipKernelNodeParams
  Dim3 block;
  void** extra;
  void* function;
  Dim3 grid;
  void** arguments;
  unsigned dynamic_shared;
};
struct FillNode {  ///< hipMemsetParams
  void* to;
  unsigned element_bytes;
  std::size_t height, pitch;
  unsigned value;
  std::size_t width;
};
struct DriverCopySide {  ///< a half of HIP_MEMCPY3D
  std::size_t x_bytes, y, z, level;
  int memory;
  void* host;
  void* device;
  void* array;
  std::size_t pitch, height;
};
struct DriverCopy3d {  ///< HIP_MEMCPY3D
  DriverCopySide from, to;
  std::size_t width_bytes, height, depth;
};
struct DriverFillNode {  ///< HIP_MEMSET_NODE_PARAMS
  void* to;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;
};
struct InstantiateParameters {  ///< hipGraphInstantiateParams
  void* error_node;
  unsigned long long flags;
  int result;
  void* upload_stream;
};
struct MemoryNode {  ///< hipMemAllocNodeParams, from its hipMemPoolProps on
  int allocation_type, handle_type, place_kind, place_number;
  void* security;
  std::size_t most_bytes;
  unsigned char reserved[56];
  const void* accesses;
  std::size_t access_count, bytes;
  void* pointer;
};
struct AccessWindow {  ///< hipAccessPolicyWindow
  void* base;
  int hit;
  float ratio;
  int miss;
  std::size_t bytes;
};
struct HostNode {  ///< hipHostNodeParams
  void (*function)(void*);
  void* data;
};
struct AnyNode {  ///< hipGraphNodeParams
  int type, reserved[3];
  union {
    long long room[29];
    KernelNode kernel;
    struct {
      int flags, reserved[3];
      Copy3d box;
    } copy;
    FillNode fill;
    HostNode host;
    MemoryNode memory;
    void* handle;  ///< a graph, an event, what is freed
  };
  long long more;
};

// For the `extra` of hipModuleLaunchKernel.
inline void* const kBufferPointer = reinterpret_cast<void*>(1);
inline void* const kBufferSize = reinterpret_cast<void*>(2);
inline void* const kBufferEnd = reinterpret_cast<void*>(3);

}  // namespace rpl::emu::hip::abi
