// SPDX-License-Identifier: MIT
// The strict scanner: numbers in fixed places, eight digits at a time, in a window that moves over the file.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "engine/att/number_scan.h"
#include "engine/att/wave_buffers.h"
#include "engine/att/wave_states.h"
#include "engine/trace/byte_source.h"

namespace rpl::att {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::size_t kPadding = 64;  ///< zeros behind the window: no number goes on there
constexpr std::size_t kRowRoom = 256;  ///< a row of five numbers is never longer

class Scanner {
 public:
  Scanner(const ByteSource& source, WaveConsumer& consumer, WaveBuffers::Parts& parts)
      : source_(source), consumer_(consumer), parts_(parts) {
    parts_.window.resize(kWindow + kPadding);
    p_ = end_ = parts_.window.data();
  }

  Status run() {
    bool seen = false;
    TRY(object([&](std::string_view key) -> Status {
      if (key != "wave") return skip();
      if (seen) return wrong();
      seen = true;
      return wave();
    }));
    TRY(room());
    if (!seen || next() != 0) return wrong();
    return {};
  }

 private:
  tl::unexpected<Error> wrong() const {
    return fail(Errc::corrupt,
                fmt::format("{}: unexpected or missing text at byte {}", source_.name(),
                            base_ + static_cast<std::uint64_t>(p_ - parts_.window.data())));
  }

  /// Makes kRowRoom bytes readable from p_, or all that are left with zeros behind them.
  Status room() {
    if (static_cast<std::size_t>(end_ - p_) >= kRowRoom || at_end_) return {};
    char* const front = parts_.window.data();
    const auto left = static_cast<std::size_t>(end_ - p_);
    std::memmove(front, p_, left);
    base_ += static_cast<std::uint64_t>(p_ - front);
    const std::size_t got = TRY(source_.read_at(base_ + left, {front + left, kWindow - left}));
    p_ = front;
    end_ = front + left + got;
    at_end_ = got < kWindow - left;
    std::memset(front + left + got, 0, kPadding);
    return {};
  }

  static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  /// The next character that is no white space; 0 at the end. Call room() first.
  char next() {
    while (blank(*p_)) {
      ++p_;
      if (end_ - p_ < 8 && !at_end_ && !room()) return 0;
    }
    return p_ < end_ ? *p_ : '\0';
  }

  Status expect(char wanted) {
    TRY(room());
    if (next() != wanted) return wrong();
    ++p_;
    return {};
  }

  bool take_null() {
    if (next() != 'n' || end_ - p_ < 4 || std::memcmp(p_, "null", 4) != 0) return false;
    p_ += 4;
    return true;
  }

  Result<std::int64_t> integer() {
    TRY(room());
    std::int64_t value = 0;
    static_cast<void>(next());
    if (!number_at(p_, value) || *p_ == '.' || *p_ == 'e' || *p_ == 'E') return wrong();
    return value;
  }

  /// A key without escapes. It is copied: reading on moves the window.
  Status key(std::string& out) {
    TRY(expect('"'));
    const auto* close = static_cast<const char*>(
        std::memchr(p_, '"', std::min<std::size_t>(static_cast<std::size_t>(end_ - p_), 64)));
    if (close == nullptr) return wrong();
    out.assign(p_, close);
    if (out.find('\\') != std::string::npos) return wrong();
    p_ = close + 1;
    return expect(':');
  }

  template <class Member>
  Status object(Member&& member) {
    TRY(expect('{'));
    std::string name;
    while (true) {
      TRY(key(name));
      TRY(room());
      TRY(member(name));
      TRY(room());
      const char c = next();
      ++p_;
      if (c == '}') return {};
      if (c != ',') {
        --p_;
        return wrong();
      }
    }
  }

  /// Calls element() at each element of a list; null is an empty one.
  template <class Element>
  Status list(Element&& element) {
    TRY(room());
    if (take_null()) return {};
    TRY(expect('['));
    TRY(room());
    if (next() == ']') {
      ++p_;
      return {};
    }
    while (true) {
      TRY(element());
      TRY(room());
      const char c = next();
      ++p_;
      if (c == ']') return {};
      if (c != ',') {
        --p_;
        return wrong();
      }
    }
  }

  Status wave() {
    WaveHead head;
    int known = 0;
    bool told = false, states = false, lists = false;
    TRY(object([&](std::string_view name) -> Status {
      if (name == "begin" || name == "end") {
        if (told || known == 2) return wrong();
        const std::int64_t value = TRY(integer());
        if (value < -(std::int64_t{1} << 53) || value > (std::int64_t{1} << 53)) return wrong();
        (name == "begin" ? head.begin : head.end) = value;
        ++known;
        return {};
      }
      if (name == "cu") {
        const std::int64_t value = TRY(integer());
        if (value >= 0 && value <= UINT16_MAX) head.cu = static_cast<std::uint32_t>(value);
        return {};
      }
      if (name == "instructions") {
        // What follows needs the head; another order of keys is for simdjson.
        if (known != 2 || told) return wrong();
        told = true;
        consumer_.head(head);
        return instructions();
      }
      // A key that comes twice is for simdjson to judge.
      if (name == "timeline") return std::exchange(states, true) ? wrong() : timeline();
      if (name == "waitcnt") return std::exchange(lists, true) ? wrong() : waits();
      return skip();
    }));
    if (!told) return wrong();
    return {};
  }

