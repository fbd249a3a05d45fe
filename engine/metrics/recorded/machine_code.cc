// SPDX-License-Identifier: MIT
#include "engine/metrics/recorded/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

#include "engine/metrics/recorded/loops.h"

namespace rpl::findings {
namespace {

constexpr std::string_view kAssumes =
    "not priced: read from the machine code alone, which does not say how often it runs";
constexpr std::size_t kPlaces = 3;

bool begins(std::string_view text, std::initializer_list<std::string_view> heads) {
  return std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
}

std::string_view mnemonic(std::string_view text) { return text.substr(0, text.find(' ')); }

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t at = text.find(' ');
  while (at != std::string_view::npos) {
    const std::size_t from = text.find_first_not_of(' ', at);
    if (from == std::string_view::npos) break;
    at = text.find(',', from);
    out.push_back(text.substr(from, at == std::string_view::npos ? at : at - from));
    if (at != std::string_view::npos) ++at;
  }
  return out;
}

bool is_global_load(std::string_view text) {
  return begins(text, {"global_load_", "flat_load_", "buffer_load_"}) &&
         text.find(" lds") == std::string_view::npos;
}

bool is_memory(std::string_view text) {
  return begins(text, {"global_", "flat_", "buffer_", "scratch_", "s_load", "s_buffer", "ds_"});
}

/// Bytes that a load takes for a lane; 0 for another instruction.
unsigned width_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 8> kWidths = {{{"_dwordx4", 16},
                                                                             {"_dwordx3", 12},
                                                                             {"_dwordx2", 8},
                                                                             {"_dword", 4},
                                                                             {"_ushort", 2},
                                                                             {"_sshort", 2},
                                                                             {"_ubyte", 1},
                                                                             {"_sbyte", 1}}};
  const std::string_view name = mnemonic(text);
  for (const auto& [part, bytes] : kWidths) {
    if (name.find(part) != std::string_view::npos) return bytes;
  }
  return 0;
}

/// The constant that a load adds to its address.
std::int64_t offset_of(std::string_view text) {
  const std::size_t at = text.find("offset:");
  if (at == std::string_view::npos) return 0;
  return std::strtoll(std::string(text.substr(at + 7)).c_str(), nullptr, 0);
}

class Reader {
 public:
  explicit Reader(std::span<const ListedInstruction> code) : code_(code), loops_(code) {}

