// SPDX-License-Identifier: MIT
#include "engine/capture/zstd_stream.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "engine/base/close_behind.h"
#include "engine/base/input_file.h"
#include "engine/base/interrupt.h"
#include "engine/base/output_file.h"
#include "engine/base/policy.h"
#include "engine/capture/sparse_file.h"

namespace rpl {

Result<ZstdWriter> ZstdWriter::create(const std::string& path) {
  TRY(check_output(path));
  ZstdWriter out;
  constexpr mode_t kFileMode = 0600;  // memory of a program
  out.file_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  if (!out.file_ && errno == EEXIST)
    return fail(Errc::denied, fmt::format("{} exists already", path), "name another file: -o FILE");
  if (!out.file_) return file_error(path, "create", errno);
  out.path_ = path;
  out.context_.reset(ZSTD_createCCtx());
  // Level 3 is the library's default; the checksum finds what a disk or a copy lost.
  ZSTD_CCtx_setParameter(out.context_.get(), ZSTD_c_checksumFlag, 1);
  out.out_.resize(ZSTD_CStreamOutSize());
  return out;
}

ZstdWriter::~ZstdWriter() {
  if (!file_ || path_.empty()) return;
  ::unlink(path_.c_str());
  std::vector<UniqueFd> removed;
  removed.push_back(std::move(file_));
  close_behind(std::move(removed));
}

Status ZstdWriter::push(std::span<const std::byte> bytes, ZSTD_EndDirective how) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (bool done = false; !done;) {
    TRY(interrupt::check());
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, how);
    if (ZSTD_isError(left) != 0)
      return fail(Errc::internal, fmt::format("{}: compress: {}", path_, ZSTD_getErrorName(left)));
    for (std::size_t at = 0; at < out.pos;) {
      const ssize_t written = ::write(file_.get(), out_.data() + at, out.pos - at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return file_error(path_, "write", written < 0 ? errno : ENOSPC);
      at += static_cast<std::size_t>(written);
    }
    keep_near_disk(file_.get(), bytes_, bytes_ + out.pos);
    bytes_ += out.pos;
    done = how == ZSTD_e_end ? left == 0 : in.pos == in.size;
  }
  return {};
}

Status ZstdWriter::write(std::span<const std::byte> bytes) {
  return bytes.empty() ? Status() : push(bytes, ZSTD_e_continue);
}

Result<std::uint64_t> ZstdWriter::finish() {
  TRY(push({}, ZSTD_e_end));
  TRY(bring_near_disk(file_.get(), bytes_));
  if (::fsync(file_.get()) != 0 && errno != EINVAL) return file_error(path_, "synchronise", errno);
  file_.reset();
  return bytes_;
}

Result<ZstdReader> ZstdReader::open(const std::string& path) {
  ZstdReader out;
  out.path_ = path;
  out.file_ = TRY(open_input(path)).fd;
  out.context_.reset(ZSTD_createDCtx());
  out.in_.resize(ZSTD_DStreamInSize());
  return out;
}

Status ZstdReader::read(std::span<std::byte> bytes) {
  ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
  while (out.pos < out.size) {
    TRY(interrupt::check());
    if (at_ == end_) {
      const ssize_t got = ::read(file_.get(), in_.data(), in_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return file_error(path_, "read", errno);
      if (got == 0) return fail(Errc::corrupt, fmt::format("{}: ends too early", path_));
      at_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    ZSTD_inBuffer in{in_.data(), end_, at_};
    const std::size_t code = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(code) != 0)
      return fail(Errc::corrupt, fmt::format("{}: {}", path_, ZSTD_getErrorName(code)),
                  "packed captures are made by capture pack");
    at_ = in.pos;
  }
  return {};
}

}  // namespace rpl
