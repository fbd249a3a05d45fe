// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/element.h"
#include "engine/base/result.h"
#include "engine/isa/code_object.h"

namespace rpl {

/// A range of device memory as a dispatch saw it.
struct CapturedRegion {
  std::uint64_t base = 0;         ///< device address
  std::uint64_t size = 0;         ///< bytes
  std::string name;               ///< for messages: "argument 2"
  std::vector<std::byte> before;  ///< `size` bytes
  /// `size` bytes. None: unchanged by the dispatch, or the capture holds no post image at all.
  std::optional<std::vector<std::byte>> after;
};

/// One explicit parameter of the kernel, in the order of the parameters.
struct CapturedArgument {
  bool buffer = false;                                 ///< a pointer into a captured region
  std::size_t region = 0;                              ///< index into Capture::regions; of a buffer
  std::uint64_t kernarg_offset = 0, kernarg_size = 0;  ///< bytes
  std::optional<Element> element =
      std::nullopt;         ///< what the caller said; machine code does not tell
  std::uint64_t count = 0;  ///< elements of a buffer; 0 = unknown
};

/// One dispatch, frozen: everything that running it again needs.
struct Capture {
  std::string kernel;        ///< as in the code object: mangled for C++, without ".kd"
  std::string architecture;  ///< "gfx942"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<std::byte> kernarg;       ///< the whole segment, hidden arguments included
  std::vector<std::byte> code_object;   ///< a plain ELF file
  std::vector<CapturedRegion> regions;  ///< ascending by base, without overlaps
  std::vector<CapturedArgument> arguments;
  bool has_after = false;   ///< whether memory after the dispatch was captured
  std::string target;       ///< where it ran: "emu"; empty for unknown
  std::string model;        ///< of the emulated device, "rpl-cycle/0.3 MI300X"; else empty
  std::string tool;         ///< what wrote it, "rpl 0.1.0"; empty for the layout of older tools
  std::string source_note;  ///< how it came to be, for people
};

/// The captured code object, parsed. Fails as CodeObject::parse does.
Result<std::shared_ptr<const isa::CodeObject>> object_of(const Capture& capture);

/// The bytes of all regions, before and after.
std::uint64_t memory_bytes(const Capture& capture);

/// Writes a capture as a new folder; the format is described in docs/captures.md. The folder appears complete or not at all: it is
/// built under a temporary name beside its place, synchronised and renamed. Fails with denied when something of that name exists, usage
/// for a capture that read_capture would refuse, io, or interrupted.
Status write_capture(const std::string& folder, const Capture& capture);

/// Reads a capture folder: this program's, or the layout of older tools, which lacks capture.json. Believes nothing: every size, address,
/// name and hash is checked, and no file outside the folder is read. Fails with not_found, corrupt (the message names file and field),
/// unsupported for a newer format or another architecture, limit, io or interrupted.
Result<Capture> read_capture(const std::string& folder);

/// Whether a path is a folder that read_capture would try: it holds dispatch.json and memory_regions.json.
bool is_capture(const std::string& folder);

/// What read_capture asks of every capture: addresses below 2^47, ascending and without overlaps, images of the regions' sizes, a code
/// object of the architecture that holds the kernel, arguments that lie in its kernarg segment and point to their regions. Fails with corrupt.
Status check_capture(const Capture& capture);

}  // namespace rpl
