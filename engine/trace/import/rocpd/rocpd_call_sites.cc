// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// What a recording may say: it is somebody else's.
constexpr std::size_t kMostSites = 1'000'000, kMostFrames = 64, kMostText = 4096;

std::optional<std::uint32_t> small(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

class SiteReader {
 public:
  SiteReader(const RocpdPart& part, CallSiteTable& out) : part_(part), out_(out) {}

  Status read() {
    const auto& processes = part_.scope.processes();
    if (processes.size() != 1) return {};
    TRY(read_frames());
    TRY(read_calls(processes.front()));
    if (odd_ > 0)
      out_.notes.push_back(
          fmt::format("{} rows about where calls were made say nothing usable", odd_));
    return {};
  }

 private:
  Result<Statement> select(std::string_view base, std::initializer_list<std::string_view> columns,
                           std::string_view tail) {
    part_.reader.note_api_read(base);
    return select_columns(part_.scope.database(), part_.scope.source().table(base), columns, tail);
  }

  Status read_frames() {
    Statement rows = TRY(select(
        "rpl_site_frame",
        {"site_id", "file", "line", "column", "function", "module", "offset", "program", "depth"},
        "ORDER BY site_id, depth"));
    while (TRY(rows.step())) {
      if (!add_frame(rows)) ++odd_;
    }
    return {};
  }

  bool add_frame(const Statement& row) {
    const auto line = small(row.int64(2)), column = small(row.int64(3));
    for (const int text : {1, 4, 5}) {
      if (row.text(text).size() > kMostText) return false;
    }
    if (!line || !column || row.int64(6) < 0) return false;
    auto known = sites_.find(row.int64(0));
    if (known == sites_.end()) {
      if (sites_.size() >= kMostSites) return false;
      known = sites_.emplace(row.int64(0), static_cast<std::uint32_t>(out_.sites.size())).first;
      out_.sites.emplace_back();
    }
    std::vector<SiteFrame>& frames = out_.sites[known->second];
    if (frames.size() >= kMostFrames) return false;
    frames.push_back({.file = std::string(row.text(1)),
                      .line = *line,
                      .column = *column,
                      .function = std::string(row.text(4)),
                      .module = std::string(row.text(5)),
                      .offset = static_cast<std::uint64_t>(row.int64(6)),
                      .program = row.int64(7) != 0});
    return true;
  }

  Status read_calls(std::uint32_t process) {
    Statement rows = TRY(select("rpl_call_site", {"stack_id", "site_id", "again"}, ""));
    while (TRY(rows.step())) {
      CallSiteTable::Row row{.process = process,
                             .correlation = static_cast<std::uint64_t>(rows.int64(0))};
      const auto site = sites_.find(rows.int64(1));
      if (!rows.is_null(1) && site != sites_.end()) row.site = site->second;
      if (!rows.is_null(2)) row.again = rows.int64(2) != 0;
      const bool says = row.site != kNone || row.again.has_value();
      if (rows.is_null(0) || !says) {
        ++odd_;
        continue;
      }
      out_.rows.push_back(row);
    }
    return {};
  }

  const RocpdPart& part_;
  CallSiteTable& out_;
  std::unordered_map<std::int64_t, std::uint32_t> sites_ =
      {};  ///< by recorded id: index into out_.sites
  std::size_t odd_ = 0;
};

}  // namespace

Status read_rocpd_call_sites(const RocpdPart& part, CallSiteTable& out) {
  return SiteReader(part, out).read();
}

}  // namespace rpl
