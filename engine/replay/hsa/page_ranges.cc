// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/page_ranges.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/device/execute/state/host_pages.h"

namespace rpl {
namespace {

void* as_pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

/// Joins ranges that touch, of a list in ascending order.
std::vector<PageRange> joined(std::vector<PageRange> ranges) {
  std::ranges::sort(ranges, {}, &PageRange::base);
  std::vector<PageRange> out;
  for (PageRange& range : ranges) {
    const bool shares = !out.empty() && range.base < out.back().end();
    const bool touches =
        !out.empty() && range.base == out.back().end() && range.host == out.back().host;
    if (!shares && !touches) {
      out.push_back(std::move(range));
      continue;
    }
    PageRange& last = out.back();
    last.bytes = std::max(last.end(), range.end()) - last.base;
    last.host = last.host && range.host;
    last.regions.insert(last.regions.end(), range.regions.begin(), range.regions.end());
  }
  return out;
}

}  // namespace

std::vector<PageRange> page_ranges(const Capture& capture,
                                   const std::vector<std::size_t>& host_regions,
                                   std::uint64_t granule) {
  std::vector<PageRange> ranges;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    if (!region.variable.empty() || region.size == 0) continue;
    const bool host = std::ranges::find(host_regions, i) != host_regions.end();
    const std::uint64_t unit = host ? kHostPage : std::max(granule, kHostPage);
    const std::uint64_t base = region.base & ~(unit - 1);
    ranges.push_back({.base = base,
                      .bytes = emu::round_up_to(region.base + region.size, unit) - base,
                      .host = host,
                      .regions = {i}});
  }
  // What was the host's and became the GPU's may need more pages, and meet others.
  auto out = joined(std::move(ranges));
  for (PageRange& range : out) {
    if (range.host) continue;
    const std::uint64_t unit = std::max(granule, kHostPage), base = range.base & ~(unit - 1);
    range.bytes = emu::round_up_to(range.end(), unit) - base;
    range.base = base;
  }
  return joined(std::move(out));
}

std::vector<std::size_t> host_regions_of(const Capture& capture) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    const bool host = region.owner == "host" || region.kind == RegionKind::locked ||
                      region.kind == RegionKind::kernarg;
    if (host && region.variable.empty()) out.push_back(i);
  }
  return out;
}

std::string range_text(const Capture& capture, const PageRange& range) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, range.regions.size()); ++i)
    names += (i == 0 ? "" : ", ") + capture.regions[range.regions[i]].name;
  if (range.regions.size() > kNamed)
    names += fmt::format(" and {} more", range.regions.size() - kNamed);
  return fmt::format("{} ({} bytes at 0x{:x})", names, range.bytes, range.base);
}

std::vector<std::string> mappings_in(std::uint64_t base, std::uint64_t bytes) {
  std::vector<std::string> out;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/maps", "r"),
                                                             std::fclose);
  constexpr int kLongest = 4096;
  char line[kLongest];
  while (file && std::fgets(line, kLongest, file.get()) != nullptr) {
    std::uint64_t from = 0, to = 0;
    int path = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &from, &to, &path) < 2)
      continue;
    if (from >= base + bytes || to <= base) continue;
    std::string name = path == 0 ? "" : line + path;
    while (!name.empty() && name.back() == '\n') name.pop_back();
    out.push_back(
        fmt::format("0x{:x}-0x{:x} {}", from, to, name.empty() ? "memory without a name" : name));
  }
  return out;
}

Steering::~Steering() {
  for (const Held& held : held_) ::munmap(as_pointer(held.base), held.bytes);
}

std::vector<PlaceConflict> Steering::hold(const std::vector<PageRange>& ranges) {
  std::vector<PlaceConflict> conflicts;
  for (const PageRange& range : ranges) {
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void* const wanted = as_pointer(range.base);
    void* const got = ::mmap(wanted, range.bytes, PROT_NONE, how, -1, 0);
    if (got == wanted) {
      held_.push_back({range.base, range.bytes});
      continue;
    }
    PlaceConflict conflict{.base = range.base, .bytes = range.bytes};
    const int error = errno;
    // Kernels before 4.17 take the address for a hint.
    if (got != MAP_FAILED) ::munmap(got, range.bytes);
    conflict.in_the_way = mappings_in(range.base, range.bytes);
    if (conflict.in_the_way.empty()) conflict.in_the_way.push_back(std::strerror(error));
    conflicts.push_back(std::move(conflict));
  }
  return conflicts;
}

void Steering::let_go(std::uint64_t base, std::uint64_t bytes) {
  std::vector<Held> left;
  for (const Held& held : held_) {
    const std::uint64_t from = std::max(held.base, base),
                        to = std::min(held.base + held.bytes, base + bytes);
    if (from >= to) {
      left.push_back(held);
      continue;
    }
    ::munmap(as_pointer(from), to - from);
    if (held.base < from) left.push_back({held.base, from - held.base});
    if (to < held.base + held.bytes) left.push_back({to, held.base + held.bytes - to});
  }
  held_ = std::move(left);
}

bool Steering::make_memory(std::uint64_t base, std::uint64_t bytes) {
  const auto holder = std::ranges::find_if(held_, [&](const Held& held) {
    return held.base <= base && base + bytes <= held.base + held.bytes;
  });
  if (holder == held_.end()) return false;
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  return ::mmap(as_pointer(base), bytes, PROT_READ | PROT_WRITE, how, -1, 0) == as_pointer(base);
}

}  // namespace rpl
