// SPDX-License-Identifier: MIT
#include "engine/arch/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "engine/base/files.h"

namespace rpl::arch {
namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Whether `words` stand in `name` with no letter or digit directly around them: MI250 is not in MI250X.
bool has_words(std::string_view name, std::string_view words) {
  for (std::size_t at = name.find(words); at != std::string_view::npos;
       at = name.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || !is_word_letter(name[at - 1])) &&
        (end == name.size() || !is_word_letter(name[end])))
      return true;
  }
  return false;
}

std::string_view fact_text(const Section& section, std::string_view key) {
  const auto found = std::ranges::find(section.facts, key, &Fact::key);
  return found == section.facts.end() ? std::string_view() : std::string_view(found->text);
}

bool has_device(const Section& section, std::uint32_t id) {
  const auto ids = Catalogue::items(fact_text(section, "device_ids"));
  return std::ranges::find(ids, std::to_string(id)) != ids.end();
}

/// Length of the longest of the section's words in the name; 0 for none.
std::size_t match_length(const Section& section, const std::string& lowered_name) {
  std::size_t longest = 0;
  for (const std::string& words : Catalogue::items(fact_text(section, "match"))) {
    if (has_words(lowered_name, lowered(words))) longest = std::max(longest, words.size());
  }
  return longest;
}

}  // namespace

const Catalogue& Catalogue::builtin() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    for (const BuiltinFile& file : builtin_files()) {
      auto parsed = parse_arch_file(file.name, file.text, Origin::file);
      if (!parsed) throw std::logic_error(parsed.error().message);
      made.add(std::move(*parsed), Origin::file);
    }
    return made;
  }();
  return catalogue;
}

std::string_view Catalogue::builtin_usual_product(std::string_view arch) {
  constexpr std::string_view kLine = "\nusual_product = ";
  const std::string wanted = fmt::format("\narch = {}\n", arch);
  for (const BuiltinFile& file : builtin_files()) {
    const std::string_view text = file.text;
    const std::size_t named = text.find(wanted);
    const std::size_t at = named == std::string_view::npos ? named : text.find(kLine, named);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + kLine.size();
    return text.substr(begin, text.find_first_of(" #\n", begin) - begin);
  }
  return {};
}

Result<Catalogue> Catalogue::with_user_files(const std::string& folder, const std::string& file) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".arch") paths.push_back(it->path().string());
  }
  std::ranges::sort(paths);
  if (!file.empty()) paths.push_back(file);
  Catalogue out = builtin();
  for (const std::string& path : paths) {
    const std::string text = TRY(read_text_file(path));
    out.add(TRY(parse_arch_file(path, text, Origin::user)), Origin::user);
  }
  return out;
}

void Catalogue::add(ArchFile file, Origin origin) { entries_.push_back({std::move(file), origin}); }

Result<Identity> Catalogue::named(std::string_view name) const {
  const std::string wanted = lowered(name);
  std::vector<std::string> names;
  for (const Identity& identity : all()) {
    const std::string arch = lowered(identity.arch), product = lowered(identity.product);
    if (!product.empty() && (wanted == product || wanted == arch + " " + product)) return identity;
    names.push_back(identity.product.empty() ? identity.arch : identity.product);
  }
  for (const Entry& entry : entries_) {
    if (wanted == lowered(entry.file.arch)) return Identity{entry.file.arch, ""};
  }
  return fail(
      Errc::not_found, fmt::format("no architecture or product '{}'", name),
      fmt::format("known: {}; docs/architectures.md says how to add one", fmt::join(names, ", ")));
}

Identity Catalogue::recognise(std::string_view arch, std::string_view product_name,
                              std::optional<std::uint32_t> device_id) const {
  const std::string name = lowered(product_name);
  std::vector<std::string> products;
  std::string best;
  std::size_t longest = 0;
  for (const Entry& entry : entries_) {
    if (entry.file.arch != arch) continue;
    for (const Section& section : entry.file.sections) {
      if (section.product.empty()) continue;
      if (device_id && has_device(section, *device_id)) return {std::string(arch), section.product};
      if (std::ranges::find(products, section.product) == products.end())
        products.push_back(section.product);
      if (const std::size_t length = match_length(section, name); length > longest) {
        longest = length;
        best = section.product;
      }
    }
  }
  if (best.empty() && products.size() == 1) best = products[0];
  return {std::string(arch), best};
}

void Catalogue::apply(const Identity& identity, Origin origin, Gpu& gpu) const {
  for (const bool product : {false, true}) {
    if (product && identity.product.empty()) break;
    const std::string_view wanted = product ? std::string_view(identity.product) : "";
    for (const Entry& entry : entries_) {
      if (entry.origin != origin || entry.file.arch != identity.arch) continue;
      for (const Section& section : entry.file.sections) {
        if (section.product != wanted) continue;
        for (const Fact& fact : section.facts) gpu.put(fact);
      }
    }
  }
}

std::vector<std::string> Catalogue::items(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    std::string_view item = text.substr(0, end);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) out.emplace_back(item);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string_view Catalogue::text_of(std::string_view arch, std::string_view key) const {
  std::string_view found;
  for (const Entry& entry : entries_) {
    if (entry.file.arch != arch) continue;
    const std::string_view said = fact_text(entry.file.sections.front(), key);
    if (!said.empty()) found = said;
  }
  return found;
}

bool Catalogue::knows(std::string_view arch) const {
  return std::ranges::any_of(entries_, [&](const Entry& e) { return e.file.arch == arch; });
}

std::vector<Identity> Catalogue::all() const {
  std::vector<Identity> out;
  const auto add_once = [&](const std::string& arch, const std::string& product) {
    const bool there = std::ranges::any_of(out, [&](const Identity& known) {
      return known.arch == arch && (product.empty() || known.product == product);
    });
    if (!there) out.push_back({arch, product});
  };
  for (const Entry& entry : entries_) {
    for (const Section& section : entry.file.sections) {
      if (!section.product.empty()) add_once(entry.file.arch, section.product);
    }
    add_once(entry.file.arch, "");
  }
  return out;
}

}  // namespace rpl::arch
