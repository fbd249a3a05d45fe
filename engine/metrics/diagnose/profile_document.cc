// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/profile_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"

namespace rpl::diagnose {
namespace {

constexpr std::size_t kLargest = std::size_t{16}
                                 << 20;  ///< bytes; such documents have a few kilobytes
constexpr int kSupportedMajor = 1;

void add_leaves(const std::string& prefix, const Value& value, ProfileDocument& out) {
  if (const auto* record = value.as<Record>()) {
    for (const auto& [name, inner] : *record)
      add_leaves(prefix.empty() ? name : prefix + "." + name, inner, out);
    return;
  }
  if (const auto* list = value.as<List>()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      add_leaves(fmt::format("{}[{}]", prefix, i), (*list)[i], out);
    return;
  }
  if (!value.is_null()) out.leaves.emplace_back(prefix, value);
}

/// A key that appears twice counts once, as the first.
void drop_repeated(ProfileDocument& document) {
  std::unordered_set<std::string> seen;
  std::erase_if(document.leaves, [&](const auto& leaf) { return !seen.insert(leaf.first).second; });
}

/// "1.0", or a plain number as some writers have it.
std::string version_of(const Value& document) {
  const Value* version = document.find("schema_version");
  if (version == nullptr) return "";
  if (const auto* text = version->as<std::string>()) return *text;
  if (const auto number = version->number()) return fmt::format("{}", *number);
  return "";
}

Status check_version(const std::string& version, const std::string& path) {
  std::string_view rest = version;
  const auto major = take_number<int>(rest);
  const bool padded = version.size() > 1 && version[0] == '0' && version[1] != '.';
  const bool whole = !padded && major && (rest.empty() || rest.starts_with('.'));
  if (!whole)
    return fail(Errc::corrupt,
                fmt::format("{}: '{}' is not a version of a profile document", path, version));
  if (*major != kSupportedMajor) {
    return fail(Errc::unsupported,
                fmt::format("{}: version {} of the profile document is not known", path, version),
                "versions 1.x are read; use the program that wrote it");
  }
  return {};
}

/// What is said about a document, and differs between any two.
bool is_remark(std::string_view leaf) {
  return leaf == "schema" || leaf == "provenance" || leaf.starts_with("notes[") ||
         leaf.starts_with("recording[");
}

std::string text_of(const ProfileDocument& document, std::string_view leaf) {
  const Value* value = document.find(leaf);
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  return text == nullptr ? "" : *text;
}

}  // namespace

const Value* ProfileDocument::find(std::string_view leaf) const {
  const auto found = std::ranges::find(leaves, leaf, &std::pair<std::string, Value>::first);
  return found == leaves.end() ? nullptr : &found->second;
}

bool may_be_profile(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && beginning[first] == '{' &&
         beginning.find("\"schema_version\"") != std::string_view::npos &&
         beginning.find("\"runtime_ms\"") != std::string_view::npos;
}

bool is_profile_file(const std::string& path) {
  constexpr std::size_t kBeginning = 16384;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(kBeginning, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return may_be_profile(head);
}

Result<ProfileDocument> parse_profile(std::string_view text, const std::string& path) {
  if (text.size() > kLargest)
    return fail(Errc::corrupt, fmt::format("{}: too large for a profile document", path));
  auto parsed = parse_json(text);
  if (!parsed) return Failure(std::move(parsed).error().in(path));
  ProfileDocument out;
  out.path = path;
  out.version = version_of(*parsed);
  if (parsed->as<Record>() == nullptr || out.version.empty())
    return fail(Errc::corrupt,
                fmt::format("{}: not a profile document: it has no schema_version", path));
  TRY(check_version(out.version, path));
  add_leaves("", *parsed, out);
  drop_repeated(out);
  out.kernel = text_of(out, "kernel.name");
  out.architecture = text_of(out, "gpu.architecture");
  out.older_tool = parsed->find("schema") == nullptr;
  const Value* runtime = parsed->find("runtime_ms");
  if (runtime == nullptr || (!runtime->is_null() && !runtime->number()))
    return fail(Errc::corrupt,
                fmt::format("{}: not a profile document: it has no runtime_ms", path));
  return out;
}

Result<ProfileDocument> read_profile(const std::string& path) {
  return parse_profile(TRY(read_text_file(path)), path);
}

std::vector<ProfileDifference> differences(const ProfileDocument& before,
                                           const ProfileDocument& after) {
  // Documents of strangers may have a million leaves.
  std::unordered_map<std::string_view, const Value*> known;
  for (const auto& [field, value] : after.leaves) known.emplace(field, &value);
  std::unordered_set<std::string_view> had;
  std::vector<ProfileDifference> out;
  for (const auto& [field, value] : before.leaves) {
    had.insert(field);
    if (is_remark(field)) continue;
    const auto other = known.find(field);
    if (other == known.end() || !(*other->second == value))
      out.push_back({field, value, other == known.end() ? Value() : *other->second});
  }
  for (const auto& [field, value] : after.leaves) {
    if (!is_remark(field) && !had.contains(field)) out.push_back({field, Value(), value});
  }
  return out;
}

std::vector<std::string> comparison_notes(const ProfileDocument& before,
                                          const ProfileDocument& after) {
  std::vector<std::string> out;
  if (before.kernel != after.kernel)
    out.push_back(
        fmt::format("the dominant kernels differ: '{}' and '{}'", before.kernel, after.kernel));
  if (before.architecture != after.architecture)
    out.push_back(
        fmt::format("the GPUs differ: {} and {}", before.architecture, after.architecture));
  for (const ProfileDocument* document : {&before, &after}) {
    if (document->older_tool)
      out.push_back(
          fmt::format("{} is the older tool's: its roofline, att and headroom_fraction follow "
                      "formulas that are "
                      "wrong; runtime_ms is that of one run where it kept a database",
                      document->path));
  }
  out.emplace_back("two runs differ by noise too: a ratio is not a verdict; bench decides");
  return out;
}

}  // namespace rpl::diagnose
