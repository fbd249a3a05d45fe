// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hsa/types.h"

/// What a capture says beyond what running it again needs: where a dispatch came from. All of it may be unknown.
namespace rpl {

/// How an application came by a range of memory.
enum class RegionKind { unknown, pool, region, locked, svm, vmem, variable, kernarg };

/// "pool"; "" for unknown.
std::string_view to_string(RegionKind kind);
bool from_text(std::string_view text, RegionKind& kind);

/// Properties of a memory pool, the bits of HSA's hsa_amd_memory_pool_global_flag_t.
using hsa::kPoolCoarse, hsa::kPoolExtendedFine, hsa::kPoolFine, hsa::kPoolKernarg;
/// "kernarg", "fine", "coarse", "extended-fine" of the bits that are set, in that order.
std::vector<std::string> pool_flag_names(std::uint32_t flags);
/// The bit of one such name; 0 for another name.
std::uint32_t pool_flag(std::string_view name);

/// An AQL packet as it lay in the queue.
using RawPacket = std::array<std::byte, 64>;

/// "0215…", 128 hex digits, and back.
std::string packet_hex(const RawPacket& packet);
std::optional<RawPacket> parse_packet(std::string_view hex);

struct CapturedQueue {
  std::uint64_t id = 0;
  std::uint32_t size = 0;                ///< packets
  std::optional<std::int32_t> priority;  ///< hsa_amd_queue_priority_t
};

struct CapturedAgent {
  std::string name;         ///< "gfx942"
  std::string isa;          ///< "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
  std::uint32_t index = 0;  ///< among the GPU agents, from 0
};

/// The version that an HSA function table carries; `minor` is its size in bytes.
struct CapturedTable {
  std::string name;  ///< "root", "core", "amd_ext"
  std::uint32_t major = 0, minor = 0, step = 0;
};

struct CapturedRuntime {
  std::string name;  ///< "HSA 1.1"
  std::vector<CapturedTable> tables;
  std::string rocm_version;  ///< "6.2.0"; empty for unknown
};

/// All of it.
struct CaptureFacts {
  std::optional<RawPacket> packet;
  std::optional<CapturedQueue> queue;
  std::optional<CapturedAgent> agent;
  std::optional<CapturedRuntime> runtime;
  std::optional<std::uint64_t> dispatch_index;  ///< of all dispatches of the process, from 0
  std::string demangled;                        ///< "scale(float*, int)"
  std::string time;                             ///< when, "2026-01-31T23:59:59Z"
  /// Of a slice: the call after which the host could see what dispatches had changed in memory that it reads without a call; empty: none.
  std::string host_saw_by = {};
};

}  // namespace rpl
