// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

#include "engine/device/hip/hostcall.h"

namespace rpl::emu::hip {
namespace {

/// The words of a message, one after the other.
class Words {
 public:
  explicit Words(const std::vector<std::uint64_t>& words) : words_(words) {}
  std::uint64_t next() { return at_ < words_.size() ? words_[at_++] : 0; }
  std::string text() {
    std::string out;
    while (at_ < words_.size()) {
      const std::uint64_t word = words_[at_++];
      for (unsigned i = 0; i < sizeof(word); ++i) {
        const char c = static_cast<char>(word >> 8 * i);
        if (c == 0) return out;
        out += c;
      }
    }
    return out;
  }

 private:
  const std::vector<std::uint64_t>& words_;
  std::size_t at_ = 0;
};

/// A conversion specification of printf, taken apart.
struct Conversion {
  std::string flags;  ///< with width and precision, stars replaced
  std::string length;
  char kind = 0;
};

bool one_of(char c, const char* set) { return c != 0 && std::strchr(set, c) != nullptr; }

Conversion read_conversion(const std::string& format, std::size_t& at, Words& words) {
  Conversion out;
  while (at < format.size() && one_of(format[at], "-+ #0123456789.*")) {
    const char c = format[at++];
    if (c == '*') {
      out.flags += std::to_string(static_cast<std::int32_t>(words.next()));
    } else {
      out.flags += c;
    }
  }
  while (at < format.size() && one_of(format[at], "hlLqjzt")) out.length += format[at++];
  if (at < format.size()) out.kind = format[at++];
  return out;
}

template <class T>
std::string printed(const Conversion& conversion, const char* length, T value) {
  // What the C library would write with the conversion of the program's own text; the arguments are of the type that `length` names.
  const std::string format = "%" + conversion.flags + length + conversion.kind;
  constexpr std::size_t kMost = 8192;
  std::array<char, kMost> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(buffer.data(), buffer.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  return size < 0 ? std::string()
                  : std::string(buffer.data(),
                                std::min<std::size_t>(static_cast<std::size_t>(size), kMost - 1));
}

/// Integers travel as 64 bits; those of smaller types are cut to what the format says.
std::string integer(const Conversion& conversion, std::uint64_t word) {
  const bool is_signed = one_of(conversion.kind, "di");
  if (conversion.length.empty()) {
    return is_signed ? printed(conversion, "", static_cast<std::int32_t>(word))
                     : printed(conversion, "", static_cast<std::uint32_t>(word));
  }
  if (conversion.length == "h") {
    return is_signed ? printed(conversion, "", std::int32_t{static_cast<std::int16_t>(word)})
                     : printed(conversion, "", std::uint32_t{static_cast<std::uint16_t>(word)});
  }
  if (conversion.length == "hh") {
    return is_signed ? printed(conversion, "", std::int32_t{static_cast<std::int8_t>(word)})
                     : printed(conversion, "", std::uint32_t{static_cast<std::uint8_t>(word)});
  }
  return is_signed ? printed(conversion, "ll", static_cast<long long>(word))
                   : printed(conversion, "ll", static_cast<unsigned long long>(word));
}

std::string one_argument(const Conversion& conversion, Words& words) {
  if (one_of(conversion.kind, "diouxX")) return integer(conversion, words.next());
  if (conversion.kind == 'c') return printed(conversion, "", static_cast<int>(words.next()));
  if (one_of(conversion.kind, "eEfFgGaA"))
    return printed(conversion, "", std::bit_cast<double>(words.next()));
  if (conversion.kind == 'p') return printed(conversion, "", reinterpret_cast<void*>(words.next()));
  if (conversion.kind == 's') return printed(conversion, "", words.text().c_str());
  return {};
}

}  // namespace

PrintedMessage format_message(const std::vector<std::uint64_t>& message) {
  Words words(message);
  PrintedMessage out;
  out.to_stderr = (words.next() & 1) != 0;
  const std::string format = words.text();
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out.text += format[at++];
      continue;
    }
    if (++at < format.size() && format[at] == '%') {
      out.text += format[at++];
      continue;
    }
    out.text += one_argument(read_conversion(format, at, words), words);
  }
  return out;
}

}  // namespace rpl::emu::hip
