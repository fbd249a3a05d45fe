// SPDX-License-Identifier: MIT
#include "engine/capture/announced.h"

#include <fmt/format.h>

#include <set>

#include "engine/base/numbers.h"
#include "engine/capture/capture_json.h"

namespace rpl {
namespace {

// What is taken before the JSON files came, and beside the memory of captures without capture.json: code, arguments, variables.
constexpr std::uint64_t kMostBefore = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostBeside = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostOthers = 4096;

/// Sums of sizes that nobody has checked must not wrap.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? ~std::uint64_t{0} : a + b;
}

/// The writer was stopped between linking an equal image and giving it its name.
std::string_view without_link(std::string_view name) {
  constexpr std::string_view kLink = ".link";
  if (name.ends_with(kLink)) name.remove_suffix(kLink.size());
  return name;
}

}  // namespace

Result<AnnouncedFiles> AnnouncedFiles::of(std::string_view head, std::string_view dispatch,
                                          std::string_view regions) {
  const CaptureDocuments documents = TRY(read_documents(head, dispatch, regions));
  AnnouncedFiles out;
  out.known_ = true;
  out.complete_ = documents.has_head;
  std::set<std::string_view> contents;
  for (const CaptureFile& file : documents.files) {
    out.sizes_[file.path] = file.bytes;
    if (contents.insert(file.sha256).second) out.bytes_ = sum(out.bytes_, file.bytes);
  }
  if (out.complete_) return out;
  for (const CapturedRegion& region : documents.capture.regions) {
    out.sizes_[before_file(region)] = region.size;
    out.bytes_ = sum(out.bytes_, region.size);
  }
  return out;
}

Status AnnouncedFiles::take(const std::string& name, std::uint64_t bytes) {
  if (const auto found = sizes_.find(without_link(name)); found != sizes_.end()) {
    if (found->second == bytes) return {};
    return fail(Errc::corrupt, fmt::format("'{}' has {} bytes, the capture's JSON files say {}",
                                           name, bytes, found->second));
  }
  if (complete_)
    return fail(Errc::corrupt, fmt::format("'{}' is not a file that capture.json names", name));
  other_bytes_ = sum(other_bytes_, bytes);
  const std::uint64_t most = known_ ? kMostBeside : kMostBefore;
  if (++others_ <= kMostOthers && other_bytes_ <= most) return {};
  return fail(
      Errc::limit,
      fmt::format("more than {} files or {} {}", format_count(kMostOthers), format_bytes(most),
                  known_ ? "beside the memory of the capture"
                         : "before the JSON files that say what the capture has"),
      "pack it with capture pack, which puts the JSON files first");
}

}  // namespace rpl
