// SPDX-License-Identifier: MIT
#include "engine/capture/capture_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/capture/capture.h"

namespace rpl {
namespace {

Failure misuse(const std::string& message) { return rpl::fail(Errc::usage, message); }

}  // namespace

Result<CaptureWriter> CaptureWriter::create(const std::string& path, std::string kernel) {
  CaptureWriter writer(TRY(FolderWriter::create(path)), partial_of_this_process(std::move(kernel)));
  TRY(writer.write_partial());
  return writer;
}

Status CaptureWriter::write_partial() {
  const std::string path = folder_.place_of(kPartialFile);
  if (!partial_file_) {
    constexpr mode_t kFileMode = 0600;  // memory of a program
    partial_file_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
    if (!partial_file_) return file_error(path, "create", errno);
  }
  // In place: a full disk must not keep the reason from being written.
  const std::string text = partial_json(partial_);
  const ssize_t written = ::pwrite(partial_file_.get(), text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size()))
    return file_error(path, "write", written < 0 ? errno : ENOSPC);
  return {};
}

Status CaptureWriter::begin_before(std::uint64_t base, std::uint64_t size) {
  if (open_) return misuse(fmt::format("{}: another image is still open", open_->name));
  if (images_.contains(base))
    return misuse(fmt::format("region 0x{:x} has an image already", base));
  TRY(folder_.make_subfolder("memory"));
  Open opened{.name = before_file(base),
              .base = base,
              .size = size,
              .earlier = std::nullopt,
              .file = std::nullopt};
  opened.file = TRY(SparseFile::create(folder_.place_of(opened.name), size, SparseFile::Hash::no));
  hashes_->follow(opened.file->path());
  open_ = std::move(opened);
  return {};
}

Status CaptureWriter::begin_after(std::uint64_t base, std::uint64_t size) {
  if (open_) return misuse(fmt::format("{}: another image is still open", open_->name));
  const auto image = images_.find(base);
  if (image == images_.end() || image->second.size != size) {
    return misuse(
        fmt::format("region 0x{:x} of {} bytes has no image from before the dispatch", base, size));
  }
  if (image->second.seen_after)
    return misuse(fmt::format("region 0x{:x} has an image from after the dispatch already", base));
  Open opened{.name = after_file(base),
              .base = base,
              .size = size,
              .earlier = std::nullopt,
              .file = std::nullopt};
  opened.earlier = TRY(EarlierImage::open(folder_.place_of(before_file(base))));
  open_ = std::move(opened);
  return {};
}

Status CaptureWriter::append(std::span<const std::byte> bytes) {
  if (!open_) return misuse("no image is open");
  auto added = open_->earlier ? append_after(bytes) : append_to_file(bytes);
  // What cannot be finished only takes room, which the reason of the failure may need.
  if (!added) discard();
  return added;
}

Status CaptureWriter::append_to_file(std::span<const std::byte> bytes) {
  // Hashing begins behind the first of these, not behind them all.
  constexpr std::size_t kFollowed = std::size_t{8} << 20;
  do {
    const auto part = bytes.first(std::min(bytes.size(), kFollowed));
    TRY(open_->file->append(part));
    hashes_->advance(open_->file->position());
    bytes = bytes.subspan(part.size());
  } while (!bytes.empty());
  return {};
}

Status CaptureWriter::append_after(std::span<const std::byte> bytes) {
  if (!open_->file) {
    if (bytes.size() > open_->size - open_->earlier->position()) {
      return misuse(
          fmt::format("{}: more than the {} bytes that were announced", open_->name, open_->size));
    }
    bytes = bytes.subspan(TRY(open_->earlier->same(bytes)));
    if (bytes.empty()) return {};
    TRY(folder_.make_subfolder("post"));
    open_->file =
        TRY(SparseFile::create(folder_.place_of(open_->name), open_->size, SparseFile::Hash::no));
    hashes_->follow(open_->file->path());
    TRY(open_->earlier->copy_to(*open_->file));
  }
  return append_to_file(bytes);
}

