// SPDX-License-Identifier: MIT
#include "engine/optimize/model/cassette.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl::llm {
namespace {

constexpr std::array<std::string_view, 4> kModes{"off", "record", "replay", "auto"};

Value sorted(const Value& value) {
  if (const auto* record = value.as<Record>()) {
    Record out;
    for (const auto& [name, held] : *record) out.emplace_back(name, sorted(held));
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return Value(std::move(out));
  }
  if (const auto* list = value.as<List>()) {
    List out;
    for (const Value& held : *list) out.push_back(sorted(held));
    return Value(std::move(out));
  }
  return value;
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> from_hex(std::string_view text) {
  std::string out;
  if (text.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

constexpr auto kRecording = bound_to<Recording>(
    column<&Recording::key>("key"),
    converted<&Recording::dialect, [](Dialect dialect) { return to_string(dialect); },
              [](const std::string& name, Dialect& dialect) {
                const auto named = dialect_named(name);
                if (named) dialect = *named;
                return named ? nullptr : "a dialect";
              }>("dialect"),
    column<&Recording::request>("request"), column<&Recording::content_type>("content_type"),
    converted<&Recording::body,
              [](const std::string& body) {
                return is_utf8(body) ? std::optional(body) : std::nullopt;
              },
              [](const std::optional<std::string>& text, std::string& body) -> const char* {
                body = text.value_or("");
                return nullptr;
              }>("body")
        .if_known(),
    converted<&Recording::body,
              [](const std::string& body) {
                return is_utf8(body) ? std::nullopt : std::optional(to_hex(body));
              },
              [](const std::optional<std::string>& text, std::string& body) {
                auto bytes = from_hex(text.value_or(""));
                if (bytes) body = std::move(*bytes);
                return bytes ? nullptr : "hexadecimal digits";
              }>("body_hex")
        .if_known());

}  // namespace

std::string_view to_string(CassetteMode mode) { return kModes[static_cast<std::size_t>(mode)]; }

std::optional<CassetteMode> cassette_mode_named(std::string_view name) {
  const auto found = std::find(kModes.begin(), kModes.end(), name);
  if (found == kModes.end()) return std::nullopt;
  return static_cast<CassetteMode>(found - kModes.begin());
}

Record canonical_request(Dialect dialect, const Record& body) {
  constexpr std::array<std::string_view, 3> kTransport{"stream", "stream_options", "store"};
  Record out{{"dialect", Value(to_string(dialect))}};
  for (const auto& [name, value] : body) {
    if (std::find(kTransport.begin(), kTransport.end(), name) == kTransport.end())
      out.emplace_back(name, value);
  }
  return *sorted(Value(std::move(out))).as<Record>();
}

std::string request_key(const Record& canonical) { return sha256_hex(to_json(Value(canonical))); }

Result<Recording> read_recording(std::string_view line) {
  const Value document = TRY(parse_json(line));
  Recording out = TRY(from_value(kRecording, document));
  if (document.find("body") == nullptr && document.find("body_hex") == nullptr)
    return fail(Errc::corrupt, "a recording has body or body_hex");
  if (request_key(out.request) != out.key)
    return fail(Errc::corrupt, "the key does not belong to the request: one of them was edited");
  return out;
}

Result<Cassette> Cassette::open(const std::string& path, CassetteMode mode) {
  Cassette out;
  out.path_ = path;
  const auto text = read_text_file(path);
  if (!text && text.error().code == Errc::not_found && mode != CassetteMode::replay) return out;
  const std::string all = TRY(Result<std::string>(text));
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string_view line = std::string_view(all).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    auto recording = read_recording(line);
    if (!recording)
      return Failure(
          Error(Errc::corrupt, recording.error().message).in(fmt::format("{}:{}", path, number)));
    recording->line = number;
    out.recordings_.push_back(std::move(*recording));
  }
  return out;
}

const Recording* Cassette::next(const std::string& key) {
  std::size_t& used = used_[key];
  const Recording* last = nullptr;
  std::size_t seen = 0;
  for (const Recording& recording : recordings_) {
    if (recording.key != key) continue;
    last = &recording;
    if (seen++ == used) break;
  }
  if (last) ++used;
  return last;
}

Status Cassette::append(Recording recording) {
  const std::string line = to_json(to_value(kRecording, recording)) + "\n";
  constexpr mode_t kOwnerAlone = 0600;
  const UniqueFd file(
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerAlone));
  // One write, so that two programs cannot tear each other's lines.
  if (file.get() < 0 ||
      ::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    return fail(Errc::io, fmt::format("cannot write the cassette {}", path_));
  }
  recording.line = recordings_.empty() ? 1 : recordings_.back().line + 1;
  // What was recorded now is not asked for again by this program.
  ++used_[recording.key];
  recordings_.push_back(std::move(recording));
  return {};
}

Error Cassette::missing(const Record& canonical) const {
  const Recording* nearest = nullptr;
  std::size_t most = 0;
  for (const Recording& recording : recordings_) {
    const std::size_t alike = likeness(recording.request, canonical);
    if (nearest && alike <= most) continue;
    nearest = &recording;
    most = alike;
  }
  if (!nearest)
    return {Errc::not_found, fmt::format("{} holds no recording", path_),
            "'set llm cassette-mode record' makes some"};
  return {Errc::not_found,
          fmt::format("{} has no reply to this request; that of line {} is nearest: {}", path_,
                      nearest->line, first_difference(nearest->request, canonical)),
          "'set llm cassette-mode auto' asks the endpoint for what is missing"};
}

namespace {

/// Every text and number with its place: "messages[1].content".
void flatten(const Value& value, const std::string& place, std::map<std::string, Value>& out) {
  if (const auto* record = value.as<Record>()) {
    for (const auto& [name, held] : *record)
      flatten(held, place.empty() ? name : place + "." + name, out);
  } else if (const auto* list = value.as<List>()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      flatten((*list)[i], fmt::format("{}[{}]", place, i), out);
  } else {
    out[place] = value;
  }
}

std::map<std::string, Value> flat(const Record& request) {
  std::map<std::string, Value> out;
  flatten(Value(request), "", out);
  return out;
}

std::size_t common_bytes(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::string cut(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, end));
    if (end + length > kMost) return std::string(text.substr(0, end)) + "…";
    end += length;
  }
  return std::string(text);
}

