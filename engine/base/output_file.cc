// SPDX-License-Identifier: MIT
#include "engine/base/output_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace rpl {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

Failure refused(const std::string& path, int error) {
  return fail(Errc::io, fmt::format("cannot write {}: {}", path, std::strerror(error)),
              "choose another place with -o FILE");
}

/// Where a rename must put the file: what a symbolic link points to, so that the link stays.
std::string final_place(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  return error ? path : resolved.string();
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  OutputFile out;
  out.path_ = path;
  out.target_ = final_place(path);
  std::error_code error;
  const auto status = std::filesystem::status(out.target_, error);
  if (std::filesystem::is_directory(status)) return refused(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    out.file_.reset(std::fopen(out.target_.c_str(), "we"));
  } else {
    out.temporary_ = fmt::format("{}.{}.part", out.target_, ::getpid());
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
  if (!out.temporary_.empty() && ::stat(out.target_.c_str(), &before) == 0) {
    [[maybe_unused]] const int kept = ::fchmod(::fileno(out.file_.get()), before.st_mode & 07777U);
  }
  std::setvbuf(out.file_.get(), nullptr, _IOFBF, kBuffer);
  return out;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
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
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return refused(path_, errno);
  temporary_.clear();
  return {};
}

}  // namespace rpl
