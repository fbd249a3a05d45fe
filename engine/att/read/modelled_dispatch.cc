// SPDX-License-Identifier: MIT
#include "engine/att/read/modelled_dispatch.h"

#include <fmt/format.h>

#include <limits>

#include "engine/att/read/json_document.h"

namespace rpl::att {
namespace {

constexpr std::uint64_t kMostBytes = 1U << 16;                ///< of the file
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 60;  ///< of anything that is counted
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostText = 4096, kMostUnits = 32;

/// Takes members of an object and remembers the first that is not as it should be.
class Members {
 public:
  Members(const JsonNode& object, std::string* wrong) : object_(object), wrong_(wrong) {}

  void text(std::string_view key, std::string& into) {
    const auto found = object_.member(key);
    const auto text = found ? found->text() : std::nullopt;
    if (!text || text->empty() || text->size() > kMostText) return blame(key);
    into = *text;
  }
  template <class Count>
  void count(std::string_view key, Count& into) {
    const auto found = object_.member(key);
    const auto count =
        found ? found->count(sizeof(Count) == 4 ? kMost32 : kMostCount) : std::nullopt;
    if (!count) return blame(key);
    into = static_cast<Count>(*count);
  }
  void size3(std::string_view key, std::array<std::uint32_t, 3>& into) {
    const auto found = object_.list(key);
    const auto list = found ? found->integers() : std::nullopt;
    if (!list || list->size() != into.size()) return blame(key);
    for (std::size_t i = 0; i < into.size(); ++i) {
      if ((*list)[i] < 1 || (*list)[i] > static_cast<std::int64_t>(kMost32)) return blame(key);
      into[i] = static_cast<std::uint32_t>((*list)[i]);
    }
  }
  Members inner(std::string_view key) {
    const auto found = object_.member(key);
    if (!found || !found->is_object()) blame(key);
    return {found.value_or(JsonNode()), wrong_};
  }
  void blame(std::string_view key) {
    if (wrong_->empty()) *wrong_ = key;
  }
  [[nodiscard]] bool good() const { return wrong_->empty(); }
  [[nodiscard]] const JsonNode& node() const { return object_; }

 private:
  JsonNode object_;
  std::string* wrong_;
};

void read_operations(Members& exact, ModelledDispatch& out) {
  const auto table = exact.node().member("operations");
  if (!table || !table->is_object()) return exact.blame("operations");
  for (const auto& [unit, value] : table->members()) {
    const auto count = value.count(kMostCount);
    if (!count || unit.size() > kMostText || out.operations.size() >= kMostUnits)
      return exact.blame("operations");
    out.operations.emplace_back(unit, *count);
  }
}

void read_exact(Members exact, ModelledDispatch& out) {
  if (!exact.good()) return;
  exact.count("vector_instructions", out.vector_instructions);
  exact.count("active_lanes", out.active_lanes);
  exact.count("lds_moved_bytes", out.lds_moved_bytes);
  exact.count("lds_conflicts", out.lds_conflicts);
  read_operations(exact, out);
}

void read_modelled(Members modelled, ModelledDispatch& out) {
  if (!modelled.good()) return;
  modelled.count("cycles", out.cycles);
  modelled.count("hbm_bytes", out.hbm_bytes);
  modelled.count("l2_bytes", out.l2_bytes);
  modelled.count("vl1d_bytes", out.vl1d_bytes);
  modelled.count("vector_busy_cycles", out.vector_busy_cycles);
  modelled.count("matrix_busy_cycles", out.matrix_busy_cycles);
  modelled.count("wave_cycles", out.wave_cycles);
  modelled.count("wait_cycles", out.wait_cycles);
  std::uint64_t picoseconds = 0;
  modelled.count("time_ps", picoseconds);
  constexpr double kPsPerNs = 1000;
  out.time_ns = static_cast<double>(picoseconds) / kPsPerNs;
  // Of what older versions wrote, the band is not known.
  const auto end = [&](std::string_view name) -> std::optional<double> {
    const auto value = modelled.node().member(name);
    const auto count = value ? value->count(kMostCount) : std::nullopt;
    return count ? std::optional(static_cast<double>(*count) / kPsPerNs) : std::nullopt;
  };
  out.low_ns = end("time_low_ps");
  out.high_ns = end("time_high_ps");
  if (out.cycles == 0 || picoseconds == 0) modelled.blame("time_ps");
}

}  // namespace

Result<ModelledDispatch> read_modelled_dispatch(const std::string& path) {
  JsonDocument document;
  const JsonNode root = TRY(document.read(path, kMostBytes));
  const auto schema = root.member("schema");
  const std::string_view name = schema ? schema->text().value_or("") : "";
  if (name != kModelledDispatchSchema)
    return fail(Errc::unsupported, fmt::format("{}: schema '{}'", path, name.substr(0, 64)),
                fmt::format("this program knows {}", kModelledDispatchSchema));
  std::string wrong;
  Members members(root, &wrong);
  ModelledDispatch out;
  members.text("model", out.model);
  members.text("gpu", out.gpu);
  members.text("architecture", out.architecture);
  members.text("kernel", out.kernel);
  members.size3("grid", out.grid);
  members.size3("workgroup", out.workgroup);
  members.count("vgprs", out.vgprs);
  members.count("sgprs", out.sgprs);
  members.count("lds_bytes", out.lds_bytes);
  read_exact(members.inner("exact"), out);
  read_modelled(members.inner("modelled"), out);
  if (!wrong.empty())
    return fail(Errc::corrupt,
                fmt::format("{}: '{}' is missing or not as it should be", path, wrong));
  return out;
}

}  // namespace rpl::att
