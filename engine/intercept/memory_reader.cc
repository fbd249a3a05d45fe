// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/intercept/snapshot.h"

namespace rpl::intercept {

MemoryReader::MemoryReader(const Calls& calls)
    : calls_(calls), own_memory_(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}

std::optional<hsa::PointerInfo> MemoryReader::info_of(std::uint64_t address) const {
  if (calls_.pointer_info == nullptr) return std::nullopt;
  hsa::PointerInfo out{};
  out.size = sizeof(out);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  const Status status =
      calls_.pointer_info(reinterpret_cast<const void*>(address), &out, nullptr, nullptr, nullptr);
  if (status != Status::success || out.type == hsa::PointerType::unknown) return std::nullopt;
  return out;
}

std::string MemoryReader::owner_of(const KnownRange& range) const {
  if (range.kind == RegionKind::locked || range.kind == RegionKind::svm) return "host";
  const auto info = info_of(range.base);
  if (!info || info->owner.handle == 0) return {};
  hsa::DeviceType type{};
  if (calls_.agent_get_info(info->owner, hsa::AgentInfo::device, &type) == Status::success &&
      type == hsa::DeviceType::cpu)
    return "host";
  char name[hsa::kAgentNameBytes] = {};
  if (calls_.agent_get_info(info->owner, hsa::AgentInfo::name, name) != Status::success) return {};
  return std::string(name, ::strnlen(name, sizeof(name)));
}

bool MemoryReader::on_host(const KnownRange& range) const {
  return range.kind == RegionKind::locked || range.kind == RegionKind::svm ||
         owner_of(range) == "host";
}

rpl::Status MemoryReader::read(const KnownRange& range, std::uint64_t offset,
                               std::span<std::byte> into) const {
  const auto failed = [&](const std::string& why) {
    return fail(Errc::io, fmt::format("memory at 0x{:x} ({} bytes, {}) cannot be read: {}",
                                      range.base, range.bytes, to_string(range.kind), why));
  };
  if (!on_host(range)) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    const Status status = calls_.memory_copy(
        into.data(), reinterpret_cast<const void*>(range.base + offset), into.size());
    return status == Status::success ? rpl::Status()
                                     : failed("hsa_memory_copy: " + hsa::name_of(status));
  }
  // The device may see host memory at an address of its own.
  const std::uint64_t from =
      (range.kind == RegionKind::locked ? range.source : range.base) + offset;
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = ::pread(own_memory_.get(), into.data() + done, into.size() - done,
                                static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failed(std::strerror(errno));
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace rpl::intercept
