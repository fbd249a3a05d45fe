// SPDX-License-Identifier: MIT
// capture diff: where two captures differ.
#include <fmt/format.h>

#include <algorithm>

#include "engine/capture/dispatches.h"
#include "engine/document/bound.h"
#include "engine/replay/elements.h"
#include "engine/replay/images.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct CaptureDiffArgs {
  std::string before, after;
};

struct Difference {
  std::string part;
  Value a, b;
  std::optional<std::uint64_t> bytes = {}, offset = {};
};

constexpr auto kDifferenceColumns = bound_to<Difference>(
    column<&Difference::part>("part", "what differs"),
    column<&Difference::a>("a", "of the first capture; of memory, the first value that differs"),
    column<&Difference::b>("b", "of the second"),
    column<&Difference::bytes>("differing_bytes", "of memory"),
    column<&Difference::offset>("first_offset", "of the first of them, from the region's base")
        .in(Unit::none));

struct Differences {
  CaptureEntry a, b;
  std::vector<Difference> rows = {};
  std::uint64_t arguments = 0, regions = 0, bytes = 0;

  [[nodiscard]] bool same() const { return rows.empty(); }
};

constexpr auto kDiffFields = bound_to<Differences>(
    column<&Differences::a, &Shelved<Capture>::id>("a", "the first capture").as(Type::id),
    column<&Differences::b, &Shelved<Capture>::id>("b", "the second").as(Type::id),
    column<&Differences::same>("same", "whether nothing differs"),
    column<&Differences::arguments>("arguments_differ",
                                    "arguments of other values; pointers among them"),
    column<&Differences::regions>("regions_differ", "of memory"),
    column<&Differences::bytes>("differing_bytes", "of memory, before and after"));

/// Collects differences of two captures.
class CaptureDifference {
 public:
  explicit CaptureDifference(Differences& out) : a_(*out.a->value), b_(*out.b->value), out_(out) {}

  Status run() {
    compare("kernel", a_.kernel, b_.kernel);
    compare("architecture", a_.architecture, b_.architecture);
    compare("grid", size_text(a_.grid), size_text(b_.grid));
    compare("workgroup", size_text(a_.workgroup), size_text(b_.workgroup));
    compare("dynamic LDS", fmt::format("{} B", a_.dynamic_lds_bytes),
            fmt::format("{} B", b_.dynamic_lds_bytes));
    if (a_.facts.packet && b_.facts.packet)
      compare("packet", packet_hex(*a_.facts.packet), packet_hex(*b_.facts.packet));
    compare("code", TRY(object_of(a_))->hash(), TRY(object_of(b_))->hash());
    TRY(compare_following());
    compare_arguments();
    return compare_regions();
  }

 private:
  static std::string size_text(const std::array<std::uint32_t, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
  }

  void compare(const std::string& part, const std::string& a, const std::string& b) {
    if (a != b) out_.rows.push_back({part, a, b});
  }

  /// Of the dispatches after the first the launch and the kernel arguments.
  Status compare_following() {
    compare("dispatches", fmt::format("{}", dispatch_count(a_)),
            fmt::format("{}", dispatch_count(b_)));
    for (std::size_t i = 0; i < std::min(a_.then.size(), b_.then.size()); ++i) {
      const FollowingDispatch &a = a_.then[i], &b = b_.then[i];
      const std::string name = fmt::format("dispatch {}", i + 2);
      compare(name, a.kernel, b.kernel);
      compare(name + " grid", size_text(a.grid), size_text(b.grid));
      compare(name + " workgroup", size_text(a.workgroup), size_text(b.workgroup));
      compare(name + " dynamic LDS", fmt::format("{} B", a.dynamic_lds_bytes),
              fmt::format("{} B", b.dynamic_lds_bytes));
      compare("before " + name, steps_text(a), steps_text(b));
      if (const auto difference = TRY(difference_of(0, a.kernarg, b.kernarg)))
        out_.rows.push_back({name + " arguments", Value(), Value(), difference->differing_bytes,
                             difference->first_offset});
    }
    return {};
  }

  static std::string steps_text(const FollowingDispatch& dispatch) {
    std::string out;
    for (const MemoryStep& step : dispatch.steps) {
      out += fmt::format("{}{} to 0x{:x}", out.empty() ? "" : ", ", to_text(step), step.to);
      if (step.kind == MemoryStep::Kind::copy) out += fmt::format(" from 0x{:x}", step.from);
    }
    return out.empty() ? "nothing" : out;
  }

  static std::span<const std::byte> bytes_of(const Capture& capture,
                                             const CapturedArgument& argument) {
    return std::span(capture.kernarg).subspan(argument.kernarg_offset, argument.kernarg_size);
  }
  /// As the type that it has, or the one that it has in the other capture.
  static std::string value_text(std::span<const std::byte> bytes, const CapturedArgument& argument,
                                const CapturedArgument& other) {
    const auto element = argument.element || other.buffer ? argument.element : other.element;
    if (!argument.buffer && element && size_of(*element) == bytes.size())
      return element_text(*element, bytes.data());
    std::string out = "0x";
    for (std::size_t i = bytes.size(); i-- > 0;)
      out += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
    return out;
  }

