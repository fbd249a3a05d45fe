// SPDX-License-Identifier: MIT
// The strict scanner: numbers in fixed places, eight digits at a time, in a window that moves over the file.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/att/read/number_scan.h"
#include "engine/att/read/wave_file.h"
#include "engine/att/read/wave_states.h"
#include "engine/trace/bytes/byte_source.h"

namespace rpl::att {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20;
constexpr std::size_t kPadding = 128;  ///< zeros behind the window: no number goes on there
constexpr std::int64_t kLatestInFile = std::int64_t{1} << 53;
constexpr std::size_t kRowRoom = 256;  ///< a row of five numbers is never longer

/// Steps give false for what they do not take; why is told once, at the end.
class Scanner {
 public:
  Scanner(const ByteSource& source, WaveConsumer& consumer, WaveBuffers::Parts& parts)
      : source_(source), consumer_(consumer), parts_(parts) {
    parts_.window.resize(kWindow + kPadding);
    p_ = end_ = parts_.window.data();
  }

  Status run() {
    bool seen = false;
    const bool taken = object([&](std::string_view key) {
      if (key != "wave") return skip();
      return !std::exchange(seen, true) && wave();
    });
    room();
    if (taken && seen && next() == 0 && !failure_) return {};
    if (failure_) return Failure(std::move(*failure_));
    return fail(Errc::corrupt,
                fmt::format("{}: unexpected or missing text at byte {}", source_.name(),
                            base_ + static_cast<std::uint64_t>(p_ - parts_.window.data())));
  }

 private:
  /// Makes kRowRoom bytes readable from p_, or all that are left with zeros behind them.
  void room() {
    if (static_cast<std::size_t>(end_ - p_) < kRowRoom && !at_end_) refill();
  }

  [[gnu::noinline]] void refill() {
    char* const front = parts_.window.data();
    const auto left = static_cast<std::size_t>(end_ - p_);
    std::memmove(front, p_, left);
    base_ += static_cast<std::uint64_t>(p_ - front);
    const std::uint64_t from = base_ + left;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(kWindow - left, source_.size() - std::min(from, source_.size())));
    const auto got = source_.read_at(from, {front + left, wanted});
    if (!got) failure_ = got.error();
    const std::size_t more = got.value_or(0);
    p_ = front;
    end_ = front + left + more;
    at_end_ = more < wanted || from + more >= source_.size();
    std::memset(front + left + more, 0, kPadding);
  }

  static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  /// The next character that is not white space; 0 at the end. Call room() first.
  char next() {
    while (blank(*p_)) {
      ++p_;
      room();
    }
    return p_ < end_ ? *p_ : '\0';
  }

  bool expect(char wanted) {
    room();
    if (next() != wanted) return false;
    ++p_;
    return true;
  }

  bool take_null() {
    if (next() != 'n' || end_ - p_ < 4 || std::memcmp(p_, "null", 4) != 0) return false;
    p_ += 4;
    return true;
  }

  bool integer(std::int64_t& value) {
    room();
    static_cast<void>(next());
    return number_at(p_, value) && *p_ != '.' && *p_ != 'e' && *p_ != 'E';
  }

  /// A key without escapes. It is copied: reading on moves the window.
  bool key(std::string& out) {
    if (!expect('"')) return false;
    const auto* close = static_cast<const char*>(
        std::memchr(p_, '"', std::min<std::size_t>(static_cast<std::size_t>(end_ - p_), 64)));
    if (close == nullptr) return false;
    out.assign(p_, close);
    if (out.find('\\') != std::string::npos) return false;
    p_ = close + 1;
    return expect(':');
  }

  /// After an element: whether another one follows. `ok` is false for anything but a comma or the end.
  bool more(char close, bool& ok) {
    room();
    const char c = *p_ == ',' || *p_ == close ? *p_ : next();
    ok = c == ',' || c == close;
    if (ok) ++p_;
    return c == ',';
  }

  template <class Member>
  bool object(Member&& member) {
    if (!expect('{')) return false;
    std::string name;
    bool ok = true;
    do {
      if (!key(name)) return false;
      room();
      if (!member(name)) return false;
    } while (more('}', ok));
    return ok;
  }

  enum class Begun { empty, elements, wrong };
  /// The beginning of a list; null is an empty one.
  Begun begin_list() {
    room();
    if (take_null()) return Begun::empty;
    if (!expect('[')) return Begun::wrong;
    room();
    if (next() != ']') return Begun::elements;
    ++p_;
    return Begun::empty;
  }

  /// Calls element() at each element of a list.
  template <class Element>
  bool list(Element&& element) {
    const Begun begun = begin_list();
    if (begun != Begun::elements) return begun == Begun::empty;
    bool ok = true;
    do {
      if (!element()) return false;
    } while (more(']', ok));
    return ok;
  }

