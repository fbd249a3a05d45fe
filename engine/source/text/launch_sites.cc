// SPDX-License-Identifier: MIT
#include "engine/source/text/launch_sites.h"

#include <optional>

namespace rpl {
namespace {

/// Takes grid, workgroup and what follows them from `parts`, which begin with the grid.
bool take_configuration(const std::vector<ByteRange>& parts, LaunchSite& site) {
  if (parts.size() < 2) return false;
  site.grid = parts[0];
  site.workgroup = parts[1];
  site.more.assign(parts.begin() + 2, parts.end());
  return true;
}

std::optional<LaunchSite> chevrons_at(const SourceText& text, std::size_t name) {
  std::size_t open = name + 1;
  if (text.is(open, "<")) open = text.after_angles(open, text.size());
  if (!text.is(open, "<<") || !text.is(open + 1, "<")) return std::nullopt;
  LaunchSite site{.line = text[name].line, .kernel = {name, open}};
  for (std::size_t i = open + 2; i + 3 < text.size() && !text.is(i, ";"); i = text.after_group(i)) {
    if (!text.is(i, ">") || !text.is(i + 1, ">") || !text.is(i + 2, ">") || !text.is(i + 3, "("))
      continue;
    const std::size_t close = text.partner(i + 3);
    if (close == kNoToken || !take_configuration(parts_between_commas(text, open + 2, i), site))
      return std::nullopt;
    site.whole = {name, close + 1};
    site.arguments = parts_between_commas(text, i + 4, close);
    return site;
  }
  return std::nullopt;
}

std::optional<LaunchSite> call_at(const SourceText& text, std::size_t name,
                                  std::string_view kernel) {
  if (!text.is(name + 1, "(") || text.partner(name + 1) == kNoToken) return std::nullopt;
  const std::size_t close = text.partner(name + 1);
  std::vector<ByteRange> parts = parts_between_commas(text, name + 2, close);
  if (parts.empty()) return std::nullopt;
  LaunchSite site{
      .line = text[name].line, .whole = {name, close + 1}, .is_call = true, .kernel = parts[0]};
  for (std::size_t i = site.kernel.begin; i < site.kernel.end; ++i) {
    if (!text.is(i, kernel)) continue;
    parts.erase(parts.begin());
    if (!take_configuration(parts, site)) return std::nullopt;
    // HIP's macro takes dynamic LDS and the stream always, and arguments behind them.
    const std::size_t configuration = std::min<std::size_t>(site.more.size(), 2);
    site.arguments.assign(site.more.begin() + static_cast<std::ptrdiff_t>(configuration),
                          site.more.end());
    site.more.resize(configuration);
    return site;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ByteRange> parts_between_commas(const SourceText& text, std::size_t begin,
                                            std::size_t end) {
  std::vector<ByteRange> out;
  std::size_t from = begin;
  for (std::size_t i = begin; i < end; i = text.after_group(i)) {
    if (!text.is(i, ",")) continue;
    out.push_back({from, i});
    from = i + 1;
  }
  if (from < end) out.push_back({from, end});
  return out;
}

std::string_view written(const SourceText& text, ByteRange tokens) {
  if (tokens.size() == 0) return {};
  const std::size_t begin = text[tokens.begin].begin;
  return text.text().substr(begin, text[tokens.end - 1].end - begin);
}

std::vector<LaunchSite> launch_sites(const SourceText& text, std::string_view kernel) {
  std::vector<LaunchSite> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::optional<LaunchSite> site = text.is(i, kernel)                 ? chevrons_at(text, i)
                                     : text.is(i, "hipLaunchKernelGGL") ? call_at(text, i, kernel)
                                                                        : std::nullopt;
    if (site) out.push_back(std::move(*site));
  }
  return out;
}

}  // namespace rpl
