// SPDX-License-Identifier: MIT
#include "engine/trace/bytes/unpacker.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::size_t kPackedChunkBytes = std::size_t{256} << 10;
/// zlib: a window of 32 KiB, and a gzip header is expected.
constexpr int kGzipWindow = 15 + 16;

}  // namespace

Packing packing_of(std::string_view first) {
  if (first.starts_with("\x1f\x8b")) return Packing::gzip;
  if (first.starts_with("\x28\xb5\x2f\xfd")) return Packing::zstd;
  return Packing::none;
}

std::string unpack_command(Packing packing, const std::string& path) {
  return (packing == Packing::gzip ? "gunzip -k " : "zstd -d ") + path;
}

struct Unpacker::State {
  std::string name;
  int fd = -1;
  Packing packing = Packing::none;
  std::uint64_t file_bytes = 0;
  UnpackLimits limits;

  std::vector<unsigned char> in;
  std::size_t at = 0, filled = 0;      ///< of `in`
  std::uint64_t file_at = 0, out = 0;  ///< bytes read of the file, bytes that came out
  bool file_ended = false, ended = false, cut = false;
  /// Between two members or frames: the file may end here.
  bool between = true;
  z_stream inflater{};
  bool inflating = false;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd{nullptr, &ZSTD_freeDCtx};

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (inflating) ::inflateEnd(&inflater);
  }

  [[nodiscard]] std::uint64_t place() const { return file_at - (filled - at); }

  Failure broken(std::string_view why) const {
    return fail(Errc::corrupt,
                fmt::format("{}: byte {} of the packed file: {}", name, place(), why),
                "copy the file again; the copy is damaged");
  }

  Status begin() {
    at = filled = 0;
    file_at = out = 0;
    file_ended = ended = cut = false;
    between = true;
    if (packing == Packing::gzip) {
      const int code =
          inflating ? ::inflateReset(&inflater) : ::inflateInit2(&inflater, kGzipWindow);
      if (code != Z_OK) return fail(Errc::internal, name + ": zlib could not be started");
      inflating = true;
      return {};
    }
    if (!zstd) zstd.reset(ZSTD_createDCtx());
    if (!zstd) return fail(Errc::internal, name + ": zstd could not be started");
    ZSTD_DCtx_reset(zstd.get(), ZSTD_reset_session_only);
    return {};
  }

  /// Reads on where nothing is left of what was read.
  Status fill() {
    if (at < filled || file_ended) return {};
    TRY(interrupt::check());
    in.resize(kPackedChunkBytes);
    ssize_t got = -1;
    do {
      got = ::pread(fd, in.data(), in.size(), static_cast<off_t>(file_at));
    } while (got < 0 && errno == EINTR);
    if (got < 0) return fail(Errc::io, fmt::format("{}: {}", name, std::strerror(errno)));
    at = 0;
    filled = static_cast<std::size_t>(got);
    file_at += filled;
    file_ended = got == 0;
    return {};
  }

  /// One step of zlib; what came out.
  Result<std::size_t> inflate_into(std::span<char> into) {
    if (between && out > 0) {
      // What follows the last member and begins no other one is padding, as gzip has it.
      if (in[at] != 0x1f) {
        ended = true;
        return 0;
      }
      ::inflateReset(&inflater);
    }
    between = false;
    inflater.next_in = in.data() + at;
    inflater.avail_in = static_cast<uInt>(filled - at);
    inflater.next_out = reinterpret_cast<Bytef*>(into.data());
    inflater.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), 1U << 30));
    const uInt room = inflater.avail_out;
    const int code = ::inflate(&inflater, Z_NO_FLUSH);
    at = filled - inflater.avail_in;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return broken(inflater.msg != nullptr ? inflater.msg : "damaged gzip stream");
    between = code == Z_STREAM_END;
    return room - inflater.avail_out;
  }

  Result<std::size_t> decompress_into(std::span<char> into) {
    ZSTD_inBuffer from{in.data(), filled, at};
    ZSTD_outBuffer to{into.data(), into.size(), 0};
    const std::size_t code = ZSTD_decompressStream(zstd.get(), &to, &from);
    at = from.pos;
    if (ZSTD_isError(code) != 0) return broken(ZSTD_getErrorName(code));
    between = code == 0;
    return to.pos;
  }

  Status check_limits() const {
    const auto command = unpack_command(packing, name);
    const auto refused = [&](const std::string& limit) {
      return fail(Errc::limit,
                  fmt::format("{} unpacks to more than {}, which is the limit", name, limit),
                  fmt::format("if it is no trick, unpack it and open the result: '{}'", command));
    };
    if (out > limits.most_bytes) return refused(format_bytes(limits.most_bytes));
    if (out > limits.free_bytes && out / limits.most_ratio > file_bytes)
      return refused(fmt::format("{} times its size", format_count(limits.most_ratio)));
    return {};
  }

  Result<std::size_t> read(std::span<char> into) {
    std::size_t done = 0;
    while (done < into.size() && !ended) {
      TRY(fill());
      if (file_ended && at == filled) {
        // zstd may hold back what it has already decoded.
        const std::size_t rest =
            packing == Packing::zstd && !between ? TRY(decompress_into(into.subspan(done))) : 0;
        if (rest == 0) {
          ended = true;
          cut = !between;
        }
        done += rest;
        out += rest;
        continue;
      }
      const std::span<char> room = into.subspan(done);
      const std::size_t got =
          packing == Packing::gzip ? TRY(inflate_into(room)) : TRY(decompress_into(room));
      done += got;
      out += got;
      TRY(check_limits());
    }
    return done;
  }
};

Unpacker::Unpacker(std::unique_ptr<State> state) : state_(std::move(state)) {}
Unpacker::Unpacker(Unpacker&& other) noexcept = default;
Unpacker& Unpacker::operator=(Unpacker&& other) noexcept = default;
Unpacker::~Unpacker() = default;

Result<Unpacker> Unpacker::make(std::string name, int fd, Packing packing, std::uint64_t file_bytes,
                                const UnpackLimits& limits) {
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->fd = fd;
  state->packing = packing;
  state->file_bytes = file_bytes;
  state->limits = limits;
  TRY(state->begin());
  return Unpacker(std::move(state));
}

Result<std::size_t> Unpacker::read(std::span<char> into) { return state_->read(into); }
Status Unpacker::rewind() { return state_->begin(); }
std::uint64_t Unpacker::position() const { return state_->out; }
std::uint64_t Unpacker::used() const { return state_->place(); }
bool Unpacker::cut_short() const { return state_->cut; }

}  // namespace rpl
