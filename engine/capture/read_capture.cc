// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "engine/base/files.h"
#include "engine/base/machine_memory.h"
#include "engine/base/sha256.h"
#include "engine/base/units.h"
#include "engine/capture/capture.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/folder.h"

namespace rpl {
namespace {

constexpr std::uint64_t kMostJsonBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostCodeBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t{64} << 30;

class CaptureFolder {
 public:
  explicit CaptureFolder(FolderReader folder) : folder_(std::move(folder)) {}

  Result<Capture> read() {
    TRY(read_json());
    Capture& capture = documents_.capture;
    if (documents_.has_head) TRY(check_list());
    capture.kernarg = TRY(folder_.read_exactly("kernarg.bin", documents_.kernarg_bytes));
    capture.code_object = TRY(folder_.read("kernel.hsaco", kMostCodeBytes));
    TRY(check_hash("kernarg.bin", capture.kernarg));
    TRY(check_hash("kernel.hsaco", capture.code_object));
    TRY(read_memory());
    TRY(complete_from_object());
    TRY(check_capture(capture));
    return std::move(capture);
  }

 private:
  Status read_json() {
    const auto dispatch = TRY(folder_.read("dispatch.json", kMostJsonBytes));
    const auto regions = TRY(folder_.read("memory_regions.json", kMostJsonBytes));
    std::vector<std::byte> head;
    if (folder_.has("capture.json")) {
      head = TRY(folder_.read("capture.json", kMostJsonBytes));
      if (head.empty()) return fail(Errc::corrupt, "capture.json: is empty");
    }
    documents_ = TRY(read_documents(as_text(head), as_text(dispatch), as_text(regions)));
    for (const auto& file : documents_.files) {
      if (!listed_.emplace(file.path, &file).second) {
        return fail(Errc::corrupt, fmt::format("capture.json: '{}' is listed twice", file.path));
      }
    }
    TRY(check_hash("dispatch.json", dispatch));
    TRY(check_hash("memory_regions.json", regions));
    return {};
  }

  /// The names follow from the regions, so that the list cannot lead anywhere else.
  Status check_list() const {
    std::set<std::string> expected{"dispatch.json", "memory_regions.json", "kernarg.bin",
                                   "kernel.hsaco"};
    const auto& regions = documents_.capture.regions;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      expected.insert(before_file(regions[i]));
      if (documents_.changed[i]) expected.insert(after_file(regions[i]));
    }
    for (const auto& [path, file] : listed_) {
      if (!expected.contains(path)) {
        return fail(Errc::corrupt, fmt::format("capture.json: '{}' is no file of a capture", path));
      }
    }
    for (const auto& name : expected) {
      if (!listed_.contains(name)) {
        return fail(Errc::corrupt, fmt::format("capture.json: files lacks '{}'", name));
      }
    }
    return {};
  }

  Status check_hash(const std::string& name, std::span<const std::byte> bytes) const {
    if (!documents_.has_head) return {};
    const auto found = listed_.find(name);
    if (found == listed_.end()) {
      return fail(Errc::corrupt, fmt::format("capture.json: files lacks '{}'", name));
    }
    if (found->second->bytes != bytes.size()) {
      return fail(Errc::corrupt, fmt::format("{}: {} bytes, capture.json says {}", name,
                                             bytes.size(), found->second->bytes));
    }
    if (sha256_hex(as_text(bytes)) != found->second->sha256) {
      return fail(Errc::corrupt,
                  fmt::format("{}: its SHA-256 is not the one in capture.json", name),
                  "the file was changed after the capture");
    }
    return {};
  }

  Status read_memory() {
    auto& regions = documents_.capture.regions;
    // The replay holds a second copy.
    const std::uint64_t most = std::min(kMostMemoryBytes, physical_memory_bytes() / 2);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      CapturedRegion& region = regions[i];
      const std::uint64_t images = documents_.changed[i] ? 2 : 1;
      if (region.size > most || (total += images * region.size) > most) {
        return fail(Errc::limit,
                    fmt::format("memory_regions.json: more than {} of memory", format_bytes(most)),
                    "a capture must fit twice in the memory of the machine");
      }
      region.before = TRY(folder_.read_exactly(before_file(region), region.size));
      TRY(check_hash(before_file(region), region.before));
      if (!documents_.changed[i]) continue;
      region.after = TRY(folder_.read_exactly(after_file(region), region.size));
      TRY(check_hash(after_file(region), *region.after));
    }
    return {};
  }

  Status complete_from_object() {
    Capture& capture = documents_.capture;
    auto object = object_of(capture);
    if (!object) return tl::unexpected(std::move(object).error().in("kernel.hsaco"));
    const auto& kernels = (*object)->kernels();
    const auto kernel = std::ranges::find(kernels, capture.kernel, &isa::Kernel::name);
    if (kernel == kernels.end()) return {};
    if (documents_.group_segment_bytes < kernel->lds_bytes) {
      return fail(Errc::corrupt,
                  fmt::format("dispatch.json: group_segment_size is {}, below the {} of the kernel",
                              documents_.group_segment_bytes, kernel->lds_bytes));
    }
    capture.dynamic_lds_bytes = documents_.group_segment_bytes - kernel->lds_bytes;
    if (!documents_.has_head) find_arguments(*kernel);
    return {};
  }

  /// Older tools do not say which region an argument points to; the kernarg segment does.
  void find_arguments(const isa::Kernel& kernel) {
    Capture& capture = documents_.capture;
    std::ranges::sort(capture.regions, {}, &CapturedRegion::base);
    for (const auto& parameter : kernel.explicit_arguments()) {
      CapturedArgument argument{.kernarg_offset = parameter.offset, .kernarg_size = parameter.size};
      const auto region = region_of(parameter);
      if (region) {
        argument.buffer = true;
        argument.region = *region;
      }
      capture.arguments.push_back(argument);
      if (region && capture.regions[*region].name.empty()) {
        capture.regions[*region].name = fmt::format("argument {}", capture.arguments.size());
      }
    }
    for (auto& region : capture.regions) {
      if (region.name.empty()) region.name = fmt::format("region 0x{:x}", region.base);
    }
  }

  std::optional<std::size_t> region_of(const isa::KernelArgument& parameter) const {
    const Capture& capture = documents_.capture;
    std::uint64_t address = 0;
    const bool pointer = parameter.kind == isa::KernelArgument::Kind::global_buffer &&
                         parameter.size == sizeof(address) &&
                         parameter.offset + sizeof(address) <= capture.kernarg.size();
    if (!pointer) return std::nullopt;
    std::memcpy(&address, capture.kernarg.data() + parameter.offset, sizeof(address));
    const auto found = std::ranges::find_if(capture.regions, [&](const auto& region) {
      return address >= region.base && address - region.base < region.size;
    });
    if (found == capture.regions.end()) return std::nullopt;
    return static_cast<std::size_t>(found - capture.regions.begin());
  }

  FolderReader folder_;
  CaptureDocuments documents_;
  std::map<std::string, const CaptureFile*> listed_;
};

}  // namespace

Result<Capture> read_capture(const std::string& path) {
  auto folder = FolderReader::open(path);
  if (!folder) return tl::unexpected(std::move(folder).error());
  auto capture = CaptureFolder(std::move(*folder)).read();
  if (!capture) return tl::unexpected(std::move(capture).error().in(path));
  return capture;
}

bool is_capture(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path + "/dispatch.json", ignored) &&
         std::filesystem::is_regular_file(path + "/memory_regions.json", ignored);
}

}  // namespace rpl
