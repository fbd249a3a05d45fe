// SPDX-License-Identifier: MIT
#include "tests/support/broken_structure.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/support/broken_values.h"
#include "tests/support/damaged_database.h"

namespace rpl::test {
namespace {

/// Keeps the order of members, as recorders write them.
using Json = nlohmann::ordered_json;

/// Values at the ends of what types hold, and of other types than are expected.
Json odd_value(Random& random) {
  static const std::vector<Json> kValues{nullptr,
                                         true,
                                         0,
                                         -1,
                                         1,
                                         INT64_MAX,
                                         INT64_MIN,
                                         UINT64_MAX,
                                         std::uint64_t{1} << 53,
                                         4294967296,
                                         1e308,
                                         -0.5,
                                         5e-324,
                                         "",
                                         "0",
                                         "-1",
                                         "18446744073709551616",
                                         "NaN",
                                         "../../x",
                                         "/etc/passwd",
                                         "\x1b[31m",
                                         std::string(3000, 'a'),
                                         "\xe2\x80\xae",
                                         Json::array(),
                                         Json::object(),
                                         Json::array({Json::array({Json::array()})})};
  return kValues[random.below(kValues.size())];
}

/// A random value inside, and what holds it.
struct Place {
  Json* parent = nullptr;
  std::size_t at = 0;  ///< place among the parent's
};

Place descend(Json& root, Random& random) {
  Place place;
  Json* here = &root;
  while (here->is_structured() && !here->empty()) {
    place = {here, random.below(here->size())};
    auto item = here->begin();
    std::advance(item, static_cast<std::ptrdiff_t>(place.at));
    here = &*item;
    // Whole objects and lists are broken as well as what is in them.
    if (here->is_structured() && random.chance(0.15)) break;
  }
  return place;
}

std::string break_json(Json root, Random& random, std::string& what) {
  const Place place = descend(root, random);
  if (place.parent == nullptr) {
    what = "the whole replaced";
    return odd_value(random).dump();
  }
  auto item = place.parent->begin();
  std::advance(item, static_cast<std::ptrdiff_t>(place.at));
  switch (random.below(7)) {
    case 0:
      what = "a member left out";
      place.parent->erase(item);
      break;
    case 1:
      what = "a member doubled";
      if (place.parent->is_array())
        place.parent->insert(item, Json(*item));
      else
        (*place.parent)[item.key() + "_"] = Json(*item);
      break;
    case 2:
      what = "two members exchanged";
      if (place.parent->size() > 1) {
        auto other = place.parent->begin();
        std::advance(other, static_cast<std::ptrdiff_t>(random.below(place.parent->size())));
        std::swap(*item, *other);
      }
      break;
    case 3:
      what = "a number moved";
      if (item->is_number_integer())
        *item = item->get<std::int64_t>() ^ (std::int64_t{1} << random.below(62));
      else if (item->is_number())
        *item = -item->get<double>();
      else if (item->is_string())
        *item = item->get<std::string>() + item->get<std::string>();
      else
        *item = odd_value(random);
      break;
    case 4:
      what = "a list cut or made long";
      if (item->is_array() && !item->empty()) {
        if (random.chance(0.5))
          item->erase(item->begin() + static_cast<std::ptrdiff_t>(random.below(item->size())),
                      item->end());
        else
          for (int i = 0; i < 200; ++i) item->push_back(Json(item->front()));
      } else {
        *item = Json::array({*item, *item});
      }
      break;
    case 5: {
      what = "nested far too deep";
      const std::size_t depth = 1 + random.below(2000);
      std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
      return std::string(depth, '[') + text + std::string(depth, ']');
    }
    default:
      what = "a value of another type or at the end of its range";
      *item = odd_value(random);
  }
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr std::size_t kTarBlock = 512;

bool is_tar(std::string_view input) {
  return input.size() >= kTarBlock && input.substr(257, 5) == "ustar";
}

/// Fields of a header: https://www.gnu.org/software/tar/manual/html_node/Standard.html.
std::string break_tar(std::string bytes, Random& random, std::string& what) {
  struct Field {
    const char* name;
    std::size_t at, length;
  };
  constexpr std::array<Field, 8> kFields{{{"name", 0, 100},
                                          {"mode", 100, 8},
                                          {"size", 124, 12},
                                          {"time", 136, 12},
                                          {"type", 156, 1},
                                          {"link", 157, 100},
                                          {"magic", 257, 6},
                                          {"prefix", 345, 155}}};
  static const std::vector<std::string> kTexts{
      "77777777777", "00000000001", "..", "../../x", "/etc/passwd", "",           "a/b/c",
      "1",           "2",           "5",  "x",       "-1",          "99999999999"};
  std::vector<std::size_t> headers;
  for (std::size_t at = 0; at + kTarBlock <= bytes.size(); at += kTarBlock) {
    if (bytes.compare(at + 257, 5, "ustar") == 0) headers.push_back(at);
  }
  const std::size_t header = headers[random.below(headers.size())];
  if (random.chance(0.2) && headers.size() > 1) {
    what = "archive: two headers exchanged";
    const std::size_t other = headers[random.below(headers.size())];
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(header),
                     bytes.begin() + static_cast<std::ptrdiff_t>(header + kTarBlock),
                     bytes.begin() + static_cast<std::ptrdiff_t>(other));
    return bytes;
  }
  const Field field = kFields[random.below(kFields.size())];
  what = std::string("archive: ") + field.name;
  std::string text = kTexts[random.below(kTexts.size())];
  text.resize(field.length);
  bytes.replace(header + field.at, field.length, text);
  // The checksum is the sum of the bytes with blanks in its own place.
  constexpr std::size_t kSumAt = 148, kSumBytes = 8;
  bytes.replace(header + kSumAt, kSumBytes, kSumBytes, ' ');
  unsigned sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) sum += static_cast<unsigned char>(bytes[header + i]);
  std::array<char, kSumBytes> digits{};
  std::snprintf(digits.data(), digits.size(), "%06o", sum);
  bytes.replace(header + kSumAt, 7, digits.data(), 7);
  return bytes;
}

bool is_csv(std::string_view input) {
  const std::string_view line = input.substr(0, input.find('\n'));
  return line.size() < input.size() && std::ranges::count(line, ',') >= 2;
}

std::string break_csv(std::string text, Random& random, std::string& what) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ',' || text[at] == '\n') starts.push_back(at + 1);
  }
  const std::size_t from = starts[random.below(starts.size())];
  const std::size_t end = std::min(text.find_first_of(",\n", from), text.size());
  static const std::vector<std::string> kFields{
      "",    "\"", "-1",  "1e999", "18446744073709551616", "x,y", "\"a\"\"b\"",
      "0.5", "\n", "NaN", "\"\n\""};
  what = "a field of CSV";
  return text.replace(from, end - from, kFields[random.below(kFields.size())]);
}

