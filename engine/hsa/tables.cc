// SPDX-License-Identifier: MIT
#include "engine/hsa/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace rpl::hsa {
namespace {

constexpr std::uint32_t kCoreBytes = 1016;
constexpr std::uint32_t kLeastRootBytes = 48;
constexpr std::size_t kCoreAt = 16, kExtAt = 24;  ///< of the pointers in the root

/// Since this size two functions stand behind hsa_amd_memory_async_copy that were not there before.
constexpr std::uint32_t kShiftedSince = 456;
constexpr std::uint32_t kShift = 16;
constexpr std::uint32_t kAbsolute = 0x10000;

struct Known {
  std::uint32_t ext_bytes, root_major;
  std::string_view releases;
};
constexpr Known kKnown[] = {{400, 1, "ROCm 5.2"}, {424, 1, "ROCm 5.5"}, {456, 1, "ROCm 5.6 or 5.7"},
                            {552, 2, "ROCm 6.0"}, {560, 3, "ROCm 6.1"}, {576, 3, "ROCm 6.2"},
                            {584, 3, "ROCm 6.3"}, {592, 3, "ROCm 6.4"}, {608, 3, "ROCm 7.0"}};

TableVersion* pointer_at(const void* root, std::size_t offset) {
  TableVersion* out = nullptr;
  std::memcpy(&out, static_cast<const std::byte*>(root) + offset, sizeof(out));
  return out;
}

const Known* known(std::uint32_t ext_bytes) {
  const auto* found = std::ranges::find(kKnown, ext_bytes, &Known::ext_bytes);
  return found == std::end(kKnown) ? nullptr : found;
}

void** entry_at(TableVersion* table, std::uint32_t offset) {
  if (offset + sizeof(void*) > table->minor) return nullptr;
  return reinterpret_cast<void**>(reinterpret_cast<std::byte*>(table) + offset);
}

}  // namespace

Result<Tables> Tables::of(void* root) {
  if (root == nullptr) return fail(Errc::corrupt, "the HSA runtime handed over no table");
  auto* head = static_cast<TableVersion*>(root);
  if (head->minor < kLeastRootBytes)
    return fail(Errc::unsupported,
                fmt::format("the HSA runtime's table of tables has {} bytes", head->minor));
  const Tables out(head, pointer_at(root, kCoreAt), pointer_at(root, kExtAt));
  if (out.core_ == nullptr || out.ext_ == nullptr)
    return fail(Errc::corrupt, "the HSA runtime's core or amd_ext table is missing");
  const Known* layout = known(out.ext_->minor);
  if (out.core_->minor != kCoreBytes || layout == nullptr || layout->root_major != head->major) {
    return fail(
        Errc::unsupported,
        fmt::format("the HSA runtime's tables have a layout that this build does not know: {}",
                    out.versions()),
        "known are the runtimes of ROCm 5.2 to 7.0");
  }
  return out;
}

void** Tables::slot(Core entry) const { return entry_at(core_, static_cast<std::uint32_t>(entry)); }

void** Tables::slot(Ext entry) const {
  const auto written = static_cast<std::uint32_t>(entry);
  const bool shifted = ext_->minor >= kShiftedSince;
  if (written >= kAbsolute) return shifted ? entry_at(ext_, written - kAbsolute) : nullptr;
  const bool behind = written > static_cast<std::uint32_t>(Ext::memory_async_copy);
  return entry_at(ext_, written + (shifted && behind ? kShift : 0));
}

std::vector<std::pair<std::string_view, TableVersion>> Tables::each() const {
  return {{"root", *root_}, {"core", *core_}, {"amd_ext", *ext_}};
}

std::string Tables::versions() const {
  std::string out;
  for (const auto& [name, version] : each())
    out += fmt::format("{}{} {}/{}", out.empty() ? "" : ", ", name, version.major, version.minor);
  return out;
}

std::string Tables::releases() const { return std::string(known(ext_->minor)->releases); }

}  // namespace rpl::hsa
