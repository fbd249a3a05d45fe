// SPDX-License-Identifier: MIT
#include "engine/capture/find_captures.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "engine/capture/capture_json.h"
#include "engine/capture/dispatches.h"
#include "engine/capture/folder.h"
#include "engine/capture/marks.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostListedJson = std::uint64_t{64} << 20;

/// Bytes of the regular files below a folder, without holes.
std::uint64_t disk_bytes(const std::string& path) {
  constexpr std::uint64_t kBlockOfStat = 512;
  std::uint64_t total = 0;
  std::set<std::uint64_t> seen;
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end;
       entry.increment(ignored)) {
    struct stat facts{};
    if (::lstat(entry->path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    // Not what the file system rounds up to.
    const std::uint64_t on_disk =
        std::min(static_cast<std::uint64_t>(facts.st_blocks) * kBlockOfStat,
                 static_cast<std::uint64_t>(facts.st_size));
    if (facts.st_nlink == 1 || seen.insert(facts.st_ino).second) total += on_disk;
  }
  return total;
}

Status read_facts_of(const FolderReader& folder, FoundCapture& out) {
  const auto dispatch = TRY(folder.read("dispatch.json", kMostListedJson));
  const auto regions = TRY(folder.read("memory_regions.json", kMostListedJson));
  std::vector<std::byte> head;
  if (folder.has("capture.json")) head = TRY(folder.read("capture.json", kMostListedJson));
  CaptureDocuments documents =
      TRY(read_documents(as_text(head), as_text(dispatch), as_text(regions)));
  if (documents.has_following)
    TRY(read_following(as_text(TRY(folder.read(kFollowingFile, kMostListedJson))), documents));
  const Capture& capture = documents.capture;
  out.kernel = capture.kernel;
  out.architecture = capture.architecture;
  out.grid = capture.grid;
  out.dispatches = dispatch_count(capture);
  out.regions = capture.regions.size();
  out.has_after = capture.has_after;
  for (const CapturedRegion& region : capture.regions)
    out.memory_bytes += (region.changed ? 2 : 1) * region.size;
  out.check = check_of(folder, as_text(head));
  return {};
}

void look_at_partial(const FolderReader& folder, FoundCapture& out) {
  const auto text = folder.read(kPartialFile, kMostListedJson);
  const auto partial =
      text ? read_partial(as_text(*text)) : Result<PartialCapture>(Failure(text.error()));
  if (!partial) {
    // Its writer was killed before it had written this, or somebody else wrote it.
    out.state = CaptureState::interrupted;
    out.reason = partial.error().message;
    return;
  }
  out.kernel = partial->kernel;
  if (partial->failed) {
    out.state = CaptureState::failed;
    out.reason = partial->reason;
    return;
  }
  const WriterState writer = writer_state(*partial);
  out.state = writer == WriterState::gone ? CaptureState::interrupted : CaptureState::writing;
  out.reason = fmt::format("process {}{} began {}{}", partial->pid,
                           writer == WriterState::unknown ? " on " + partial->host : "",
                           partial->started, writer == WriterState::gone ? " and is gone" : "");
}

/// With a trailing slash a link would be followed.
std::string without_slash(const std::string& path) {
  return path.substr(0, path.find_last_not_of('/') + 1);
}

bool is_image(std::string_view name) {
  return name.starts_with("region_") && name.ends_with(".bin");
}

}  // namespace

std::string_view to_string(CaptureState state) {
  switch (state) {
    case CaptureState::complete:
      return "complete";
    case CaptureState::writing:
      return "being written";
    case CaptureState::interrupted:
      return "interrupted";
    case CaptureState::failed:
      return "failed";
    case CaptureState::damaged:
      break;
  }
  return "damaged";
}