Result<StoredFile> CaptureWriter::end() {
  if (!open_) return misuse("no image is open");
  StoredFile stored{.bytes = open_->size, .stored_bytes = 0, .sha256 = {}, .kept = false};
  if (open_->file) {
    auto closed = open_->file->close();
    if (!closed) {
      discard();
      return closed;
    }
    stored = std::move(*closed);
  } else if (open_->earlier->position() != open_->size) {
    auto error = misuse(fmt::format("{}: {} of {} bytes were given", open_->name,
                                    open_->earlier->position(), open_->size));
    discard();
    return error;
  }
  if (stored.kept) {
    hashes_->finish();
    files_.push_back({.file = {.path = open_->name, .bytes = stored.bytes, .sha256 = {}},
                      .stored_bytes = stored.stored_bytes});
    stored_bytes_ += stored.stored_bytes;
  }
  Image& image = images_[open_->base];
  image.size = open_->size;
  image.seen_after = open_->earlier.has_value();
  image.changed = image.seen_after && stored.kept;
  open_.reset();
  return stored;
}

Status CaptureWriter::finish_images() {
  const auto hashes = TRY(hashes_->wait());
  std::map<std::pair<std::string, std::uint64_t>, std::string> first;  // name by hash and size
  for (Listed& one : files_) {
    one.file.sha256 = hashes.at(folder_.place_of(one.file.path));
    const auto [same, is_new] = first.try_emplace({one.file.sha256, one.file.bytes}, one.file.path);
    // Nothing is won by linking files that take no room.
    if (is_new || one.stored_bytes == 0) continue;
    TRY(link(one.file.path, same->second));
    stored_bytes_ -= one.stored_bytes;
  }
  return {};
}

Status CaptureWriter::link(const std::string& name, const std::string& same) {
  const std::string path = folder_.place_of(name), beside = path + ".link";
  // File systems without hard links, or with a limit on them, keep the copy.
  if (::link(folder_.place_of(same).c_str(), beside.c_str()) != 0) return {};
  if (::rename(beside.c_str(), path.c_str()) != 0) return file_error(path, "rename", errno);
  return {};
}

void CaptureWriter::discard() {
  if (!open_) return;
  if (open_->file) {
    hashes_->drop();
    ::unlink(open_->file->path().c_str());
  }
  open_.reset();
}

Status CaptureWriter::unchanged(std::uint64_t base) {
  const auto image = images_.find(base);
  if (image == images_.end())
    return misuse(fmt::format("region 0x{:x} has no image from before the dispatch", base));
  image->second.seen_after = true;
  return {};
}

Status CaptureWriter::write_small(const std::string& name, std::span<const std::byte> bytes) {
  SparseFile file = TRY(SparseFile::create(folder_.place_of(name), bytes.size()));
  TRY(file.append(bytes));
  const StoredFile stored = TRY(file.close());
  files_.push_back({.file = {.path = name, .bytes = stored.bytes, .sha256 = stored.sha256},
                    .stored_bytes = stored.stored_bytes});
  stored_bytes_ += stored.stored_bytes;
  return {};
}

Status CaptureWriter::match_images(std::vector<CapturedRegion>& regions, bool has_after) const {
  for (CapturedRegion& region : regions) {
    const auto image = images_.find(region.base);
    if (image == images_.end() || image->second.size != region.size) {
      return misuse(
          fmt::format("region 0x{:x} of {} bytes has no image", region.base, region.size));
    }
    if (has_after && !image->second.seen_after)
      return misuse(fmt::format("region 0x{:x} has no image from after the dispatch", region.base));
    if (!has_after && image->second.changed)
      return misuse(fmt::format("region 0x{:x} has an image from after the dispatch", region.base));
    region.changed = image->second.changed;
  }
  if (regions.size() != images_.size()) {
    return misuse(fmt::format("{} regions for {} images", regions.size(), images_.size()));
  }
  return {};
}

