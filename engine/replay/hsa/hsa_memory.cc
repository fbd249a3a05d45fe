// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/hsa_memory.h"

namespace rpl {
namespace {

void* place(std::uint64_t address) { return reinterpret_cast<void*>(address); }
std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

// A range is let go at the last moment: what lies between this and the reservation might take it.
Result<std::vector<PlaceConflict>> HsaMemory::reserve(const std::vector<PageRange>& ranges) {
  std::vector<PlaceConflict> conflicts;
  for (const PageRange& range : ranges) {
    Placed& placed = placed_.emplace_back();
    placed.range = range;
    placed.text = range_text(capture_, range);
    if (range.host) continue;
    steering_.let_go(range.base, range.bytes);
    void* got = nullptr;
    TRY(calls_.call(calls_.api.vmem_address_reserve, placed.text, &got, std::size_t{range.bytes},
                    range.base, std::uint64_t{0}));
    placed.at = number(got);
    if (placed.at == range.base) continue;
    conflicts.push_back({.base = range.base,
                         .bytes = range.bytes,
                         .got = placed.at,
                         .in_the_way = mappings_in(range.base, range.bytes)});
  }
  return conflicts;
}

Status HsaMemory::back() {
  for (Placed& placed : placed_)
    TRY(placed.range.host ? back_on_host(placed) : back_on_device(placed));
  return {};
}

Status HsaMemory::back_on_device(Placed& placed) {
  const std::size_t bytes = placed.range.bytes;
  constexpr std::uint64_t kNoFlags = 0;
  constexpr std::size_t kWhole = 0;
  hsa::MemoryHandle handle{};
  TRY(calls_.call(calls_.api.vmem_handle_create, placed.text, device_.memory, bytes,
                  hsa::MemoryType::none, kNoFlags, &handle));
  placed.handle = handle;
  TRY(calls_.call(calls_.api.vmem_map, placed.text, place(placed.at), bytes, kWhole, handle,
                  kNoFlags));
  placed.mapped = true;
  const hsa::Access access{.permissions = hsa::kAccessBoth, .reserved = 0, .agent = device_.gpu};
  return calls_.call(calls_.api.vmem_set_access, placed.text, place(placed.at), bytes, &access,
                     std::size_t{1});
}

Status HsaMemory::back_on_host(Placed& placed) {
  const std::uint64_t base = placed.range.base, bytes = placed.range.bytes;
  if (!steering_.make_memory(base, bytes))
    return fail(Errc::io, fmt::format("cannot put memory of the host at {}", placed.text));
  placed.ours = true;
  void* seen = nullptr;
  hsa::Agent gpu = device_.gpu;
  TRY(calls_.call(calls_.api.memory_lock, placed.text, place(base), std::size_t{bytes}, &gpu, 1,
                  &seen));
  placed.locked = true;
  if (number(seen) == base) return {};
  return fail(Errc::unsupported,
              fmt::format("hsa_amd_memory_lock of {} shows it to the GPU at 0x{:x}", placed.text,
                          number(seen)),
              "this machine does not give host and GPU the same addresses");
}

void HsaMemory::give_back(Placed& placed) {
  const std::size_t bytes = placed.range.bytes;
  if (placed.mapped) calls_.release(calls_.api.vmem_unmap, placed.text, place(placed.at), bytes);
  if (placed.handle.handle != 0)
    calls_.release(calls_.api.vmem_handle_release, placed.text, placed.handle);
  if (placed.at != 0)
    calls_.release(calls_.api.vmem_address_free, placed.text, place(placed.at), bytes);
  if (placed.locked)
    calls_.release(calls_.api.memory_unlock, placed.text, place(placed.range.base));
}

HsaMemory::~HsaMemory() {
  for (auto placed = placed_.rbegin(); placed != placed_.rend(); ++placed) give_back(*placed);
}

HsaAllocation::~HsaAllocation() {
  if (at_ != nullptr) calls_.release(calls_.api.pool_free, about_, at_);
}

Status HsaAllocation::make(hsa::Pool pool, std::size_t bytes, std::string about) {
  about_ = fmt::format("{} ({} bytes)", about, bytes);
  return calls_.call(calls_.api.pool_allocate, about_, pool, bytes, std::uint32_t{0}, &at_);
}

Status HsaAllocation::share_with(hsa::Agent gpu) {
  return calls_.call(calls_.api.agents_allow_access, about_, std::uint32_t{1},
                     static_cast<const hsa::Agent*>(&gpu),
                     static_cast<const std::uint32_t*>(nullptr), static_cast<const void*>(at_));
}

}  // namespace rpl