  void compare_arguments() {
    const std::size_t both = std::min(a_.arguments.size(), b_.arguments.size());
    for (std::size_t i = 0; i < both; ++i) {
      const CapturedArgument &first = a_.arguments[i], &second = b_.arguments[i];
      const auto a = bytes_of(a_, first), b = bytes_of(b_, second);
      if (std::ranges::equal(a, b)) continue;
      ++out_.arguments;
      out_.rows.push_back({fmt::format("argument {}", i + 1), value_text(a, first, second),
                           value_text(b, second, first)});
    }
    if (a_.arguments.size() != b_.arguments.size()) {
      out_.rows.push_back(
          {"arguments", std::uint64_t{a_.arguments.size()}, std::uint64_t{b_.arguments.size()}});
    }
  }

  /// The region of `other` that stands for one of `capture`: what the same argument points to, else of the same name, else at the same address.
  static const CapturedRegion* partner_of(const Capture& capture, std::size_t region,
                                          const Capture& other) {
    for (std::size_t i = 0; i < std::min(capture.arguments.size(), other.arguments.size()); ++i) {
      if (capture.arguments[i].buffer && capture.arguments[i].region == region &&
          other.arguments[i].buffer)
        return &other.regions[other.arguments[i].region];
    }
    const auto by = [&](auto member) -> const CapturedRegion* {
      const auto found = std::ranges::find(other.regions, capture.regions[region].*member, member);
      return found == other.regions.end() ? nullptr : &*found;
    };
    const CapturedRegion* named = by(&CapturedRegion::name);
    return named != nullptr ? named : by(&CapturedRegion::base);
  }

  Status compare_regions() {
    std::vector<const CapturedRegion*> met;
    for (std::size_t i = 0; i < a_.regions.size(); ++i) {
      const CapturedRegion& a = a_.regions[i];
      const CapturedRegion* b = partner_of(a_, i, b_);
      if (b == nullptr || std::ranges::find(met, b) != met.end()) {
        alone(a, true);
        continue;
      }
      met.push_back(b);
      bool differs = a.size != b->size;
      if (differs)
        out_.rows.push_back({a.name, fmt::format("{} B", a.size), fmt::format("{} B", b->size)});
      differs |= TRY(compare_images(a.name + " before", element_of(i), a.before, b->before));
      // What neither dispatch changed was compared already.
      if (a_.has_after && b_.has_after && (a.after || b->after))
        differs |= TRY(compare_images(a.name + " after", element_of(i), after_of(a), after_of(*b)));
      out_.regions += differs ? 1U : 0U;
    }
    for (const CapturedRegion& b : b_.regions) {
      if (std::ranges::find(met, &b) == met.end()) alone(b, false);
    }
    return {};
  }

  void alone(const CapturedRegion& region, bool first) {
    ++out_.regions;
    const Value here(fmt::format("{} B", region.size)), nowhere("none");
    out_.rows.push_back({region.name, first ? here : nowhere, first ? nowhere : here});
  }

  Element element_of(std::size_t region) const {
    for (const CapturedArgument& argument : a_.arguments) {
      if (argument.buffer && argument.region == region && argument.element)
        return *argument.element;
    }
    return Element::u32;
  }

  Result<bool> compare_images(const std::string& part, Element element,
                              const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    const auto difference = TRY(difference_of(0, a, b));
    if (!difference) return false;
    out_.bytes += difference->differing_bytes;
    const std::uint64_t at = difference->first_offset / size_of(element) * size_of(element);
    const auto text = [&](const std::vector<std::byte>& image) {
      return at + size_of(element) <= image.size()
                 ? element_text(element, image.data() + at)
                 : fmt::format("0x{:02x}", static_cast<unsigned>(image[difference->first_offset]));
    };
    out_.rows.push_back(
        {part, text(a), text(b), difference->differing_bytes, difference->first_offset});
    return true;
  }

  const Capture& a_;
  const Capture& b_;
  Differences& out_;
};

Result<Document> run_capture_diff(const CaptureDiffArgs& args, Inputs inputs) {
  const CaptureEntry a = TRY(capture_named(inputs, args.before));
  const CaptureEntry b = TRY(capture_named(inputs, args.after));
  Differences found{a, b};
  TRY(CaptureDifference(found).run());
  Document out;
  out.put(kDiffFields, found);
  out.table(kDifferenceColumns, found.rows);
  if (!a->value->has_after || !b->value->has_after)
    out.notes.emplace_back("memory after the dispatch was not captured by both, and not compared");
  if (out.rows.empty()) out.notes.emplace_back("the captures are equal");
  out.provenance = Provenance::recorded;
  out.next = {"capture regions " + a->id, "capture regions " + b->id};
  return out;
}

}  // namespace

void add_capture_diff_command(Registry& registry) {
  add(registry,
      command(
          Command{.path = "capture diff",
                  .does = kReads,
                  .chapter = Class::files,
                  .summary = "Show where two captures differ.",
                  .help = "Launch, packet, code, arguments, and memory before and after, byte by "
                          "byte. Regions are compared that the same argument points to, else "
                          "those of one name or address. Only what differs is listed: memory with "
                          "its first different value, as the type of the argument.",
                  .fields = described(kDiffFields),
                  .columns = described(kDifferenceColumns),
                  .scalar = "same",
                  .examples = {"capture diff CAPTURE CAPTURE"}},
          {arg("before", &CaptureDiffArgs::before, "a capture: a folder or c1")
               .required()
               .completes(Complete::file),
           arg("after", &CaptureDiffArgs::after, "another one")
               .required()
               .completes(Complete::file)},
          run_capture_diff));
}

}  // namespace rpl
