// SPDX-License-Identifier: MIT
#include "engine/base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/base/close_behind.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/made_files.h"
#include "engine/base/policy.h"

namespace rpl {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

/// Bytes that may be on their way to the disk at once: what has to be waited for where nothing can interrupt.
constexpr std::uint64_t kStretch = std::uint64_t{4} << 20;

/// Begins to write a stretch to the disk, or waits until it is there. What goes wrong is said by fsync() in the end.
void start_writing(int file, std::uint64_t from) {
  static_cast<void>(::sync_file_range(file, static_cast<off_t>(from), static_cast<off_t>(kStretch),
                                      SYNC_FILE_RANGE_WRITE));
}
void wait_for_disk(int file, std::uint64_t from) {
  static_cast<void>(::sync_file_range(
      file, static_cast<off_t>(from), static_cast<off_t>(kStretch),
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER));
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Failure refused(const std::string& path, int error) {
  return fail(Errc::io, fmt::format("cannot write {}: {}", path, std::strerror(error)),
              "choose another place with -o FILE");
}

/// The folder of a path, which stays the same whatever is put in its place; of a restricted session judged by where it is.
Result<UniqueFd> folder_of(const std::string& path, OutputFile::Place place) {
  const std::filesystem::path file(path);
  const std::string parent = file.parent_path().empty() ? "." : file.parent_path().string();
  UniqueFd out(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!out) return refused(path, errno);
  if (!policy().restricted || place == OutputFile::Place::approved) return out;
  const std::filesystem::path real = TRY(opened_place(out.get(), path));
  const std::string found = (real / file.filename()).string();
  TRY(place == OutputFile::Place::named ? check_named_output(found) : check_output(found));
  return out;
}

/// A new file in an open folder; null where that fails, with errno.
std::FILE* create_in(const UniqueFd& folder, const std::string& name) {
  ::unlinkat(folder.get(), name.c_str(), 0);
  UniqueFd file(::openat(folder.get(), name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  std::FILE* out = file ? ::fdopen(file.get(), "w") : nullptr;
  if (out != nullptr) static_cast<void>(file.release());
  return out;
}

/// What is there already is replaced only when it is a file of its own; what is open already may be written to.
Status check_place(const std::string& path, bool& direct) {
  struct stat facts{};
  direct = path == "/dev/null" || names_open_descriptor(path);
  if (direct) return {};
  if (::lstat(path.c_str(), &facts) != 0) return {};
  if (S_ISLNK(facts.st_mode)) {
    return fail(Errc::denied, fmt::format("{} is a symbolic link; it is not written through", path),
                "name the file that it leads to");
  }
  if (S_ISDIR(facts.st_mode)) return refused(path, EISDIR);
  if (!S_ISREG(facts.st_mode)) return not_a_file(path, facts.st_mode);
  return {};
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path, Place place) {
  if (place == Place::own || place == Place::passing) TRY(check_output(path));
  if (place == Place::named) TRY(check_named_output(path));
  if (place == Place::named) TRY(check_replaceable(path));
  OutputFile out;
  out.path_ = path;
  out.place_ = place;
  bool direct = false;
  TRY(check_place(path, direct));
  if (direct) {
    // Behind what was written there already, where it is a file.
    out.file_.reset(std::fopen(path.c_str(), "ae"));
  } else {
    out.folder_ = TRY(folder_of(path, place));
    out.temporary_ = fmt::format("{}.{}.part", path, ::getpid());
    out.file_.reset(create_in(out.folder_, name_of(out.temporary_)));
  }
  if (!out.file_) {
    const int reason = errno;
    out.temporary_.clear();
    return refused(path, reason);
  }
  struct stat before{};
  // A replaced file keeps its mode; a failure to do so is not a reason to lose the content.
  if (!out.temporary_.empty() && ::lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode)) {
    [[maybe_unused]] const int kept = ::fchmod(::fileno(out.file_.get()), before.st_mode & 07777U);
  }
  std::setvbuf(out.file_.get(), nullptr, _IOFBF, kBuffer);
  return out;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      folder_(std::move(other.folder_)),
      file_(std::move(other.file_)),
      place_(other.place_),
      bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  ::unlinkat(folder_.get(), name_of(temporary_).c_str(), 0);
  std::vector<UniqueFd> removed;
  if (file_) removed.emplace_back(::fcntl(::fileno(file_.get()), F_DUPFD_CLOEXEC, 0));
  file_.reset();
  close_behind(std::move(removed));
}

Status OutputFile::write(OutputBytes given) {
  const std::string_view text = given.bytes();
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return refused(path_, errno);
  }
  const std::uint64_t now = bytes_ + text.size();
  // Whatever makes a large file that somebody asked for can be stopped here, however seldom it looks at the flag itself.
  if (place_ == Place::named && now / kStretch > bytes_ / kStretch) TRY(interrupt::check());
  if (!temporary_.empty() && place_ != Place::passing)
    keep_near_disk(::fileno(file_.get()), bytes_, now);
  bytes_ += text.size();
  return {};
}

Result<std::string> OutputFile::content_path() const {
  if (temporary_.empty())
    return fail(Errc::usage, path_ + " is open already; this output needs a file of its own",
                "name a new file with -o FILE");
  return temporary_;
}

Status OutputFile::commit() {
  if (std::fflush(file_.get()) != 0) return refused(path_, errno);
  struct stat written{};
  if (bytes_ == 0 && ::fstat(::fileno(file_.get()), &written) == 0 && S_ISREG(written.st_mode))
    bytes_ = static_cast<std::uint64_t>(written.st_size);
  if (temporary_.empty()) {
    file_.reset();
    return {};
  }
  mark_made(::fileno(file_.get()));
  if (place_ != Place::passing) TRY(synchronise());
  file_.reset();
  if (::renameat(folder_.get(), name_of(temporary_).c_str(), folder_.get(),
                 name_of(path_).c_str()) != 0)
    return refused(path_, errno);
  temporary_.clear();
  made_file(path_);
  return {};
}

Status OutputFile::synchronise() {
  TRY(bring_near_disk(::fileno(file_.get()), bytes_));
  if (::fsync(::fileno(file_.get())) != 0) return refused(path_, errno);
  return {};
}

void keep_near_disk(int file, std::uint64_t before, std::uint64_t after) {
  const std::uint64_t full = after / kStretch * kStretch;
  if (full <= before) return;
  start_writing(file, full - kStretch);
  if (full >= 2 * kStretch) wait_for_disk(file, full - 2 * kStretch);
}

Status bring_near_disk(int file, std::uint64_t bytes) {
  for (std::uint64_t at = 0; bytes > kStretch && at < bytes; at += kStretch) {
    TRY(interrupt::check());
    wait_for_disk(file, at);
  }
  return {};
}

}  // namespace rpl