Status CaptureWriter::commit(Capture capture) {
  if (open_) return misuse(fmt::format("{}: is still open", open_->name));
  const auto object = TRY(object_of(capture));
  const isa::Kernel* kernel = object->kernel_exactly(capture.kernel);
  if (kernel == nullptr)
    return misuse(fmt::format("the code object has no kernel '{}'", capture.kernel));
  const bool known = !capture.arguments.empty() ||
                     std::ranges::any_of(capture.then, [](const FollowingDispatch& dispatch) {
                       return !dispatch.arguments.empty();
                     });
  if (!known) find_arguments(*object, capture);
  if (const auto checked = check_dispatch(capture); !checked)
    return misuse(fmt::format("{}: {}", folder_.path(), checked.error().message));
  TRY(match_images(capture.regions, capture.has_after));
  TRY(finish_images());
  TRY(folder_.make_subfolder("memory"));
  TRY(write_text("dispatch.json", dispatch_json(capture, *kernel)));
  TRY(write_text("memory_regions.json", regions_json(capture)));
  TRY(write_small("kernarg.bin", capture.kernarg));
  TRY(write_small("kernel.hsaco", capture.code_object));
  if (!capture.then.empty()) {
    TRY(write_text(kFollowingFile, following_json(capture)));
    TRY(write_small(kFollowingKernargFile, following_kernargs(capture)));
    const std::vector<std::byte> data = step_data(capture);
    if (!data.empty()) TRY(write_small(kStepDataFile, data));
  }
  std::vector<CaptureFile> listed;
  for (const Listed& one : files_) listed.push_back(one.file);
  TRY(write_text("capture.json", head_json(capture, *kernel, listed)));
  std::vector<std::string> names;
  for (const Listed& one : files_) names.push_back(one.file.path);
  // Whole from here on; under its temporary name until the rename.
  const std::string mark = folder_.place_of(kPartialFile);
  if (::unlink(mark.c_str()) != 0) return file_error(mark, "remove", errno);
  partial_file_.reset();
  return folder_.commit(names);
}

Status CaptureWriter::fail(const std::string& reason) {
  discard();
  hashes_->stop();
  partial_.failed = true;
  partial_.reason = reason;
  auto written = write_partial();
  partial_file_.reset();
  folder_.leave();
  return written;
}

namespace {

Capture without_images(const Capture& capture) {
  Capture out{.kernel = capture.kernel,
              .architecture = capture.architecture,
              .grid = capture.grid,
              .workgroup = capture.workgroup,
              .dynamic_lds_bytes = capture.dynamic_lds_bytes,
              .scratch_bytes = capture.scratch_bytes,
              .kernarg = capture.kernarg,
              .code_object = capture.code_object,
              .load_base = capture.load_base,
              .regions = {},
              .arguments = capture.arguments,
              .then = capture.then,
              .has_after = capture.has_after,
              .target = capture.target,
              .model = capture.model,
              .tool = capture.tool,
              .source_note = capture.source_note,
              .facts = capture.facts};
  for (const CapturedRegion& region : capture.regions) {
    out.regions.push_back({.base = region.base,
                           .size = region.size,
                           .name = region.name,
                           .variable = region.variable,
                           .before = {},
                           .after = std::nullopt,
                           .kind = region.kind,
                           .owner = region.owner,
                           .flags = region.flags});
  }
  return out;
}

}  // namespace

Status write_capture(const std::string& path, const Capture& capture) {
  if (auto checked = check_capture(capture); !checked) {
    return fail(Errc::usage, fmt::format("{}: {}", path, checked.error().message));
  }
  CaptureWriter writer = TRY(CaptureWriter::create(path, capture.kernel));
  for (const CapturedRegion& region : capture.regions) {
    TRY(writer.begin_before(region.base, region.size));
    TRY(writer.append(region.before));
    TRY(writer.end());
  }
  for (const CapturedRegion& region : capture.regions) {
    if (!region.after) {
      TRY(writer.unchanged(region.base));
      continue;
    }
    TRY(writer.begin_after(region.base, region.size));
    TRY(writer.append(*region.after));
    TRY(writer.end());
  }
  return writer.commit(without_images(capture));
}

}  // namespace rpl