  /// A row as rocprofv3 writes it, without blanks; p_ stays where it was when it is none.
  bool plain_row(std::int64_t (&cell)[5]) {
    const char* p = p_;
    for (int i = 0; i < 5; ++i) {
      if (*p++ != (i == 0 ? '[' : ',') || !number_at(p, cell[i])) return false;
    }
    if (*p != ']') return false;
    p_ = p + 1;
    return true;
  }

  Status spaced_row(std::int64_t (&cell)[5]) {
    TRY(expect('['));
    for (int i = 0; i < 5; ++i) {
      if (i > 0) TRY(expect(','));
      cell[i] = TRY(integer());
    }
    return expect(']');
  }

  Status instructions() {
    auto& batch = parts_.batch;
    batch.resize(kWaveBatch);
    std::size_t filled = 0;
    std::int64_t cell[5];
    TRY(list([&]() -> Status {
      if (!plain_row(cell)) TRY(spaced_row(cell));
      if (!make_instruction(cell, batch[filled])) return wrong();
      if (++filled == kWaveBatch) {
        consumer_.instructions(batch);
        filled = 0;
      }
      return {};
    }));
    consumer_.instructions(std::span(batch).first(filled));
    return {};
  }

  Status timeline() {
    return list([&]() -> Status {
      TRY(expect('['));
      const std::int64_t state = TRY(integer());
      TRY(expect(','));
      const std::int64_t cycles = TRY(integer());
      if (cycles < 0 || cycles > (std::int64_t{1} << 53)) return wrong();
      consumer_.state(state >= 0 ? static_cast<std::size_t>(state) : kWaveStates, cycles);
      return expect(']');
    });
  }

  Result<std::int32_t> line() {
    const std::int64_t value = TRY(integer());
    if (value < INT32_MIN || value > INT32_MAX) return wrong();
    return static_cast<std::int32_t>(value);
  }

  Status waits() {
    return list([&]() -> Status {
      TRY(expect('['));
      const std::int32_t wait = TRY(line());
      TRY(expect(','));
      auto& deps = parts_.waited_for;
      deps.clear();
      TRY(list([&]() -> Status {
        TRY(expect('['));
        deps.push_back(TRY(line()));
        TRY(expect(','));
        TRY(integer());
        return expect(']');
      }));
      consumer_.stored_wait(wait, deps);
      return expect(']');
    });
  }

  Status string() {
    TRY(expect('"'));
    while (true) {
      TRY(room());
      if (p_ >= end_) return wrong();
      const char c = *p_++;
      if (c == '"') return {};
      if (c == '\\') ++p_;
    }
  }

  /// A value that is not wanted. Brackets are only counted.
  Status skip() {
    int depth = 0;
    while (true) {
      TRY(room());
      const char c = next();
      if (c == '"') {
        TRY(string());
      } else if (c == '[' || c == '{') {
        ++depth;
        ++p_;
        continue;
      } else if (c == ']' || c == '}') {
        --depth;
        ++p_;
      } else if (c == ',' || c == ':') {
        ++p_;
        continue;
      } else {
        const char* const begin = p_;
        while (p_ < end_ && std::strchr("-+.0123456789eEtrufalsn", *p_) != nullptr && *p_ != 0) ++p_;
        if (p_ == begin) return wrong();
      }
      if (depth < 0) return wrong();
      if (depth == 0) return {};
    }
  }

  const ByteSource& source_;
  WaveConsumer& consumer_;
  WaveBuffers::Parts& parts_;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t base_ = 0;  ///< file offset of the window's first byte
  bool at_end_ = false;     ///< the window holds the file's last byte
};

Status scan(const ByteSource& source, WaveConsumer& consumer, WaveBuffers& buffers) {
  consumer.restart();
  return Scanner(source, consumer, buffers.parts()).run();
}

}  // namespace

WaveBuffers::WaveBuffers() : parts_(std::make_unique<Parts>()) {}
WaveBuffers::~WaveBuffers() = default;

bool make_instruction(const std::int64_t (&cell)[5], WaveInstruction& out) {
  constexpr std::int64_t kLatest = std::int64_t{1} << 53, kMost = UINT32_MAX;
  const auto beyond = [](std::int64_t value, std::int64_t most) {
    return static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(most);
  };
  if (cell[0] < -kLatest || cell[0] > kLatest || beyond(cell[2], kMost) || beyond(cell[3], kMost)) return false;
  out.time = cell[0];
  out.category = cell[1] < 0 || cell[1] > 255 ? 255 : static_cast<std::int32_t>(cell[1]);
  out.stall = static_cast<std::uint32_t>(cell[2]);
  out.duration = static_cast<std::uint32_t>(cell[3]);
  out.line = cell[4] < 0 || cell[4] > INT32_MAX ? -1 : static_cast<std::int32_t>(cell[4]);
  return true;
}

Status scan_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers) {
  const ByteSource source = TRY(ByteSource::open(path));
  return scan(source, consumer, buffers);
}

Status scan_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers) {
  return scan(ByteSource::from_memory("wave", text), consumer, buffers);
}

}  // namespace rpl::att
