// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/numbers.h"
#include "engine/intercept/loaded_code.h"

namespace rpl::intercept {
namespace {

constexpr std::uint64_t kMostCode = std::uint64_t{1} << 30;

bool read_number(std::string_view text, std::uint64_t& into) {
  const auto number = decimal_or_hex(text);
  into = number.value_or(0);
  return number.has_value();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// "%20" and the like; false for what is none.
bool unescape(std::string_view text, std::string& into) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      into += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return false;
    into += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

bool read_fragment(std::string_view fragment, CodeUri& into) {
  while (!fragment.empty()) {
    const std::string_view item = fragment.substr(0, fragment.find('&'));
    fragment.remove_prefix(std::min(item.size() + 1, fragment.size()));
    const bool offset = item.starts_with("offset="), size = item.starts_with("size=");
    if (!offset && !size) return false;
    if (!read_number(item.substr(item.find('=') + 1), offset ? into.offset : into.bytes))
      return false;
  }
  return true;
}

}  // namespace

Result<CodeUri> parse_code_uri(const std::string& uri) {
  const auto wrong = [&] {
    return fail(
        Errc::corrupt,
        fmt::format("the runtime's loader names no code object that can be read: '{}'", uri));
  };
  constexpr std::string_view kFile = "file://", kMemory = "memory://";
  const std::string_view text = uri;
  const std::size_t hash = text.find('#'), question = text.find('?');
  const std::size_t end = std::min(hash, question);
  CodeUri out;
  if (end != std::string_view::npos && !read_fragment(text.substr(end + 1), out)) return wrong();
  if (text.starts_with(kMemory)) {
    if (out.offset == 0 || out.bytes == 0) return wrong();
    return out;
  }
  if (!text.starts_with(kFile)) return wrong();
  const std::size_t length = (end == std::string_view::npos ? text.size() : end) - kFile.size();
  if (!unescape(text.substr(kFile.size(), length), out.path) || out.path.empty()) return wrong();
  return out;
}

Result<std::vector<std::byte>> read_code(const CodeUri& uri) {
  // Reading our own memory as a file turns an address that is gone into an error.
  const std::string path = uri.path.empty() ? "/proc/self/mem" : uri.path;
  auto input = open_input(path);
  if (!input)
    return fail(input.error().code, input.error().message,
                "the program loaded its kernels from this file; put it back and run again");
  const UniqueFd file = std::move(input->fd);
  std::uint64_t bytes = uri.bytes;
  struct stat status{};
  if (bytes == 0 && ::fstat(file.get(), &status) == 0 &&
      static_cast<std::uint64_t>(status.st_size) > uri.offset) {
    bytes = static_cast<std::uint64_t>(status.st_size) - uri.offset;
  }
  if (bytes == 0 || bytes > kMostCode)
    return fail(Errc::limit, fmt::format("{}: a code object of {} bytes", path, bytes));
  std::vector<std::byte> out(bytes);
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        ::pread(file.get(), out.data() + done, bytes - done, static_cast<off_t>(uri.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail(Errc::io,
                  fmt::format("{}: the code object at {:#x} cannot be read: {}", path, uri.offset,
                              got < 0 ? std::strerror(errno) : "it ends early"));
    done += static_cast<std::size_t>(got);
  }
  return out;
}

}  // namespace rpl::intercept
