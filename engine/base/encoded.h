// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/base/result.h"

/// Text as a medium takes it, as a type: what somebody else wrote gets into an output only through the encoder of that output's medium (encode.h), because
/// a std::string does not compile where an Encoded, an OutputBytes or a Sink is wanted.
namespace rpl {

class Encoder;

/// Text of the program's own source: no other compiles.
class OwnText {
 public:
  template <std::size_t N>
  consteval OwnText(const char (&text)[N]) : text_(text, N - 1) {}  // NOLINT: implicit
  consteval explicit OwnText(std::string_view text) : text_(text) {}
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// `text`, or nothing.
constexpr OwnText when(bool wanted, OwnText text) { return wanted ? text : OwnText(""); }

/// Bytes that the encoder of one medium made, and literals between them.
template <class Medium>
class Encoded {
 public:
  template <class... Args>
  using Pattern =
      fmt::format_string<std::conditional_t<std::is_arithmetic_v<Args>, Args, std::string_view>...>;

  Encoded() = default;
  Encoded(OwnText own) : bytes_(own.text()) {}  // NOLINT: implicit

  /// Adds `pattern` with `args` in its places: numbers as fmt writes them, Encoded of the same medium and OwnTexts as they are, every other text encoded
  /// as Medium::encode() does.
  template <class... Args>
  void add(Pattern<Args...> pattern, const Args&... args) {
    const auto written = [&](const auto&... shown) {
      fmt::vformat_to(std::back_inserter(bytes_), static_cast<fmt::string_view>(pattern),
                      fmt::make_format_args(shown...));
    };
    written(Part<Args>(args).shown()...);
  }

  Encoded& operator+=(const Encoded& other) {
    bytes_ += other.bytes_;
    return *this;
  }
  Encoded& operator+=(OwnText own) {
    bytes_ += own.text();
    return *this;
  }
  friend Encoded operator+(Encoded a, const Encoded& b) { return std::move(a += b); }
  friend Encoded operator+(Encoded a, OwnText b) { return std::move(a += b); }
  friend Encoded operator+(OwnText a, const Encoded& b) { return Encoded(a) += b; }
  friend bool operator==(const Encoded&, const Encoded&) = default;
  friend bool operator==(const Encoded& a, std::string_view bytes) { return a.bytes_ == bytes; }

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::string string() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }

 private:
  friend class Encoder;
  struct Made {};
  Encoded(Made, std::string bytes) : bytes_(std::move(bytes)) {}

  /// One argument as fmt takes it.
  template <class T>
  struct Part {
    explicit Part(const T& given) : given_(given) {
      // A literal that stands in a choice is ours or not: whoever writes it says so.
      static_assert(!std::is_same_v<std::decay_t<T>, const char*> && !std::is_array_v<T>,
                    "OwnText(\"...\") is written as it is, std::string_view(\"...\") is encoded");
      if constexpr (kIsText) encoded_ = Medium::encode(given);
    }
    [[nodiscard]] decltype(auto) shown() const {
      if constexpr (std::is_same_v<T, Encoded>) {
        return given_.bytes();
      } else if constexpr (std::is_same_v<T, OwnText>) {
        return given_.text();
      } else if constexpr (kIsText) {
        return encoded_.bytes();
      } else {
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, char>,
                      "neither text nor a number");
        return given_;
      }
    }
    static constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;
    const T& given_;
    std::conditional_t<kIsText, Encoded, char> encoded_{};
  };

  std::string bytes_;
};

/// `pattern` with `args` in its places, as Encoded::add() does.
template <class Text, class... Args>
Text encoded(typename Text::template Pattern<Args...> pattern, const Args&... args) {
  Text out;
  out.add(pattern, args...);
  return out;
}

/// What goes out: what an encoder made, or, where it says so, bytes as they are.
class OutputBytes {
 public:
  template <class Medium>
  OutputBytes(const Encoded<Medium>& text) : bytes_(text.bytes()) {}  // NOLINT: implicit
  OutputBytes(OwnText own) : bytes_(own.text()) {}                    // NOLINT: implicit
  template <std::size_t N>
  consteval OutputBytes(const char (&text)[N]) : bytes_(text, N - 1) {}  // NOLINT: implicit
  /// What a program of the user's printed, a file's own bytes: no text of ours. A test lists who says this.
  static OutputBytes raw(std::string_view bytes) { return OutputBytes(bytes); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  constexpr explicit OutputBytes(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes_;
};

/// Where output goes. Fails with Errc::io when the reader is gone, which is a normal end.
using Sink = std::function<Status(OutputBytes)>;
/// Where output of one medium goes; a Sink is one for every medium.
template <class Text>
using SinkOf = std::function<Status(const Text&)>;

}  // namespace rpl
