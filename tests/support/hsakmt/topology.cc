// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/topology.h"

#include <cstring>

#include "tests/support/hsakmt/node_numbers.h"

namespace rpl::hsakmt {
namespace {

HsaCacheProperties cache(HSAuint32 processor, HSAuint32 level, HSAuint32 bytes, HSAuint32 line,
                         bool of_gpu) {
  HsaCacheProperties out{};
  out.ProcessorIdLow = processor;
  out.CacheLevel = level;
  out.CacheSize = bytes / 1024;
  out.CacheLineSize = line;
  out.CacheType.ui32.Data = 1;
  out.CacheType.ui32.HSACU = of_gpu ? 1 : 0;
  out.CacheType.ui32.CPU = of_gpu ? 0 : 1;
  return out;
}

HsaMemoryProperties bank(HSA_HEAPTYPE heap, std::uint64_t bytes, std::uint64_t base = 0) {
  HsaMemoryProperties out{};
  out.HeapType = heap;
  out.SizeInBytes = bytes;
  out.VirtualBaseAddress = base;
  return out;
}

}  // namespace

HsaNodeProperties cpu_node() {
  HsaNodeProperties out{};
  out.NumCPUCores = host_numbers().processors;
  out.NumMemoryBanks = static_cast<HSAuint32>(cpu_memory().size());
  out.NumCaches = static_cast<HSAuint32>(cpu_caches().size());
  out.NumIOLinks = 1;
  std::strncpy(reinterpret_cast<char*>(out.AMDName), "CPU", HSA_PUBLIC_NAME_SIZE - 1);
  return out;
}

HsaNodeProperties gpu_node(const emu::hip::DeviceKind& kind) {
  const NodeNumbers numbers = node_numbers(kind);
  HsaNodeProperties out{};
  out.NumFComputeCores = kind.compute_units * numbers.simds_per_unit;
  out.NumMemoryBanks = static_cast<HSAuint32>(gpu_memory(kind).size());
  out.NumCaches = static_cast<HSAuint32>(gpu_caches(kind).size());
  out.NumIOLinks = 1;
  out.FComputeIdLo = kFirstSimd;
  out.Capability.ui32.QueueSizePowerOfTwo = 1;
  out.Capability.ui32.DoorbellType = 2;
  out.Capability.ui32.SRAM_EDCSupport = 1;
  out.Capability.ui32.Mem_EDCSupport = 1;
  out.MaxWavesPerSIMD = numbers.waves_per_simd;
  out.LDSSizeInKB = kind.lds_bytes / 1024;
  out.WaveFrontSize = kind.wave_size;
  out.NumShaderBanks = numbers.engines;
  out.NumArrays = 1;
  out.NumCUPerArray = numbers.units_per_array;
  out.NumSIMDPerCU = numbers.simds_per_unit;
  out.MaxSlotsScratchCU = kind.waves_per_unit;
  out.EngineId.ui32.Major = numbers.major & 0x3f;
  out.EngineId.ui32.Minor = static_cast<std::uint8_t>(numbers.minor);
  out.EngineId.ui32.Stepping = static_cast<std::uint8_t>(numbers.stepping);
  out.VendorId = static_cast<HSAuint16>(kVendor);
  out.DeviceId = static_cast<HSAuint16>(kind.device_id);
  out.LocationId = numbers.location;
  out.LocalMemSize = kind.memory_bytes;
  out.MaxEngineClockMhzFCompute = kind.clock_mhz;
  out.DrmRenderMinor = -1;
  for (std::size_t i = 0; i < kind.name.size() && i + 1 < HSA_PUBLIC_NAME_SIZE; ++i)
    out.MarketingName[i] = static_cast<HSAuint16>(kind.name[i]);
  std::strncpy(reinterpret_cast<char*>(out.AMDName), "aldebaran", HSA_PUBLIC_NAME_SIZE - 1);
  out.NumSdmaEngines = numbers.copy_engines;
  out.NumSdmaXgmiEngines = 0;
  out.NumSdmaQueuesPerEngine = static_cast<HSAuint8>(numbers.copy_queues);
  out.NumCpQueues = static_cast<HSAuint8>(numbers.compute_queues);
  out.UniqueID = numbers.unique_id;
  return out;
}

std::vector<HsaMemoryProperties> cpu_memory() {
  return {bank(HSA_HEAPTYPE_SYSTEM, host_numbers().memory_bytes)};
}

std::vector<HsaMemoryProperties> gpu_memory(const emu::hip::DeviceKind& kind) {
  const NodeNumbers numbers = node_numbers(kind);
  HsaMemoryProperties memory = bank(HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC, kind.memory_bytes);
  memory.Width = static_cast<HSAuint32>(numbers.memory_width_bits);
  memory.MemoryClockMax = static_cast<HSAuint32>(numbers.memory_mhz);
  return {memory, bank(HSA_HEAPTYPE_GPU_LDS, kind.lds_bytes, lds_aperture()),
          bank(HSA_HEAPTYPE_GPU_SCRATCH, kApertureBytes, scratch_aperture())};
}

std::vector<HsaCacheProperties> cpu_caches() {
  return {cache(0, 2, static_cast<HSAuint32>(host_numbers().l2_bytes), 64, false)};
}

std::vector<HsaCacheProperties> gpu_caches(const emu::hip::DeviceKind& kind) {
  const NodeNumbers numbers = node_numbers(kind);
  return {cache(kFirstSimd, 1, numbers.l1_bytes, numbers.line_bytes, true),
          cache(kFirstSimd, 2, static_cast<HSAuint32>(kind.l2_bytes), numbers.line_bytes, true)};
}

HsaIoLinkProperties link_from(HSAuint32 node) {
  HsaIoLinkProperties out{};
  out.IoLinkType = HSA_IOLINKTYPE_PCIEXPRESS;
  out.NodeFrom = node;
  out.NodeTo = 1 - node;
  out.Weight = kLinkWeight;
  // Atomics of 32 and 64 bits cross it, as ROCm asks of the platform.
  out.Flags.ui32.Override = 1;
  return out;
}

}  // namespace rpl::hsakmt
