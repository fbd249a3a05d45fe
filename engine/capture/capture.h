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
#include "engine/capture/capture_facts.h"
#include "engine/capture/memory_step.h"
#include "engine/isa/object/code_object.h"

namespace rpl {

/// A range of device memory as a dispatch saw it.
struct CapturedRegion {
  std::uint64_t base = 0;  ///< device address
  std::uint64_t size = 0;  ///< bytes
  std::string name;        ///< for messages: "argument 2"
  std::string variable =
      {};  ///< of a `__device__` or `__constant__` variable: its symbol in the code object; else empty
  std::vector<std::byte> before;  ///< `size` bytes
  /// `size` bytes. None: unchanged by the dispatch, or the capture holds no post image at all.
  std::optional<std::vector<std::byte>> after;
  RegionKind kind = RegionKind::unknown;  ///< how the application came by it
  std::string owner = {};   ///< name of the agent whose memory it is, or "host"; empty for unknown
  std::uint32_t flags = 0;  ///< of its pool: kPoolKernarg …; 0 for unknown
  bool changed = false;     ///< the folder has an image from after the dispatch
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

/// A dispatch after the first of a capture: of the same code object, on the memory that the dispatch before it and the steps between them left.
struct FollowingDispatch {
  std::string kernel;                                              ///< as Capture::kernel
  std::array<std::uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0, scratch_bytes = 0;          ///< as in Capture
  std::vector<std::byte> kernarg;  ///< the whole segment, hidden arguments included
  std::vector<CapturedArgument> arguments;
  std::vector<MemoryStep> steps = {};  ///< before it, in order
};

/// Whose folder it was read from.
enum class CaptureLayout {
  own,    ///< with capture.json: hashes, and memory after the dispatch
  older,  ///< the isolate tool of the older rocm-perf-lab
  kerncap,  ///< its relative in AMDResearch/intellikit, which keeps memory as it was after the dispatch
};
/// "rpl", "older", "kerncap".
std::string_view to_string(CaptureLayout layout);

/// One dispatch, frozen, or a slice of a program: consecutive dispatches, with memory before the first and after the last. Everything that running them again needs.
struct Capture {
  std::string kernel;        ///< as in the code object: mangled for C++, without ".kd"
  std::string architecture;  ///< "gfx942"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};  ///< work-items
  std::uint32_t dynamic_lds_bytes = 0;
  std::uint32_t scratch_bytes =
      0;  ///< a work-item, as the packet says: more than the kernel declares for a dynamic stack; 0: as it declares
  std::vector<std::byte> kernarg;      ///< the whole segment, hidden arguments included
  std::vector<std::byte> code_object;  ///< a plain ELF file
  std::optional<std::uint64_t> load_base = std::
      nullopt;  ///< where the code object's address zero lay; known when variables were captured
  std::vector<CapturedRegion>
      regions;  ///< ascending by base, without overlaps; variables among them
  std::vector<CapturedArgument> arguments;
  std::vector<FollowingDispatch> then =
      {};                  ///< dispatches that follow, in order; fewer than kMostCapturedDispatches
  bool has_after = false;  ///< whether memory after the last dispatch was captured
  std::string target;      ///< where it ran: "emu"; empty for unknown
  std::string model;       ///< of the emulated device, "rpl-cycle/0.5 MI300X"; else empty
  std::string tool;        ///< what wrote it, "rpl 0.1.0"; empty for the layout of older tools
  std::string source_note;  ///< how it came to be, for people
  CaptureFacts facts = {};  ///< where it came from, as far as is known
  CaptureLayout layout = CaptureLayout::own;
  std::vector<std::string> cautions =
      {};  ///< what a reader of this folder should know: sentences, not written
};

/// The captured code object, parsed; the last few are kept. Fails as CodeObject::parse does.
Result<std::shared_ptr<const isa::CodeObject>> object_of(const Capture& capture);

/// Dispatches of one capture at most, the first included.
inline constexpr std::size_t kMostCapturedDispatches = 4096;

/// The bytes of all regions, before and after, and of what the host brought in between.
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
/// object of the architecture that holds the kernels, arguments that lie in their kernarg segments and point to their regions. Fails with corrupt.
Status check_capture(const Capture& capture);
/// The same, apart from the images: for what is written in pieces.
Status check_dispatch(const Capture& capture);

/// Fills `arguments` of every dispatch from its kernel's parameters and its kernarg segment: a pointer that lies in a region makes a buffer of it. Regions
/// without a name are called after the first argument that points to them, or by their address. Regions must ascend. A kernel that `object`, the captured one,
/// does not hold has no arguments.
void find_arguments(const isa::CodeObject& object, Capture& capture);
/// Element types of the arguments that have none, as far as the kernels' mangled names tell.
void add_element_types(Capture& capture);

}  // namespace rpl
