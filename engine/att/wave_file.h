// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  /// One run of the stored `timeline`.
  virtual void state(std::size_t state, std::int64_t cycles) = 0;
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

 private:
  std::unique_ptr<Parts> parts_;
};

enum class WaveReading { scanner, simdjson };

/// Reads a wave file: by a strict scanner in constant memory, and again with simdjson when it holds anything that the scanner does not take (files up
/// to 64 MiB). Fails with not_found, io, corrupt or limit; then the consumer has seen a part of it.
Result<WaveReading> read_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers);

/// The two ways apart, for tests and measurements. The scanner fails with corrupt for what it does not take.
Status scan_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers);
Status scan_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers);
Status parse_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers);
Status parse_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers);

/// The five numbers of an instruction; false for values that cannot be.
bool make_instruction(const std::int64_t (&cell)[5], WaveInstruction& out);

}  // namespace rpl::att
