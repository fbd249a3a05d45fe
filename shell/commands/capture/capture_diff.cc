// SPDX-License-Identifier: MIT
// capture diff: where two captures differ.
#include <fmt/format.h>

#include <algorithm>

#include "engine/replay/elements.h"
#include "engine/replay/images.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct CaptureDiffArgs {
  std::string before, after;
};

/// Collects differences of two captures as rows.
class CaptureDifference {
 public:
  CaptureDifference(const Capture& a, const Capture& b, Document& out) : a_(a), b_(b), out_(out) {}

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
    compare_arguments();
    compare_regions();
    out_.set("same", out_.rows.empty());
    out_.set("arguments_differ", arguments_);
    out_.set("regions_differ", regions_);
    out_.set("differing_bytes", bytes_);
    return {};
  }

 private:
  static std::string size_text(const std::array<std::uint32_t, 3>& size) {
    return fmt::format("{}x{}x{}", size[0], size[1], size[2]);
  }

  void row(std::string part, Value a, Value b, Value bytes = {}, Value offset = {}) {
    out_.rows.push_back(
        {Value(std::move(part)), std::move(a), std::move(b), std::move(bytes), std::move(offset)});
  }
  void compare(const char* part, const std::string& a, const std::string& b) {
    if (a != b) row(part, Value(a), Value(b));
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
      ++arguments_;
      row(fmt::format("argument {}", i + 1), Value(value_text(a, first, second)),
          Value(value_text(b, second, first)));
    }
    if (a_.arguments.size() != b_.arguments.size()) {
      row("arguments", Value(std::uint64_t{a_.arguments.size()}),
          Value(std::uint64_t{b_.arguments.size()}));
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

  void compare_regions() {
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
        row(a.name, Value(fmt::format("{} B", a.size)), Value(fmt::format("{} B", b->size)));
      differs |= compare_images(a.name + " before", element_of(i), a.before, b->before);
      if (a_.has_after && b_.has_after)
        differs |= compare_images(a.name + " after", element_of(i), after_of(a), after_of(*b));
      regions_ += differs ? 1U : 0U;
    }
    for (const CapturedRegion& b : b_.regions) {
      if (std::ranges::find(met, &b) == met.end()) alone(b, false);
    }
  }

  void alone(const CapturedRegion& region, bool first) {
    ++regions_;
    const Value here(fmt::format("{} B", region.size)), nowhere("none");
    row(region.name, first ? here : nowhere, first ? nowhere : here);
  }

  Element element_of(std::size_t region) const {
    for (const CapturedArgument& argument : a_.arguments) {
      if (argument.buffer && argument.region == region && argument.element)
        return *argument.element;
    }
    return Element::u32;
  }

  bool compare_images(const std::string& part, Element element, const std::vector<std::byte>& a,
                      const std::vector<std::byte>& b) {
    const auto difference = difference_of(0, a, b);
    if (!difference) return false;
    bytes_ += difference->differing_bytes;
    const std::uint64_t at = difference->first_offset / size_of(element) * size_of(element);
    const auto text = [&](const std::vector<std::byte>& image) {
      return at + size_of(element) <= image.size()
                 ? element_text(element, image.data() + at)
                 : fmt::format("0x{:02x}", static_cast<unsigned>(image[difference->first_offset]));
    };
    row(part, Value(text(a)), Value(text(b)), Value(difference->differing_bytes),
        Value(difference->first_offset));
    return true;
  }

  const Capture& a_;
  const Capture& b_;
  Document& out_;
  std::uint64_t arguments_ = 0, regions_ = 0, bytes_ = 0;
};

Result<Document> run_capture_diff(Context& context, const CaptureDiffArgs& args) {
  const CaptureEntry a = TRY(capture_named(context, args.before))
  , b = TRY(capture_named(context, args.after));
  Document out;
  out.set("a", a->id);
  out.set("b", b->id);
  TRY(CaptureDifference(*a->value, *b->value, out).run());
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
                  .chapter = Class::files,
                  .summary = "Show where two captures differ.",
                  .help = "Launch, packet, code, arguments, and memory before and after, byte by "
                          "byte. Regions are compared that the same argument points to, else "
                          "those of one name or address. Only what differs is listed: memory with "
                          "its first different value, as the type of the argument.",
                  .fields = {{"a", Type::id, Unit::none, "the first capture"},
                             {"b", Type::id, Unit::none, "the second"},
                             {"same", Type::boolean, Unit::none, "whether nothing differs"},
                             {"arguments_differ", Type::integer, Unit::count,
                              "arguments of other values; pointers among them"},
                             {"regions_differ", Type::integer, Unit::count, "of memory"},
                             {"differing_bytes", Type::integer, Unit::bytes,
                              "of memory, before and after"}},
                  .columns = {{"part", Type::string, Unit::none, "what differs"},
                              {"a", Type::any, Unit::none,
                               "of the first capture; of memory, the first value that differs"},
                              {"b", Type::any, Unit::none, "of the second"},
                              {"differing_bytes", Type::integer, Unit::bytes, "of memory"},
                              {"first_offset", Type::integer, Unit::none,
                               "of the first of them, from the region's base"}},
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