  std::vector<Finding> read() {
    find_each(Cause::spills, "scratch accesses", [](std::string_view text) {
      return begins(text, {"scratch_load", "scratch_store"}) ||
             (begins(text, {"buffer_load", "buffer_store"}) && text.find("s[0:3]") != text.npos &&
              text.find(" offen") != text.npos);
    });
    find_narrow_loads();
    find_in_loops(Cause::integer_division, "reciprocals of integer divisions in loops",
                  [](std::string_view text) { return text.starts_with("v_rcp_iflag_f32"); });
    if (has("v_cvt_f64_f32") && has("v_cvt_f32_f64"))
      find_in_loops(
          Cause::double_precision, "conversions to and from double precision in loops",
          [](std::string_view text) { return begins(text, {"v_cvt_f64_f32", "v_cvt_f32_f64"}); });
    find_in_loops(Cause::barriers, "barriers in loops",
                  [](std::string_view text) { return text.starts_with("s_barrier"); });
    find_in_loops(Cause::accumulator_moves, "moves between register files in loops",
                  [](std::string_view text) { return text.starts_with("v_accvgpr_"); });
    find_each(Cause::flat_access, "flat accesses", [](std::string_view text) {
      return begins(text, {"flat_load", "flat_store", "flat_atomic"});
    });
    find_strict_waits();
    find_addressing();
    find_waited_for();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t loop(std::size_t i) const { return loops_.end_around(i); }
  [[nodiscard]] bool in_loop(std::size_t i) const { return loop(i) != Loops::kNone; }
  [[nodiscard]] bool has(std::string_view head) const {
    return std::ranges::any_of(
        code_, [&](const ListedInstruction& one) { return one.text.starts_with(head); });
  }
  [[nodiscard]] std::vector<Place> places(std::vector<std::size_t> found) const {
    std::ranges::stable_sort(found, std::greater(), [&](std::size_t i) {
      return std::max(code_[i].stall, code_[i].caused);
    });
    std::vector<Place> out;
    std::map<std::string, bool> told;
    for (const std::size_t i : found) {
      const ListedInstruction& one = code_[i];
      if (out.size() == kPlaces) break;
      if (!one.source.empty() && !told.try_emplace(one.source, true).second) continue;
      Place place;
      place.address = one.address;
      place.instruction = one.text;
      place.source = one.source;
      place.share = 1 / static_cast<double>(found.size());
      out.push_back(std::move(place));
    }
    return out;
  }

  void add(Cause cause, std::string what, const std::vector<std::size_t>& found) {
    if (found.empty()) return;
    Finding one{.cause = cause, .where = places(found)};
    one.evidence.push_back({std::move(what), static_cast<double>(found.size()), false});
    double stall = 0;
    for (const std::size_t i : found) stall += code_[i].stall;
    if (stall > 0) one.evidence.push_back({"of the traced waves' time they stall", stall, false});
    one.assumes = kAssumes;
    const std::string place = one.where.front().text();
    one.remedy = remedy_at(cause, place.substr(0, place.find(',')));
    out_.push_back(std::move(one));
  }
  template <class Is>
  void find_each(Cause cause, std::string what, const Is& is) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (is(std::string_view(code_[i].text))) found.push_back(i);
    }
    add(cause, std::move(what), found);
  }
  template <class Is>
  void find_in_loops(Cause cause, std::string what, const Is& is) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (in_loop(i) && is(std::string_view(code_[i].text))) found.push_back(i);
    }
    add(cause, std::move(what), found);
  }

  /// Loads of neighbouring bytes from one address register, of which each could have been a part of a wider one.
  void find_narrow_loads() {
    constexpr unsigned kWidest = 16;
    std::vector<std::size_t> found;
    std::map<std::string, std::vector<std::size_t>> by_address;
    const auto settle = [&] {
      for (auto& [address, list] : by_address) {
        std::ranges::sort(list, {}, [&](std::size_t i) { return offset_of(code_[i].text); });
        for (std::size_t k = 1; k < list.size(); ++k) {
          const std::string& before = code_[list[k - 1]].text;
          const std::int64_t next = offset_of(before) + width_of(before);
          if (width_of(before) < kWidest && offset_of(code_[list[k]].text) == next)
            found.push_back(list[k]);
        }
      }
      by_address.clear();
    };
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::string& text = code_[i].text;
      if (begins(text, {"s_cbranch", "s_branch", "s_endpgm"})) settle();
      const auto operands = operands_of(text);
      if (is_global_load(text) && width_of(text) != 0 && operands.size() > 1) {
        by_address[std::string(operands[1])].push_back(i);
      } else if (!operands.empty() && text.starts_with("v_")) {
        // What is written is another address from here on.
        std::erase_if(by_address, [&](const auto& entry) {
          return entry.first == operands[0] ||
                 entry.first.starts_with("v[" + std::string(operands[0].substr(1)) + ":");
        });
      }
    }
    settle();
    std::ranges::sort(found);
    add(Cause::narrow_loads, "loads that begin where another one of the same address ends", found);
  }

  /// A wait for all loads in a loop that loads: nothing is on its way while the loop computes.
  void find_strict_waits() {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::string& text = code_[i].text;
      if (!in_loop(i) || !text.starts_with("s_waitcnt") ||
          text.find("vmcnt(0)") == std::string::npos)
        continue;
      bool loads = false;
      for (std::size_t k = 0; k < code_.size(); ++k)
        loads |= loop(k) == loop(i) && is_global_load(code_[k].text);
      if (loads) found.push_back(i);
    }
    add(Cause::strict_waits, "waits for all loads in loops that load", found);
  }

  /// Loads that waves waited for, wherever they did.
  void find_waited_for() {
    constexpr double kMuch = 0.3;
    std::vector<std::size_t> found;
    double caused = 0;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].caused <= 0 || !is_memory(code_[i].text)) continue;
      caused += code_[i].caused;
      found.push_back(i);
    }
    if (caused < kMuch) return;
    add(Cause::dependent_loads, "accesses that waves waited for", found);
    out_.back().evidence.push_back(
        {"of their time the traced waves waited for these accesses", caused, false});
  }

  /// Integer arithmetic of 64 bits that is most of a loop.
  void find_addressing() {
    constexpr double kMostOfIt = 0.4;
    constexpr std::size_t kLeast = 8;
    std::map<std::size_t, std::vector<std::size_t>> wide;
    std::map<std::size_t, std::size_t> size;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (!in_loop(i)) continue;
      ++size[loop(i)];
      if (begins(code_[i].text,
                 {"v_lshlrev_b64", "v_lshl_add_u64", "v_mad_u64_u32", "v_mad_i64_i32",
                  "v_addc_co_u32", "v_subb_co_u32", "v_ashrrev_i64", "v_mul_hi"}))
        wide[loop(i)].push_back(i);
    }
    std::vector<std::size_t> found;
    for (const auto& [loop, list] : wide) {
      if (size[loop] >= kLeast &&
          static_cast<double>(list.size()) >= kMostOfIt * static_cast<double>(size[loop]))
        found.insert(found.end(), list.begin(), list.end());
    }
    add(Cause::address_arithmetic,
        "integer instructions of 64 bits in loops of which they are most", found);
  }

  std::span<const ListedInstruction> code_;
  Loops loops_;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> find_in_code(std::span<const ListedInstruction> code) {
  return Reader(code).read();
}

}  // namespace rpl::findings
