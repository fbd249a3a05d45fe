// SPDX-License-Identifier: MIT
#include "engine/triton/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/input_file.h"
#include "engine/base/policy.h"
#include "engine/document/json.h"

namespace rpl::triton {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 4096;
constexpr std::size_t kMostTunerBytes = std::size_t{16} << 20;
constexpr std::string_view kTunerFile = ".autotune.json";

/// One that a tuner timed.
struct TunerConfiguration {
  Record values;
  std::optional<double> time_ms;
};

struct Found {
  std::vector<std::string> objects, tuner_files;
};

Result<Found> files_below(const std::string& folder) {
  TRY(check_input(folder));
  Found out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  if (error)
    return fail(Errc::not_found, fmt::format("{}: {}", folder, error.message()),
                "name the folder that TRITON_CACHE_DIR named, or ~/.triton/cache");
  std::size_t seen = 0;
  for (; at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) break;
    if (++seen > kMostFiles)
      return fail(Errc::limit, fmt::format("{} holds more than {} files", folder, kMostFiles),
                  "copy the folders of one kernel into one of their own");
    const std::string path = at->path().string();
    if (path.ends_with(".hsaco")) out.objects.push_back(path);
    if (path.ends_with(kTunerFile)) out.tuner_files.push_back(path);
    constexpr int kDeepest = 4;
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
  }
  std::ranges::sort(out.objects);
  std::ranges::sort(out.tuner_files);
  return out;
}

const Value* value_in(const Record& record, std::string_view key) {
  const auto found = std::ranges::find(record, key, &Record::value_type::first);
  return found == record.end() ? nullptr : &found->second;
}

/// A choice of a variant by name: of a constant, else of an option.
const Value* choice_of(const Variant& variant, std::string_view key) {
  const Value* constant = value_in(variant.metadata.constants, key);
  return constant != nullptr ? constant : value_in(variant.metadata.options, key);
}

bool is_choice(const Value& value) {
  return value.is_number() || value.as<bool>() != nullptr || value.as<std::string>() != nullptr;
}

