// SPDX-License-Identifier: MIT
#include "engine/intercept/report.h"

#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl::intercept {
namespace {

constexpr std::string_view kSchema = "rpl.capture-report/1";

struct Counted {
  std::string kernel;
  std::uint64_t count = 0;
};
constexpr auto kCounted =
    bound_to<Counted>(column<&Counted::kernel>("kernel"), column<&Counted::count>("count"));
[[maybe_unused]] Columns<Counted> bound(const Counted*) { return kCounted; }

using ByKernel = std::map<std::string, std::uint64_t>;

constexpr auto kReport = bound_to<Report>(
    constant<Report, kSchema>("schema"), column<&Report::pid>("pid"),
    column<&Report::runtime>("runtime"), column<&Report::agent>("agent"),
    column<&Report::kernel>("kernel"), column<&Report::folder>("folder"),
    column<&Report::failure>("failure"), column<&Report::matches>("matches"),
    column<&Report::memory_bytes>("memory_bytes"), column<&Report::tracked_bytes>("tracked_bytes"),
    converted<&Report::dispatches,
              [](const ByKernel& counts) {
                std::vector<Counted> out;
                for (const auto& [kernel, count] : counts) out.push_back({kernel, count});
                return out;
              },
              [](const std::vector<Counted>& rows, ByKernel& counts) -> const char* {
                for (const Counted& row : rows) counts[row.kernel] = row.count;
                return nullptr;
              }>("dispatches"));

}  // namespace

std::string report_json(const Report& report) { return to_json(to_value(kReport, report)); }

Result<Report> parse_report(std::string_view text) {
  return from_value(kReport, TRY(parse_json(text)), "capture report");
}

}  // namespace rpl::intercept
