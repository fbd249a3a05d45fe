// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/manifest.h"
#include "engine/att/read/wave_states.h"
#include "engine/base/result.h"

/// Reading se<SE>_sm<SIMD>_sl<slot>_wv<n>.json: all instructions of one wave.
namespace rpl::att {

/// One executed instruction. Times are cycles of the shader engine.
struct WaveInstruction {
  std::int64_t time = 0;       ///< when the wave first tried to execute it
  std::int32_t line = -1;      ///< key into the listing; -1: not matched to it
  std::uint32_t duration = 0;  ///< until issue (gfx9) or execution (gfx10 and later) was complete
  std::uint32_t stall = 0;     ///< cycles of these before it issued
  std::int32_t category = 0;   ///< as recorded; 0 to 12 are defined
};

struct WaveHead {
  std::int64_t begin = 0, end = 0;
  std::optional<std::uint32_t> cu;  ///< compute unit, or WGP on gfx10 and later
};

/// What is in a wave file, in pieces as they are read. Nothing counts before read_wave() has returned without an error.
class WaveConsumer {
 public:
  virtual ~WaveConsumer() = default;
  /// A wave begins; also called again for the same wave when its file is read a second time in another way.
  virtual void restart() = 0;
  /// Before the instructions.
  virtual void head(const WaveHead& head) = 0;
  /// In order of time, some at once.
  virtual void instructions(std::span<const WaveInstruction> some) = 0;
  /// The stored `timeline`: cycles by state, of all its runs.
  virtual void states(const StateCycles& cycles) = 0;
  /// Whether state_run() is to be called, before states(), for each run of the timeline.
  [[nodiscard]] virtual bool wants_runs() const { return false; }
  virtual void state_run(std::int64_t /*state*/, std::int64_t /*from*/, std::int64_t /*cycles*/) {}
  /// One entry of the stored `waitcnt`: a wait and the instructions that it waited for.
  virtual void stored_wait(std::int32_t line, std::span<const std::int32_t> waited_for) = 0;
};

/// Memory for reading, used again for the next file. Not for two threads at once.
class WaveBuffers {
 public:
  WaveBuffers();
  ~WaveBuffers();
  WaveBuffers(const WaveBuffers&) = delete;
  WaveBuffers& operator=(const WaveBuffers&) = delete;

  struct Parts;
  [[nodiscard]] Parts& parts() { return *parts_; }
  /// Size of the file read last.
  [[nodiscard]] std::uint64_t file_bytes() const;

 private:
  std::unique_ptr<Parts> parts_;
};

enum class WaveReading { scanner, simdjson };

/// Reads a wave file: by a strict scanner in constant memory, and again with simdjson when it holds anything that the scanner does not take (files up
/// to 64 MiB). Fails with not_found, io, corrupt or limit; then the consumer has seen a part of it.
Result<WaveReading> read_wave(const std::string& path, WaveConsumer& consumer,
                              WaveBuffers& buffers);

/// The two ways apart, for tests and measurements. The scanner fails with corrupt for what it does not take.
Status scan_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers);
Status scan_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers);
Status parse_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers);
Status parse_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers);

/// Adds a run of a timeline, [state, cycles]; false for values that cannot be. A state that the format does not define counts nothing.
inline bool add_run(const std::int64_t (&pair)[2], StateCycles& into) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 40;
  if (pair[1] < 0 || pair[1] > kLongest) return false;
  const bool known = pair[0] >= 0 && pair[0] < static_cast<std::int64_t>(kWaveStates);
  if (!known) return true;
  std::int64_t& sum = into[static_cast<std::size_t>(pair[0])];
  sum += pair[1];
  return sum <= kLongest;
}

/// Gives the runs of a timeline to a consumer that wants them, with the time at which each begins.
class RunClock {
 public:
  RunClock(WaveConsumer& consumer, std::int64_t begin)
      : consumer_(consumer), at_(begin), wanted_(consumer.wants_runs()) {}
  void run(const std::int64_t (&pair)[2]) {
    if (!wanted_) return;
    consumer_.state_run(pair[0], at_, pair[1]);
    at_ = std::min(at_ + pair[1], kLatestTime);
  }

 private:
  WaveConsumer& consumer_;
  std::int64_t at_;
  bool wanted_;
};

/// The five numbers of an instruction; false for values that cannot be.
inline bool make_instruction(const std::int64_t (&cell)[5], WaveInstruction& out) {
  constexpr std::int64_t kLatest = std::int64_t{1} << 53, kMost = UINT32_MAX;
  const auto beyond = [](std::int64_t value, std::int64_t most) {
    return static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(most);
  };
  if (cell[0] < -kLatest || cell[0] > kLatest || beyond(cell[2], kMost) || beyond(cell[3], kMost))
    return false;
  out.time = cell[0];
  out.category = cell[1] < 0 || cell[1] > 255 ? 255 : static_cast<std::int32_t>(cell[1]);
  out.stall = static_cast<std::uint32_t>(cell[2]);
  out.duration = static_cast<std::uint32_t>(cell[3]);
  out.line = cell[4] < 0 || cell[4] > INT32_MAX ? -1 : static_cast<std::int32_t>(cell[4]);
  return true;
}

struct WaveBuffers::Parts {
  std::vector<char> window;  ///< of the scanner
  std::vector<WaveInstruction> batch;
  std::vector<std::int32_t> waited_for;
  std::uint64_t file_bytes = 0;
};

inline constexpr std::size_t kWaveBatch = 2048;

}  // namespace rpl::att
