// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/wave_facts.h"
#include "engine/capture/capture.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/shelf.h"

/// What a path names, and opening it: recordings, capture folders, code objects, thread traces.
namespace rpl {

class OpenTrace;
namespace isa {
class CodeObject;
}

enum class Openable { nothing, recording, capture, object, thread_trace, profile };

/// Looks at the file's first bytes, or at the names in a folder.
Openable openable(std::string_view path);

using CaptureEntry = Shelf<Capture>::Entry;
using ObjectEntry = Shelf<isa::CodeObject>::Entry;

/// A thread trace, and what its wave files said once they were read.
struct OpenThreadTrace {
  att::TracePtr trace;
  mutable std::shared_ptr<const att::WaveFacts> facts = nullptr;
  mutable bool with_strip = false;  ///< whether the facts were read with WaveOptions::strip
};
using AttEntry = Shelf<OpenThreadTrace>::Entry;

/// The capture that "c1", a path or nothing (the current one) names; a path that is not open is opened. It becomes current and $capture.
Result<CaptureEntry> capture_named(const Inputs& inputs, const std::string& reference);
/// Puts a capture that was just made or read on the shelf, as current and as $capture, and tells the listeners.
Result<CaptureEntry> shelve(const Inputs& inputs, const std::string& path,
                            std::shared_ptr<const Capture> capture);
/// Likewise for code objects and $object; a capture stands for its own. A file that changed since it was opened becomes a new one.
Result<ObjectEntry> object_named(const Inputs& inputs, const std::string& reference);

/// Likewise for thread traces and $att. A folder that holds several decoded traces is ambiguous.
Result<AttEntry> thread_trace_named(const Inputs& inputs, const std::string& reference);
/// Opens every thread trace at or below `path`, or the one; the last is current.
Result<std::vector<AttEntry>> open_thread_traces(const Inputs& inputs, const std::string& path);
/// What the wave files say; they are read on first use. `strip`: states over time too.
Result<std::shared_ptr<const att::WaveFacts>> wave_facts_of(const Inputs& inputs,
                                                            const AttEntry& entry,
                                                            bool strip = false);
/// The same where the small files beside them lack the wave states or the listing; nothing where they do not.
Result<std::shared_ptr<const att::WaveFacts>> needed_wave_facts(const Inputs& inputs,
                                                                const AttEntry& entry,
                                                                bool strip = false);

/// Opens recordings as one trace, which becomes current, and tells those who listen.
Result<OpenTrace*> open_recordings(const Inputs& inputs, const std::vector<std::string>& paths);

/// Opens what a line named in passing, or makes it current when it is open.
Status open_in_passing(const Inputs& inputs, const std::string& name);

/// "c1: softmax on gfx942, 64 x 1 x 1 work-items in workgroups of 64 x 1 x 1, 2 regions, 41.5 KiB, post image".
std::string one_line(const CaptureEntry& capture);
/// "o1: gfx942, 2 kernels: vector_add, vector_scale".
std::string one_line(const ObjectEntry& object);
/// "att1: rowsum, thread trace, 16 waves, 6,504 instructions executed".
std::string one_line(const AttEntry& trace);

/// A path below the current folder as people type it, which is what opened files are known by; others as they are.
std::string shown_path(const std::string& path);

}  // namespace rpl