std::string line_at(const std::string& text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return cut(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
}

std::string text_difference(const std::string& place, const std::string& there,
                            const std::string& here) {
  const std::size_t at = common_bytes(there, here);
  const auto line =
      std::count(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  return fmt::format("{}, line {}: there '{}', here '{}'", place, line, line_at(there, at),
                     line_at(here, at));
}

std::string shown(const std::map<std::string, Value>& all, const std::string& place) {
  const auto found = all.find(place);
  return found == all.end() ? "absent" : cut(to_json(found->second));
}

}  // namespace

std::size_t likeness(const Record& recorded, const Record& asked) {
  const auto there = flat(recorded), here = flat(asked);
  std::size_t out = 0;
  for (const auto& [place, value] : here) {
    const auto other = there.find(place);
    if (other == there.end()) continue;
    const auto* a = value.as<std::string>();
    const auto* b = other->second.as<std::string>();
    if (a && b) {
      out += common_bytes(*a, *b) + (*a == *b ? 1 : 0);
    } else if (value == other->second) {
      ++out;
    }
  }
  return out;
}

std::string first_difference(const Record& recorded, const Record& asked) {
  const auto there = flat(recorded), here = flat(asked);
  std::map<std::string, Value> either = there;
  either.insert(here.begin(), here.end());
  for (const auto& [place, unused] : either) {
    const auto a = there.find(place), b = here.find(place);
    if (a != there.end() && b != here.end() && a->second == b->second) continue;
    const auto* before = a == there.end() ? nullptr : a->second.as<std::string>();
    const auto* now = b == here.end() ? nullptr : b->second.as<std::string>();
    if (before && now &&
        (before->find('\n') != std::string::npos || now->find('\n') != std::string::npos))
      return text_difference(place, *before, *now);
    return fmt::format("{} is {} there and {} here", place, shown(there, place),
                       shown(here, place));
  }
  return "in nothing that can be named";
}

}  // namespace rpl::llm
