// SPDX-License-Identifier: MIT
// Writing and reading captures, against write(2) and memcpy of the same bytes. What is compared takes turns, so that both see the same load of the
// machine; the shortest time of each counts. "Until it is written": what the captured program waits for. "With the disk": synchronised, too.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/sha256.h"
#include "engine/capture/capture_writer.h"
#include "engine/isa/object/code_object.h"

namespace {

namespace fs = std::filesystem;
using rpl::Capture;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kChunk = std::size_t{64} << 20;
constexpr std::uint64_t kBase = 0x7f0000000000;
constexpr int kTurns = 3;
constexpr double kGiga = 1e9;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double shortest(double a, double b) { return std::min(a, b); }

struct Times {
  double written = 1e9, durable = 1e9;
  void take(const Times& one) {
    written = shortest(written, one.written);
    durable = shortest(durable, one.durable);
  }
};

/// Bytes in which no page is zero and none equals another.
Bytes noise(std::size_t size) {
  Bytes out(size);
  std::uint64_t state = 88172645463325252;
  for (std::size_t at = 0; at + sizeof(state) <= size; at += sizeof(state)) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    std::memcpy(out.data() + at, &state, sizeof(state));
  }
  return out;
}

[[noreturn]] void give_up(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  std::exit(1);
}

void must(const rpl::Status& status) {
  if (!status) give_up(status.error().message);
}

Times plain_write(const fs::path& path, const Bytes& bytes) {
  const double begin = seconds_now();
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + at, std::min(kChunk, bytes.size() - at));
    if (written <= 0) give_up("cannot write");
    at += static_cast<std::size_t>(written);
  }
  Times out{.written = seconds_now() - begin};
  ::fsync(file);
  ::close(file);
  out.durable = seconds_now() - begin;
  fs::remove(path);
  return out;
}

/// A capture without images, of a kernel that takes no notice of its memory.
Capture dispatch_of(std::uint64_t bytes) {
  const auto object = rpl::isa::CodeObject::open(RPL_EXAMPLES "/objects/vector_add.gfx942.co");
  if (!object) give_up(object.error().message);
  Capture capture;
  capture.kernel = "vector_add";
  capture.architecture = "gfx942";
  capture.kernarg.resize((*object)->kernels().front().kernarg_bytes);
  capture.code_object.assign((*object)->bytes().begin(), (*object)->bytes().end());
  capture.has_after = true;
  capture.regions.push_back(
      {.base = kBase, .size = bytes, .name = "memory", .before = {}, .after = std::nullopt});
  return capture;
}

void append_all(rpl::CaptureWriter& writer, const Bytes& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kChunk)
    must(writer.append(std::span(bytes).subspan(at, std::min(kChunk, bytes.size() - at))));
  if (const auto stored = writer.end(); !stored) give_up(stored.error().message);
}

Times capture_write(const fs::path& path, const Bytes& bytes) {
  const double begin = seconds_now();
  auto writer = rpl::CaptureWriter::create(path.string(), "vector_add");
  if (!writer) give_up(writer.error().message);
  must(writer->begin_before(kBase, bytes.size()));
  append_all(*writer, bytes);
  must(writer->unchanged(kBase));
  Times out{.written = seconds_now() - begin};
  must(writer->commit(dispatch_of(bytes.size())));
  out.durable = seconds_now() - begin;
  return out;
}

/// The image after the dispatch that equals the one before, which costs a hash and no room.
double unchanged_image(const fs::path& path, const Bytes& bytes) {
  auto writer = rpl::CaptureWriter::create(path.string(), "vector_add");
  must(writer->begin_before(kBase, bytes.size()));
  append_all(*writer, bytes);
  const double begin = seconds_now();
  must(writer->begin_after(kBase, bytes.size()));
  append_all(*writer, bytes);
  return seconds_now() - begin;
}

double hash(const Bytes& bytes, rpl::Sha256::Code code) {
  const double begin = seconds_now();
  rpl::Sha256 sum(code);
  sum.add(bytes);
  static_cast<void>(sum.hex());
  return seconds_now() - begin;
}

double copy(const Bytes& bytes) {
  const double begin = seconds_now();
  const Bytes twin(bytes);
  static_cast<void>(*const_cast<const volatile std::byte*>(&twin[twin.size() / 2]));
  return seconds_now() - begin;
}

double read(const fs::path& path) {
  const double begin = seconds_now();
  const auto capture = rpl::read_capture(path.string());
  if (!capture) give_up(capture.error().message);
  return seconds_now() - begin;
}

}  // namespace

int main() {
  const std::size_t size = std::size_t{std::getenv("RPL_BENCH_LARGE") != nullptr ? 4U : 1U} << 30;
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("rpl-capture-bench-{}", ::getpid());
  fs::create_directories(folder);
  const Bytes bytes = noise(size);
  Times plain, captured;
  double copied = 1e9, read_back = 1e9, unchanged = 1e9, fast = 1e9, portable = 1e9;
  for (int i = 0; i < kTurns; ++i) {
    plain.take(plain_write(folder / "plain", bytes));
    captured.take(capture_write(folder / "c", bytes));
    copied = shortest(copied, copy(bytes));
    read_back = shortest(read_back, read(folder / "c"));
    fs::remove_all(folder / "c");
    unchanged = shortest(unchanged, unchanged_image(folder / "d", bytes));
    fast = shortest(fast, hash(bytes, rpl::Sha256::Code::fastest));
    portable = shortest(portable, hash(bytes, rpl::Sha256::Code::portable));
  }
  const Times zeros = capture_write(folder / "zeros", Bytes(size));
  const auto rate = [&](double seconds) { return static_cast<double>(size) / seconds / kGiga; };
  fmt::print("{} MiB, no page of zeros\n", size >> 20);
  fmt::print(
      "until it is written: write(2) {:.2f} GB/s, capture {:.2f} GB/s: ratio {:.2f} (goal: at "
      "least 0.50)\n",
      rate(plain.written), rate(captured.written), plain.written / captured.written);
  fmt::print(
      "with the disk:       write(2) {:.2f} GB/s, capture {:.2f} GB/s: ratio {:.2f} (goal: at "
      "least 0.50)\n",
      rate(plain.durable), rate(captured.durable), plain.durable / captured.durable);
  fmt::print("an image that did not change: {:.2f} GB/s; memory of zeros: {:.2f} GB/s\n",
             rate(unchanged), rate(zeros.written));
  fmt::print("read and checked: {:.2f} GB/s, memcpy {:.2f} GB/s: ratio {:.2f}\n", rate(read_back),
             rate(copied), copied / read_back);
  fmt::print("SHA-256: {:.2f} GB/s, in plain C++ {:.2f} GB/s\n", rate(fast), rate(portable));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return 0;
}
