// SPDX-License-Identifier: MIT
#include "engine/triton/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/input_file.h"
#include "engine/document/json.h"
#include "engine/triton/signature.h"

namespace rpl::triton {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr JsonLimits kLimits{.depth = 16, .bytes = kMostBytes, .values = 20'000};
constexpr std::uint32_t kMostLds = std::uint32_t{1} << 20;

/// One file's fields, each within bounds.
class MetadataReader {
 public:
  explicit MetadataReader(const Value& value) : value_(value) {}

  /// A whole number in [low, high]; `otherwise` where there is none, or a failure without one.
  Result<std::uint64_t> number(std::string_view key, std::uint64_t low, std::uint64_t high,
                               std::optional<std::uint64_t> otherwise = {}) {
    const Value* found = value_.find(key);
    if ((found == nullptr || found->is_null()) && otherwise) return *otherwise;
    const auto* whole = found == nullptr ? nullptr : found->as<std::int64_t>();
    if (whole == nullptr || *whole < 0 || static_cast<std::uint64_t>(*whole) < low ||
        static_cast<std::uint64_t>(*whole) > high) {
      return fail(Errc::corrupt, fmt::format("'{}' is not a number from {} to {}", key, low, high),
                  "it is not as Triton writes it: copy the .json that lies beside the .hsaco");
    }
    return static_cast<std::uint64_t>(*whole);
  }

  Result<std::string> text(const Value* found, std::string_view key) {
    constexpr std::size_t kLongest = 4096;
    const auto* text = found == nullptr ? nullptr : found->as<std::string>();
    if (text == nullptr || text->empty() || text->size() > kLongest)
      return fail(Errc::corrupt, fmt::format("'{}' is not a name", key),
                  "it is not as Triton writes it: copy the .json that lies beside the .hsaco");
    return *text;
  }

  [[nodiscard]] Record scalars_of(std::string_view key) const {
    Record out;
    const Value* found = value_.find(key);
    const auto* record = found == nullptr ? nullptr : found->as<Record>();
    if (record == nullptr) return out;
    for (const auto& [name, value] : *record)
      if (is_scalar(value)) out.emplace_back(name, value);
    return out;
  }

  static bool is_scalar(const Value& value) {
    return value.is_number() || value.as<bool>() != nullptr || value.as<std::string>() != nullptr;
  }

 private:
  const Value& value_;
};

/// "3.4.0", "3.5.0+git1b0418a9": what stands in one line as it is.
bool is_version(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '+' || c == '-' || c == '_';
  };
  return text.size() <= 64 && std::ranges::all_of(text, fits);
}

/// What says how a kernel was compiled; the rest names it or follows.
bool is_option(std::string_view key) {
  for (const std::string_view other :
       {"hash", "name", "shared", "triton_version", "arch", "base_arch", "backend_name",
        "global_scratch_size", "profile_scratch_size", "tmem_size", "warp_size"})
    if (key == other) return false;
  return true;
}

}  // namespace

Result<Metadata> parse_metadata(std::string_view json) {
  const Value value = TRY(parse_json(json, kLimits));
  MetadataReader reader(value);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 40;
  Metadata out;
  const auto small = [&](std::string_view key, std::uint64_t otherwise) {
    return reader.number(key, 0, 1024, otherwise);
  };
  out.kernel = TRY(reader.text(value.find("name"), "name"));
  out.num_warps = static_cast<std::uint32_t>(TRY(reader.number("num_warps", 1, 32)));
  out.warp_size = static_cast<std::uint32_t>(TRY(reader.number("warp_size", 32, 64)));
  out.shared_bytes = static_cast<std::uint32_t>(TRY(reader.number("shared", 0, kMostLds)));
  out.num_stages = static_cast<std::uint32_t>(TRY(small("num_stages", 0)));
  out.waves_per_eu = static_cast<std::uint32_t>(TRY(small("waves_per_eu", 0)));
  out.num_ctas = static_cast<std::uint32_t>(TRY(small("num_ctas", 1)));
  out.matrix_instr_nonkdim = static_cast<std::uint32_t>(TRY(small("matrix_instr_nonkdim", 0)));
  for (auto [key, member] : {std::pair("global_scratch_size", &out.global_scratch_bytes),
                             std::pair("profile_scratch_size", &out.profile_scratch_bytes)})
    if (value.find(key) != nullptr) *member = TRY(reader.number(key, 0, kLargest));
  // Older versions name the GPU as text in `arch`, and keep a word in `target` as well.
  const Value* target = value.find("target");
  const Value* arch = target == nullptr ? nullptr : target->find("arch");
  out.architecture = TRY(reader.text(arch != nullptr ? arch : value.find("arch"), "arch"));
  if (const Value* version = value.find("triton_version"))
    out.version = TRY(reader.text(version, "triton_version"));
  if (!is_version(out.version))
    return fail(Errc::corrupt, "'triton_version' is not a version",
                "it is not as Triton writes it: copy the .json that lies beside the .hsaco");
  if (const Value* hash = value.find("hash")) out.hash = TRY(reader.text(hash, "hash"));
  out.constants = reader.scalars_of("constants");
  out.signature = reader.scalars_of("signature");
  for (const auto& [key, one] : *value.as<Record>())
    if (is_option(key) && MetadataReader::is_scalar(one)) out.options.emplace_back(key, one);
  return out;
}

std::string metadata_path(const std::string& object_path) {
  constexpr std::string_view kEnd = ".hsaco";
  if (!object_path.ends_with(kEnd)) return {};
  return object_path.substr(0, object_path.size() - kEnd.size()) + ".json";
}

Result<std::optional<Metadata>> metadata_beside(const std::string& object_path,
                                                const isa::CodeObject& object) {
  const std::string path = metadata_path(object_path);
  std::error_code ignored;
  if (path.empty() || !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const std::string text = first_bytes(path, kMostBytes + 1);
  // Other programs have .json files, too.
  if (text.find("\"num_warps\"") == std::string::npos) return std::nullopt;
  auto read = parse_metadata(text);
  if (!read) return Failure(std::move(read).error().in(path));
  const auto wrong = [&](std::string_view what, std::string_view says, std::string_view is) {
    return fail(Errc::corrupt,
                fmt::format("{}: {} '{}', but the code object has {}", path, what, says, is),
                "copy the .json that Triton wrote for this .hsaco, or remove it");
  };
  if (read->architecture != to_string(object.arch()))
    return wrong("it is for", read->architecture, to_string(object.arch()));
  if (object.kernel_exactly(read->kernel) == nullptr)
    return wrong("it describes", read->kernel,
                 object.kernels().empty() ? "no kernel" : object.kernels().front().name);
  if (read->signature.empty()) {
    constexpr std::size_t kMostIr = std::size_t{4} << 20;
    const std::string ir = object_path.substr(0, object_path.rfind('.')) + ".ttir";
    read->signature = signature_in(first_bytes(ir, kMostIr), read->kernel);
  }
  return std::optional(*std::move(read));
}

}  // namespace rpl::triton