/// {"configs_timings": [[{"kwargs": {…}, "num_warps": 4, …}, [MEDIAN, …]], …]}, milliseconds.
std::vector<TunerConfiguration> configurations_in(const Value& value) {
  std::vector<TunerConfiguration> out;
  const Value* timings = value.find("configs_timings");
  const auto* list = timings == nullptr ? nullptr : timings->as<List>();
  if (list == nullptr) return out;
  for (const Value& entry : *list) {
    const auto* pair = entry.as<List>();
    const auto* fields = pair == nullptr || pair->empty() ? nullptr : (*pair)[0].as<Record>();
    if (fields == nullptr) continue;
    TunerConfiguration one;
    for (const auto& [key, field] : *fields) {
      if (const auto* nested = field.as<Record>(); nested != nullptr && key == "kwargs") {
        for (const auto& choice : *nested)
          if (is_choice(choice.second)) one.values.push_back(choice);
      } else if (is_choice(field)) {
        one.values.emplace_back(key, field);
      }
    }
    if (pair->size() > 1) {
      const auto* several = (*pair)[1].as<List>();
      one.time_ms = several == nullptr ? (*pair)[1].number()
                    : several->empty() ? std::nullopt
                                       : several->front().number();
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<TunerConfiguration> read_tuner_files(const std::vector<std::string>& paths,
                                                 const std::string& kernel, Variants& out) {
  std::vector<TunerConfiguration> all;
  for (const std::string& path : paths) {
    if (fs::path(path).filename().string() != kernel + std::string(kTunerFile)) continue;
    const auto value = parse_json(first_bytes(path, kMostTunerBytes), {.depth = 16});
    if (!value) {
      out.notes.push_back(fmt::format("{}: {}", path, value.error().message));
      continue;
    }
    auto some = configurations_in(*value);
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

bool fits(const TunerConfiguration& one, const Variant& variant) {
  return std::ranges::all_of(one.values, [&](const auto& choice) {
    const Value* known = choice_of(variant, choice.first);
    return known == nullptr || *known == choice.second;
  });
}

/// A variant takes the values and the time of the one configuration that fits it, and it alone.
void match(const std::vector<TunerConfiguration>& configurations, Variants& out) {
  std::size_t unmatched = 0;
  for (const TunerConfiguration& one : configurations) {
    const auto fitting = [&](const Variant& variant) { return fits(one, variant); };
    const auto variant = std::ranges::find_if(out.all, fitting);
    const bool alone = variant != out.all.end() &&
                       std::find_if(std::next(variant), out.all.end(), fitting) == out.all.end() &&
                       std::ranges::count_if(configurations, [&](const auto& other) {
                         return fits(other, *variant);
                       }) == 1;
    if (!alone) {
      ++unmatched;
      continue;
    }
    variant->timed_ms = one.time_ms;
    for (const auto& [key, value] : one.values)
      if (choice_of(*variant, key) == nullptr) variant->metadata.constants.emplace_back(key, value);
  }
  if (unmatched > 0)
    out.notes.push_back(fmt::format(
        "{} configurations of the tuner belong to no compiled variant, or to several", unmatched));
}

/// The names of constants and options whose values differ, in the order of the first variant.
std::vector<std::string> differing(const std::vector<Variant>& all) {
  std::vector<std::string> out;
  for (const Record* record : {&all.front().metadata.constants, &all.front().metadata.options}) {
    for (const auto& [key, value] : *record) {
      const auto equal = [&](const Variant& variant) {
        const Value* other = choice_of(variant, key);
        return other != nullptr && *other == value;
      };
      const auto has = [&](const Variant& variant) { return choice_of(variant, key) != nullptr; };
      if (std::ranges::all_of(all, has) && !std::ranges::all_of(all, equal) &&
          std::ranges::find(out, key) == out.end())
        out.push_back(key);
    }
  }
  return out;
}

void distinguish(Variants& out) {
  const std::vector<std::string> names = differing(out.all);
  for (const Variant& variant : out.all) {
    Record one;
    for (const std::string& name : names) one.emplace_back(name, *choice_of(variant, name));
    out.configurations.push_back(std::move(one));
  }
  const bool unique = std::ranges::all_of(out.configurations, [&](const Record& one) {
    return std::ranges::count(out.configurations, one) == 1;
  });
  if (unique) return;
  constexpr std::size_t kDigits = 12;
  for (std::size_t i = 0; i < out.all.size(); ++i)
    out.configurations[i].emplace_back("code", Value(out.all[i].code_hash.substr(0, kDigits)));
}

}  // namespace

Result<Variants> read_variants(const std::string& folder, const std::string& kernel,
                               const std::string& architecture) {
  const Found found = TRY(files_below(folder));
  Variants out;
  for (const std::string& path : found.objects) {
    const auto object = isa::CodeObject::open(path);
    const auto metadata = object ? metadata_beside(path, **object)
                                 : Result<std::optional<Metadata>>(Failure(object.error()));
    if (!metadata) out.notes.push_back(metadata.error().message);
    if (!metadata || !*metadata) continue;
    if ((*metadata)->kernel != kernel || (*metadata)->architecture != architecture) continue;
    const std::string& hash = (*object)->hash();
    // The same code for two configurations is one variant.
    if (std::ranges::find(out.all, hash, &Variant::code_hash) != out.all.end()) {
      out.notes.push_back(fmt::format("{}: the same code as another variant", path));
      continue;
    }
    out.all.push_back({.path = path, .code_hash = hash, .metadata = **metadata});
  }
  if (out.all.size() < 2) {
    return fail(Errc::not_found,
                fmt::format("{} has {} of {} for {}", folder,
                            out.all.empty() ? "no compiled variant" : "one compiled variant alone",
                            kernel, architecture),
                "name a folder with NAME.hsaco and NAME.json for each variant, as Triton's cache "
                "has them");
  }
  match(read_tuner_files(found.tuner_files, kernel, out), out);
  distinguish(out);
  return out;
}

}  // namespace rpl::triton
