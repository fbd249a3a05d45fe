// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/device/hip/address_space.h"

namespace rpl::emu::hip {

/// The host's end of the buffer through which device code calls host services, as AMD's device libraries (ockl, services.cl and
/// hostcall_impl.cl) lay it out; its printf service. A wave puts a packet on the ready stack and sends a message; the packet is served
/// before the wave's next instruction.
class Hostcall {
 public:
  /// `print(stderr?, text)` gets what kernels print.
  using Print = std::function<void(bool, const std::string&)>;
  Hostcall(AddressSpace& space, Print print);

  /// The buffer's device address, for hidden_hostcall_buffer.
  std::uint64_t buffer();
  /// Serves what is ready. Unknown services are noted and return 0.
  void serve();
  /// Services that were asked for and are not there, since the last call.
  std::vector<std::string> take_unknown();

 private:
  void serve_packet(std::uint64_t index);
  void print_part(std::uint64_t* slots);

  AddressSpace& space_;
  Print print_;
  std::byte* memory_ = nullptr;  ///< the buffer, its headers, its payloads
  std::uint64_t address_ = 0;
  std::uint64_t next_message_ = 1;
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages_;  ///< begun and not ended, by id
  std::vector<std::string> unknown_;
};

/// The text of a printf message: a control word (bit 0: to stderr), the format and the arguments, in words of 8 bytes; strings are padded
/// with zeros to whole words. What a malformed message lacks is left out.
struct PrintedMessage {
  bool to_stderr = false;
  std::string text;
};
PrintedMessage format_message(const std::vector<std::uint64_t>& words);

}  // namespace rpl::emu::hip
