// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/topology.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/device/execute/state/machine.h"
#include "tests/support/hsakmt/address_map.h"

namespace rpl::hsakmt {
namespace {

constexpr HSAuint16 kAmd = 0x1002;
constexpr HSAuint32 kFirstSimd = 0x80000000U;

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
  out.NumCPUCores = static_cast<HSAuint32>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  out.NumMemoryBanks = static_cast<HSAuint32>(cpu_memory().size());
  out.NumCaches = static_cast<HSAuint32>(cpu_caches().size());
  out.NumIOLinks = 1;
  std::strncpy(reinterpret_cast<char*>(out.AMDName), "CPU", HSA_PUBLIC_NAME_SIZE - 1);
  return out;
}

HsaNodeProperties gpu_node(const emu::hip::DeviceKind& kind) {
  constexpr HSAuint32 kSimds = 4, kEngines = 8;
  HsaNodeProperties out{};
  out.NumFComputeCores = kind.compute_units * kSimds;
  out.NumMemoryBanks = static_cast<HSAuint32>(gpu_memory(kind).size());
  out.NumCaches = static_cast<HSAuint32>(gpu_caches(kind).size());
  out.NumIOLinks = 1;
  out.FComputeIdLo = kFirstSimd;
  out.Capability.ui32.QueueSizePowerOfTwo = 1;
  out.Capability.ui32.DoorbellType = 2;
  out.Capability.ui32.SRAM_EDCSupport = 1;
  out.Capability.ui32.Mem_EDCSupport = 1;
  out.MaxWavesPerSIMD = kind.waves_per_unit / kSimds;
  out.LDSSizeInKB = kind.lds_bytes / 1024;
  out.WaveFrontSize = kind.wave_size;
  out.NumShaderBanks = kEngines;
  out.NumArrays = 1;
  out.NumCUPerArray = (kind.compute_units + kEngines - 1) / kEngines;
  out.NumSIMDPerCU = kSimds;
  out.MaxSlotsScratchCU = kind.waves_per_unit;
  out.EngineId.ui32.Major = 9;
  out.EngineId.ui32.Minor = 0;
  out.EngineId.ui32.Stepping = 10;
  out.VendorId = kAmd;
  out.DeviceId = static_cast<HSAuint16>(kind.device_id);
  out.LocationId = 0x100;
  out.LocalMemSize = kind.memory_bytes;
  out.MaxEngineClockMhzFCompute = kind.clock_mhz;
  out.DrmRenderMinor = -1;
  for (std::size_t i = 0; i < kind.name.size() && i + 1 < HSA_PUBLIC_NAME_SIZE; ++i)
    out.MarketingName[i] = static_cast<HSAuint16>(kind.name[i]);
  std::strncpy(reinterpret_cast<char*>(out.AMDName), "aldebaran", HSA_PUBLIC_NAME_SIZE - 1);
  out.NumSdmaEngines = 2;
  out.NumSdmaXgmiEngines = 0;
  out.NumSdmaQueuesPerEngine = 8;
  out.NumCpQueues = 24;
  out.UniqueID = 0x52504c00;
  return out;
}

std::vector<HsaMemoryProperties> cpu_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  return {bank(HSA_HEAPTYPE_SYSTEM, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)))};
}

std::vector<HsaMemoryProperties> gpu_memory(const emu::hip::DeviceKind& kind) {
  constexpr std::uint64_t kScratchAperture = std::uint64_t{1} << 32;
  HsaMemoryProperties memory = bank(HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC, kind.memory_bytes);
  memory.Width = 4096;
  memory.MemoryClockMax = 1600;
  return {
      memory, bank(HSA_HEAPTYPE_GPU_LDS, kind.lds_bytes, std::uint64_t{emu::kSharedBaseHigh} << 32),
      bank(HSA_HEAPTYPE_GPU_SCRATCH, kScratchAperture, std::uint64_t{emu::kPrivateBaseHigh} << 32)};
}

std::vector<HsaCacheProperties> cpu_caches() {
  const long bytes = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  return {cache(0, 2, static_cast<HSAuint32>(std::max(0L, bytes)), 64, false)};
}

std::vector<HsaCacheProperties> gpu_caches(const emu::hip::DeviceKind& kind) {
  constexpr HSAuint32 kL1Bytes = 16384, kLine = 128;
  return {cache(kFirstSimd, 1, kL1Bytes, kLine, true),
          cache(kFirstSimd, 2, static_cast<HSAuint32>(kind.l2_bytes), kLine, true)};
}

HsaIoLinkProperties link_from(HSAuint32 node) {
  HsaIoLinkProperties out{};
  out.IoLinkType = HSA_IOLINKTYPE_PCIEXPRESS;
  out.NodeFrom = node;
  out.NodeTo = 1 - node;
  out.Weight = 20;
  // Atomics of 32 and 64 bits cross it, as ROCm asks of the platform.
  out.Flags.ui32.Override = 1;
  return out;
}

}  // namespace rpl::hsakmt
