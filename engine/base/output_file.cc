// SPDX-License-Identifier: MIT
#include "engine/base/output_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/input_file.h"
#include "engine/base/policy.h"

namespace rpl {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

Failure refused(const std::string& path, int error) {
  return fail(Errc::io, fmt::format("cannot write {}: {}", path, std::strerror(error)),
              "choose another place with -o FILE");
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
  if (place == Place::asked) TRY(check_output(path));
  OutputFile out;
  out.path_ = path;
  bool direct = false;
  TRY(check_place(path, direct));
  if (direct) {
    // Behind what was written there already, where it is a file.
    out.file_.reset(std::fopen(path.c_str(), "ae"));
  } else {
    out.temporary_ = fmt::format("{}.{}.part", path, ::getpid());
    std::remove(out.temporary_.c_str());
    out.file_.reset(std::fopen(out.temporary_.c_str(), "wxe"));
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
      file_(std::move(other.file_)),
      bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  file_.reset();
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

Status OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    return refused(path_, errno);
  }
  // The disk begins while more is made, so that the end of a large file, which nothing can interrupt, is not all of it.
  constexpr unsigned kStretchBits = 23;
  if (!temporary_.empty() && bytes_ >> kStretchBits != (bytes_ + text.size()) >> kStretchBits)
    static_cast<void>(::sync_file_range(::fileno(file_.get()), 0, 0, SYNC_FILE_RANGE_WRITE));
  bytes_ += text.size();
  return {};
}

Status OutputFile::commit() {
  if (std::fflush(file_.get()) != 0) return refused(path_, errno);
  if (temporary_.empty()) {
    file_.reset();
    return {};
  }
  if (::fsync(::fileno(file_.get())) != 0) return refused(path_, errno);
  file_.reset();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return refused(path_, errno);
  temporary_.clear();
  made_file(path_);
  return {};
}

}  // namespace rpl
