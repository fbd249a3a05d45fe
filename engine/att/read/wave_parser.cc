// SPDX-License-Identifier: MIT
// Wave files as trees: any order of keys, any spelling of numbers.
#include <fmt/format.h>

#include "engine/att/read/json_document.h"
#include "engine/att/read/wave_file.h"
#include "engine/att/read/wave_states.h"

namespace rpl::att {
namespace {

constexpr std::uint64_t kMostWaveBytes = std::uint64_t{64} << 20;
constexpr std::int64_t kLatestInWave = std::int64_t{1} << 53;

Failure broken(std::string_view name, std::string_view what) {
  return fail(Errc::corrupt, fmt::format("{}: {}", name, what));
}

class WaveTree {
 public:
  WaveTree(std::string_view name, WaveConsumer& consumer, WaveBuffers::Parts& parts)
      : name_(name), consumer_(consumer), parts_(parts) {}

  Status read(const JsonNode& root) {
    const auto wave = root.member("wave");
    if (!wave) return broken(name_, "no wave in it");
    WaveHead head;
    head.begin = TRY(time(*wave, "begin"));
    head.end = TRY(time(*wave, "end"));
    if (const auto cu = wave->member("cu")) {
      if (const auto number = cu->count(UINT16_MAX)) head.cu = static_cast<std::uint32_t>(*number);
    }
    consumer_.head(head);
    if (const auto rows = wave->list("instructions")) TRY(instructions(*rows));
    if (const auto runs = wave->list("timeline")) TRY(timeline(*runs, head.begin));
    if (const auto waits = wave->list("waitcnt")) TRY(stored_waits(*waits));
    return {};
  }

 private:
  Result<std::int64_t> time(const JsonNode& wave, std::string_view key) const {
    const auto found = wave.member(key);
    const auto value = found ? found->integer() : std::nullopt;
    if (!value || *value < -kLatestInWave || *value > kLatestInWave)
      return broken(name_, fmt::format("no '{}' that can be", key));
    return *value;
  }

  Status instructions(const JsonNode& rows) {
    auto& batch = parts_.batch;
    batch.clear();
    for (const JsonNode& row : rows.elements()) {
      std::int64_t cell[5];
      WaveInstruction made;
      if (row.integers(cell) < 5 || !make_instruction(cell, made))
        return broken(name_, "an instruction that cannot be");
      batch.push_back(made);
      if (batch.size() == kWaveBatch) {
        consumer_.instructions(batch);
        batch.clear();
      }
    }
    consumer_.instructions(batch);
    return {};
  }

  Status timeline(const JsonNode& runs, std::int64_t begin) {
    StateCycles cycles{};
    RunClock clock(consumer_, begin);
    for (const JsonNode& run : runs.elements()) {
      std::int64_t pair[2];
      if (run.integers(pair) < 2 || !add_run(pair, cycles))
        return broken(name_, "a timeline that cannot be");
      clock.run(pair);
    }
    consumer_.states(cycles);
    return {};
  }

  Status stored_waits(const JsonNode& entries) {
    const auto fits = [](std::int64_t line) { return line >= INT32_MIN && line <= INT32_MAX; };
    for (const JsonNode& item : entries.elements()) {
      const std::vector<JsonNode> entry = item.elements();
      const auto line = entry.size() < 2 ? std::nullopt : entry[0].integer();
      if (!line || !fits(*line) || !entry[1].is_list())
        return broken(name_, "a wait list that cannot be");
      auto& deps = parts_.waited_for;
      deps.clear();
      for (const JsonNode& dep : entry[1].elements()) {
        std::int64_t first[1];
        if (dep.integers(first) < 1 || !fits(first[0]))
          return broken(name_, "a wait list that cannot be");
        deps.push_back(static_cast<std::int32_t>(first[0]));
      }
      consumer_.stored_wait(static_cast<std::int32_t>(*line), deps);
    }
    return {};
  }

  std::string_view name_;
  WaveConsumer& consumer_;
  WaveBuffers::Parts& parts_;
};

}  // namespace

Status parse_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers) {
  consumer.restart();
  JsonDocument document;
  return WaveTree("wave", consumer, buffers.parts()).read(TRY(document.parse(text, "wave")));
}

Status parse_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers) {
  consumer.restart();
  JsonDocument document;
  return WaveTree(path, consumer, buffers.parts()).read(TRY(document.read(path, kMostWaveBytes)));
}

Result<WaveReading> read_wave(const std::string& path, WaveConsumer& consumer,
                              WaveBuffers& buffers) {
  const Status scanned = scan_wave(path, consumer, buffers);
  if (scanned) return WaveReading::scanner;
  if (scanned.error().code != Errc::corrupt) return Failure(scanned.error());
  const Status parsed = parse_wave(path, consumer, buffers);
  if (parsed) return WaveReading::simdjson;
  // The scanner says where; simdjson only that.
  return Failure(parsed.error().code == Errc::limit ? parsed.error() : scanned.error());
}

}  // namespace rpl::att