  bool wave() {
    WaveHead head;
    int known = 0;
    bool told = false, states = false, lists = false;
    const bool taken = object([&](std::string_view name) {
      if (name == "begin" || name == "end") {
        std::int64_t value = 0;
        // What follows needs the head; another order of keys is for simdjson, and so are keys that come twice.
        if (told || known == 2 || !integer(value) || value < -kLatestInFile ||
            value > kLatestInFile)
          return false;
        (name == "begin" ? head.begin : head.end) = value;
        ++known;
        return true;
      }
      if (name == "cu") {
        std::int64_t value = 0;
        if (!integer(value)) return false;
        if (value >= 0 && value <= UINT16_MAX) head.cu = static_cast<std::uint32_t>(value);
        return true;
      }
      if (name == "instructions") {
        if (known != 2 || std::exchange(told, true)) return false;
        consumer_.head(head);
        return instructions();
      }
      // Its runs begin where the wave does.
      if (name == "timeline")
        return known == 2 && !std::exchange(states, true) && timeline(head.begin);
      if (name == "waitcnt") return !std::exchange(lists, true) && waits();
      return skip();
    });
    return taken && told;
  }

  /// `count` numbers in brackets as rocprofv3 writes them, without blanks; p_ stays where it was when it is none.
  template <int count>
  bool plain_row(std::int64_t (&cell)[count]) {
    const char* p = p_;
    for (int i = 0; i < count; ++i) {
      if (*p++ != (i == 0 ? '[' : ',') || !number_at(p, cell[i])) return false;
    }
    if (*p != ']') return false;
    p_ = p + 1;
    return true;
  }

  template <int count>
  [[gnu::noinline]] bool spaced_row(std::int64_t (&cell)[count]) {
    for (int i = 0; i < count; ++i) {
      if (!expect(i == 0 ? '[' : ',') || !integer(cell[i])) return false;
    }
    return expect(']');
  }

  /// A list of rows of `count` numbers.
  template <int count, class Take>
  bool rows(Take&& take) {
    const Begun begun = begin_list();
    if (begun != Begun::elements) return begun == Begun::empty;
    std::int64_t cell[count];
    bool ok = true;
    while (true) {
      room();
      const ShortRows taken = short_rows_at<count>(p_, take);
      if (taken == ShortRows::some) continue;
      if (taken != ShortRows::none) return taken == ShortRows::ended;
      if (!(plain_row(cell) || spaced_row(cell)) || !take(cell)) return false;
      if (!more(']', ok)) return ok;
    }
  }

  bool instructions() {
    auto& batch = parts_.batch;
    batch.resize(kWaveBatch);
    std::size_t filled = 0;
    const bool taken = rows<5>([&](const std::int64_t(&cell)[5]) {
      if (!make_instruction(cell, batch[filled])) return false;
      if (++filled == kWaveBatch) {
        consumer_.instructions(batch);
        filled = 0;
      }
      return true;
    });
    if (taken) consumer_.instructions(std::span(batch).first(filled));
    return taken;
  }

  bool timeline(std::int64_t begin) {
    StateCycles cycles{};
    RunClock clock(consumer_, begin);
    const bool taken = rows<2>([&](const std::int64_t(&pair)[2]) {
      if (!add_run(pair, cycles)) return false;
      clock.run(pair);
      return true;
    });
    if (taken) consumer_.states(cycles);
    return taken;
  }

  static bool is_line(std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

  bool waits() {
    auto& deps = parts_.waited_for;
    std::int64_t wait = 0;
    return list([&] {
      deps.clear();
      if (!expect('[') || !integer(wait) || !is_line(wait) || !expect(',')) return false;
      const bool taken = rows<2>([&](const std::int64_t(&pair)[2]) {
        if (!is_line(pair[0])) return false;
        deps.push_back(static_cast<std::int32_t>(pair[0]));
        return true;
      });
      if (!taken) return false;
      consumer_.stored_wait(static_cast<std::int32_t>(wait), deps);
      return expect(']');
    });
  }

  bool string() {
    if (!expect('"')) return false;
    while (true) {
      room();
      if (p_ >= end_) return false;
      const char c = *p_++;
      if (c == '"') return true;
      if (c == '\\') ++p_;
    }
  }

  /// A value that is not wanted. Brackets are only counted.
  bool skip() {
    int depth = 0;
    while (true) {
      room();
      const char c = next();
      if (c == '"') {
        if (!string()) return false;
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
        while (p_ < end_ && *p_ != 0 && std::strchr("-+.0123456789eEtrufalsn", *p_) != nullptr)
          ++p_;
        if (p_ == begin) return false;
      }
      if (depth < 0) return false;
      if (depth == 0) return true;
    }
  }

  const ByteSource& source_;
  WaveConsumer& consumer_;
  WaveBuffers::Parts& parts_;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t base_ = 0;        ///< file offset of the window's first byte
  bool at_end_ = false;           ///< the window holds the file's last byte
  std::optional<Error> failure_;  ///< of the operating system
};

Status scan(const ByteSource& source, WaveConsumer& consumer, WaveBuffers& buffers) {
  consumer.restart();
  return Scanner(source, consumer, buffers.parts()).run();
}

}  // namespace

WaveBuffers::WaveBuffers() : parts_(std::make_unique<Parts>()) {}
WaveBuffers::~WaveBuffers() = default;
std::uint64_t WaveBuffers::file_bytes() const { return parts_->file_bytes; }

Status scan_wave(const std::string& path, WaveConsumer& consumer, WaveBuffers& buffers) {
  const ByteSource source = TRY(ByteSource::open(path));
  buffers.parts().file_bytes = source.size();
  return scan(source, consumer, buffers);
}

Status scan_wave_text(std::string_view text, WaveConsumer& consumer, WaveBuffers& buffers) {
  return scan(ByteSource::from_memory("wave", text), consumer, buffers);
}

}  // namespace rpl::att
