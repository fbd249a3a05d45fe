// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/capture.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/folder.h"

namespace rpl {
namespace {

/// Writes files and keeps what capture.json says of them.
class ListedFiles {
 public:
  explicit ListedFiles(FolderWriter& folder) : folder_(folder) {}

  Status write(const std::string& name, std::span<const std::byte> bytes) {
    TRY(folder_.write(name, bytes));
    rows.push_back({.path = name, .bytes = bytes.size(), .sha256 = sha256_hex(as_text(bytes))});
    return {};
  }
  Status write(const std::string& name, const std::string& text) {
    return write(name, std::as_bytes(std::span(text)));
  }

  std::vector<CaptureFile> rows;

 private:
  FolderWriter& folder_;
};

Status write_memory(FolderWriter& folder, ListedFiles& files, const Capture& capture) {
  TRY(folder.make_subfolder("memory"));
  for (const auto& region : capture.regions) TRY(files.write(before_file(region), region.before));
  const bool changed = std::ranges::any_of(
      capture.regions, [](const auto& region) { return region.after.has_value(); });
  if (!changed) return {};
  TRY(folder.make_subfolder("post"));
  for (const auto& region : capture.regions) {
    if (region.after) TRY(files.write(after_file(region), *region.after));
  }
  return {};
}

}  // namespace

Status write_capture(const std::string& path, const Capture& capture) {
  if (auto checked = check_capture(capture); !checked) {
    return fail(Errc::usage, fmt::format("{}: {}", path, checked.error().message));
  }
  const auto object = TRY(object_of(capture));
  const isa::Kernel& kernel =
      *std::ranges::find(object->kernels(), capture.kernel, &isa::Kernel::name);
  FolderWriter folder = TRY(FolderWriter::create(path));
  ListedFiles files(folder);
  TRY(files.write("dispatch.json", dispatch_json(capture, kernel)));
  TRY(files.write("memory_regions.json", regions_json(capture)));
  TRY(files.write("kernarg.bin", std::span(capture.kernarg)));
  TRY(files.write("kernel.hsaco", std::span(capture.code_object)));
  TRY(write_memory(folder, files, capture));
  const std::string head = head_json(capture, files.rows);
  TRY(folder.write("capture.json", std::as_bytes(std::span(head))));
  return folder.commit();
}

}  // namespace rpl
