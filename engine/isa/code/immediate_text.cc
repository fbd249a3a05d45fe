// SPDX-License-Identifier: MIT
#include "engine/isa/code/immediate_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace rpl::isa {
namespace {

/// By number; the snapshot registers are not on every architecture.
constexpr std::array<std::string_view, 25> kHardwareRegisters = {"",
                                                                 "MODE",
                                                                 "STATUS",
                                                                 "TRAPSTS",
                                                                 "HW_ID",
                                                                 "GPR_ALLOC",
                                                                 "LDS_ALLOC",
                                                                 "IB_STS",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "SH_MEM_BASES",
                                                                 "TBA_LO",
                                                                 "TBA_HI",
                                                                 "TMA_LO",
                                                                 "TMA_HI",
                                                                 "XCC_ID",
                                                                 "SQ_PERF_SNAPSHOT_DATA",
                                                                 "SQ_PERF_SNAPSHOT_DATA1",
                                                                 "SQ_PERF_SNAPSHOT_PC_LO",
                                                                 "SQ_PERF_SNAPSHOT_PC_HI"};
constexpr unsigned kFirstSnapshotRegister = 20;

constexpr std::array<std::string_view, 16> kMessages = {"",
                                                        "INTERRUPT",
                                                        "GS",
                                                        "GS_DONE",
                                                        "SAVEWAVE",
                                                        "STALL_WAVE_GEN",
                                                        "HALT_WAVES",
                                                        "ORDERED_PS_DONE",
                                                        "EARLY_PRIM_DEALLOC",
                                                        "GS_ALLOC_REQ",
                                                        "GET_DOORBELL",
                                                        "",
                                                        "",
                                                        "",
                                                        "",
                                                        "SYSMSG"};
constexpr unsigned kGs = 2, kGsDone = 3, kSystem = 15;
constexpr std::array<std::string_view, 4> kGsOperations = {"NOP", "CUT", "EMIT", "EMIT_CUT"};
constexpr std::array<std::string_view, 5> kSystemOperations = {"", "ECC_ERR_INTERRUPT", "REG_RD",
                                                               "", "TTRACE_PC"};

constexpr std::array<std::string_view, 16> kDataFormats = {
    "INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
    "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
    "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::array<std::string_view, 8> kNumberFormats = {
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

/// The named form, or nothing when a part of the message has no name.
std::string named_message(unsigned id, unsigned operation, unsigned stream) {
  const bool geometry = id == kGs || id == kGsDone;
  if (kMessages[id].empty()) return {};
  if (!geometry && id != kSystem) {
    if (operation != 0 || stream != 0) return {};
    return fmt::format("sendmsg(MSG_{})", kMessages[id]);
  }
  if (id == kSystem) {
    if (operation >= kSystemOperations.size() || kSystemOperations[operation].empty() ||
        stream != 0)
      return {};
    return fmt::format("sendmsg(MSG_SYSMSG, SYSMSG_OP_{})", kSystemOperations[operation]);
  }
  if (operation >= kGsOperations.size()) return {};
  if (operation == 0) {
    return id == kGsDone && stream == 0 ? "sendmsg(MSG_GS_DONE, GS_OP_NOP)" : "";
  }
  return fmt::format("sendmsg(MSG_{}, GS_OP_{}, {})", kMessages[id], kGsOperations[operation],
                     stream);
}

}  // namespace

std::string hardware_register_text(Arch arch, std::uint16_t immediate) {
  const unsigned id = immediate & 63U, offset = immediate >> 6 & 31U, size = (immediate >> 11) + 1U;
  const bool known = id < kHardwareRegisters.size() && !kHardwareRegisters[id].empty() &&
                     (traits(arch).has_snapshot_registers || id < kFirstSnapshotRegister);
  const std::string name =
      known ? fmt::format("HW_REG_{}", kHardwareRegisters[id]) : fmt::format("{}", id);
  if (offset == 0 && size == 32) return fmt::format("hwreg({})", name);
  return fmt::format("hwreg({}, {}, {})", name, offset, size);
}

std::string message_text(std::uint16_t immediate) {
  const unsigned id = immediate & 15U, operation = immediate >> 4 & 7U,
                 stream = immediate >> 8 & 3U;
  std::string named = named_message(id, operation, stream);
  if (!named.empty()) return named;
  const bool whole = (id | operation << 4 | stream << 8) == immediate;
  return whole ? fmt::format("sendmsg({}, {}, {})", id, operation, stream)
               : fmt::format("{}", immediate);
}

std::string index_modes_text(std::uint16_t immediate) {
  constexpr std::array<std::string_view, 4> kModes = {"SRC0", "SRC1", "SRC2", "DST"};
  if (immediate >> kModes.size() != 0) return fmt::format("0x{:x}", immediate);
  std::string modes;
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    if ((immediate >> i & 1) != 0)
      modes += fmt::format("{}{}", modes.empty() ? "" : ",", kModes[i]);
  }
  return fmt::format("gpr_idx({})", modes);
}

std::string buffer_format_text(std::uint8_t format) {
  const unsigned data = format & 15U, number = format >> 4 & 7U;
  std::string text;
  if (data != 1) text = fmt::format("BUF_DATA_FORMAT_{}", kDataFormats[data]);
  if (number != 0)
    text += fmt::format("{}BUF_NUM_FORMAT_{}", text.empty() ? "" : ",", kNumberFormats[number]);
  return text.empty() ? text : fmt::format("[{}]", text);
}

}  // namespace rpl::isa