std::optional<FoundCapture> look_at_capture(const std::string& path) {
  std::error_code ignored;
  const bool partial = fs::exists(fs::symlink_status(path + "/" + kPartialFile, ignored));
  if (!partial && !is_capture(path)) return std::nullopt;
  const auto folder = FolderReader::open(path);
  if (!folder) return std::nullopt;
  FoundCapture out;
  out.path = path;
  out.stored_bytes = disk_bytes(path);
  if (partial) {
    look_at_partial(*folder, out);
  } else if (const auto read = read_facts_of(*folder, out); !read) {
    out.state = CaptureState::damaged;
    out.reason = read.error().message;
  }
  return out;
}

Result<std::vector<FoundCapture>> find_captures(const std::string& folder) {
  std::vector<FoundCapture> out;
  if (auto one = look_at_capture(folder)) {
    out.push_back(std::move(*one));
    return out;
  }
  TRY(check_input(folder));
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  const bool missing =
      error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error)
    return fail(missing ? Errc::not_found : Errc::io,
                fmt::format("{}: {}", folder, error.message()),
                "'capture list FOLDER' takes a folder of captures");
  std::vector<std::string> names;
  for (; entry != fs::directory_iterator(); entry.increment(error)) {
    TRY(interrupt::check());
    std::error_code ignored;
    if (entry->is_directory(ignored)) names.push_back(entry->path().filename().string());
    if (error) return fail(Errc::io, fmt::format("{}: {}", folder, error.message()));
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    TRY(interrupt::check());
    if (auto one = look_at_capture(folder == "." ? name : (fs::path(folder) / name).string()))
      out.push_back(std::move(*one));
  }
  return out;
}

bool is_capture_file(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames = {
      "capture.json",    "dispatch.json", "memory_regions.json",   "kernarg.bin",   "kernel.hsaco",
      "kernarg_raw.bin", "metadata.json", "module_variables.json", "name_map.json", kPartialFile,
      kCheckFile,        kFollowingFile,  kFollowingKernargFile,   kStepDataFile};
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::ranges::find(kNames, name) != kNames.end();
  const std::string_view folder = name.substr(0, slash), file = name.substr(slash + 1);
  if (file.find('/') != std::string_view::npos || file.find('\0') != std::string_view::npos)
    return false;
  // "….link": the writer was killed while it linked an equal image.
  const bool image =
      is_image(file) || (file.ends_with(".link") && is_image(file.substr(0, file.size() - 5)));
  return folder == "module_variables" ? file.ends_with(".bin")
                                      : (folder == "memory" || folder == "post") && image;
}

Result<FoundCapture> check_removable(const std::string& given) {
  const std::string path = without_slash(given);
  TRY(check_removal(path));
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status))
    return fail(Errc::not_found, fmt::format("{}: no such folder", given),
                "'capture list' names those in this folder");
  if (fs::is_symlink(status))
    return fail(Errc::denied, fmt::format("{} is a symbolic link, not a capture", given),
                "name the folder that it points to");
  auto found = look_at_capture(path);
  if (!found)
    return fail(Errc::denied, fmt::format("{} is not a capture", given),
                "'capture rm' removes folders of captures only");
  if (found->state == CaptureState::writing)
    return fail(Errc::denied, fmt::format("{} is being written: {}", given, found->reason),
                "wait until it is done, or end the program that is captured");
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(path).string();
    const bool folder = fs::is_directory(entry->symlink_status());
    if (folder ? name == "memory" || name == "post" || name == "module_variables"
               : is_capture_file(name))
      continue;
    return fail(Errc::denied,
                fmt::format("{} holds {}, which is not part of a capture", given, name),
                "move it elsewhere first");
  }
  if (error) return fail(Errc::io, fmt::format("{}: {}", given, error.message()));
  return std::move(*found);
}

Status remove_capture(const std::string& given) {
  TRY(check_removable(given));
  std::error_code error;
  fs::remove_all(without_slash(given), error);
  if (error) return fail(Errc::io, fmt::format("{}: {}", given, error.message()));
  return {};
}

}  // namespace rpl