std::string break_database(std::string_view input, Random& random, std::string& what) {
  if (random.chance(0.4)) {
    const auto break_text = [&random](std::string_view text) {
      Json json = Json::parse(text, nullptr, false);
      std::string ignored;
      return json.is_structured() ? break_json(std::move(json), random, ignored) : std::string();
    };
    std::string out = broken_value(input, random, break_text, what);
    if (!out.empty()) return out;
  }
  for (int tries = 0; tries < 20; ++tries) {
    PagesOf pages{std::string(input)};
    if (pages.page_bytes() < 512 || pages.pages() < 2 || input.size() % pages.page_bytes() != 0)
      break;
    const DatabaseDamage& damage = database_damages()[random.below(database_damages().size())];
    const char* const tables[] = {"rocpd_", "rocpd_kernel_dispatch", "rocpd_event", ""};
    if (!damage.apply(pages, tables[random.below(std::size(tables))], random)) continue;
    what = "database: " + std::string(damage.name);
    return pages.bytes();
  }
  return std::string(input);
}

}  // namespace

std::string broken_structure(std::string_view input, Random& random, std::string& what) {
  what.clear();
  if (input.starts_with(std::string_view("SQLite format 3\0", 16)) && input.size() > 1024)
    return break_database(input, random, what);
  if (is_tar(input)) return break_tar(std::string(input), random, what);
  // One of the parts.
  std::vector<std::string_view> parts;
  for (std::string_view rest = input;;) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    parts.push_back(rest.substr(0, end));
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  std::string out;
  const std::size_t first = random.below(parts.size());
  for (std::size_t i = 0; i < parts.size() && what.empty(); ++i) {
    const std::size_t at = (first + i) % parts.size();
    std::string broken;
    Json json = Json::parse(parts[at], nullptr, false);
    if (!json.is_discarded() && json.is_structured())
      broken = break_json(std::move(json), random, what);
    else if (is_csv(parts[at]))
      broken = break_csv(std::string(parts[at]), random, what);
    else
      continue;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (k > 0) out += '\0';
      out += k == at ? std::string_view(broken) : parts[k];
    }
  }
  return what.empty() ? std::string(input) : out;
}

}  // namespace rpl::test
