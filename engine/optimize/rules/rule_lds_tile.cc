// SPDX-License-Identifier: MIT
// lds-tile: in products and their like all work-items of a row read the same elements, and all of a column. A workgroup reads each of them once into LDS, a
// piece of the loop at a time, and goes on from there. The order of all operations stays.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/places.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// A load that work-items share: it depends on the turn of the loop and on one of the two places.
struct SharedLoad {
  std::string_view pointer;
  std::string element;
  std::size_t begin = 0, end = 0;  ///< tokens of `a[row * n + k]`
  bool of_x = false;
  std::string tile = {};
};

constexpr std::uint32_t kLeastDepth = 8, kMostDepth = 32;  ///< turns of the loop in a piece

class LdsTile {
 public:
  LdsTile(const KernelCase& on, const TwoPlaces& places)
      : on_(on),
        text_(on.text),
        found_(find_loops(on.text, on.kernel)),
        pointers_(element_pointers(on)),
        line_(line_end_of(on.text.text())),
        width_(on.launches->workgroup[0]),
        height_(on.launches->workgroup[1]),
        depth_(std::clamp(std::max(width_, height_), kLeastDepth, kMostDepth)),
        places_(places) {}

  /// Why it cannot be done; "" when it can.
  std::string read() {
    if (found_.too_deep) return "statements are nested too deeply to be read";
    std::string why;
    const auto guard = place_guard(on_, places_, why);
    if (!guard) return why;
    guard_ = *guard;
    why = "no loop reads elements that the work-items of a row or a column share";
    for (const SourceLoop& loop : found_.loops) {
      if (!stands_alone(loop)) continue;
      std::string reason = read_loop(loop);
      if (reason.empty()) return {};
      why = fmt::format("line {}: {}", text_[loop.keyword].line, reason);
    }
    return why;
  }

  [[nodiscard]] std::size_t line() const { return text_[loop_->keyword].line; }

  [[nodiscard]] RuleEdit edit() {
    RuleEdit out;
    out.line = line();
    std::string names;
    for (const SharedLoad& load : loads_)
      names += (names.empty() ? "" : " and ") + std::string(load.pointer);
    out.title = fmt::format("{} go through LDS, {} turns of the loop in line {} at a time", names,
                            depth_, line());
    out.why = "every work-item of a row, or of a column, reads the same elements from memory";
    // The compiler may fuse products and sums of an unrolled loop in other places.
    out.bit_exact = false;
    out.assumes = fmt::format("only {} shows that workgroups have {}", on_.launches->capture,
                              shape_of_workgroups(on_));
    out.source = text_of();
    return out;
  }

 private:
  /// Whether every work-item with an element goes through the loop once.
  [[nodiscard]] bool stands_alone(const SourceLoop& loop) const {
    if (loop.keyword < guard_.rest_begin || loop.body_end > guard_.rest_end) return false;
    int depth = 0;
    for (std::size_t i = guard_.rest_begin; i < loop.keyword; ++i) {
      depth += text_.is(i, "{") ? 1 : text_.is(i, "}") ? -1 : 0;
      if (depth == 0 && (text_.is(i, "if") || text_.is(i, "for") || text_.is(i, "while") ||
                         text_.is(i, "else") || text_.is(i, "do") || text_.is(i, "switch")))
        return false;
    }
    return depth == 0;
  }

  std::string read_loop(const SourceLoop& loop) {
    const auto shape = counted(text_, loop);
    if (!shape || shape->inclusive || written(text_, shape->first.begin, shape->first.end) != "0")
      return "the loop does not count from 0 by one up to a limit";
    loop_ = &loop;
    shape_ = *shape;
    loads_.clear();
    if (loop.early_exit != 0) return "the loop ends early";
    if (mentions(text_, places_.x.name, shape->limit.begin, shape->limit.end) ||
        mentions(text_, places_.y.name, shape->limit.begin, shape->limit.end) ||
        !is_plain_arithmetic(text_, shape->limit.begin, shape->limit.end) ||
        names_change_in(text_, loop, shape->limit.begin, shape->limit.end) ||
        is_of_body(shape->limit.begin, shape->limit.end))
      return "the loop's limit may differ from work-item to work-item";
    if (accesses(guard_.rest_begin, loop.keyword))
      return "something is read or written before the loop";
    for (const ElementPointer& pointer : pointers_) {
      for (const NameUse& use : uses_of(text_, pointer.name, loop.body_begin, loop.body_end)) {
        if (use.kind != UseKind::read || use.subscripts != 1 || pointer.declared != 0)
          return fmt::format("'{}' is not only read, element by element", pointer.name);
        if (std::string why = read_load(pointer, use); !why.empty()) return why;
      }
    }
    std::uint64_t bytes = 0;
    for (const SharedLoad& load : loads_)
      bytes += std::uint64_t{bytes_of(load.element)} * depth_ * (load.of_x ? width_ : height_ + 1);
    if (loads_.empty()) return "work-items share nothing that it reads";
    if (bytes > kMostBytes) return "what work-items share does not fit into LDS";
    return {};
  }

  /// Names that the body declares besides places and counters may hold another number in every work-item.
  [[nodiscard]] bool is_of_body(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view name = text_[i].text;
      if (text_[i].kind != SourceTokenKind::identifier || name == shape_.counter ||
          name == places_.x.name || name == places_.y.name)
        continue;
      if (declarations_in(text_, name, on_.kernel.body_open, on_.kernel.body_close) > 0)
        return true;
    }
    return false;
  }

  [[nodiscard]] bool accesses(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (text_.is(i, "[") || text_.is(i, "*") || text_.is(i, "return")) return true;
    }
    return false;
  }

  std::string read_load(const ElementPointer& pointer, const NameUse& use) {
    const std::size_t begin = use.token + 2, end = use.end - 1;
    if (!is_plain_arithmetic(text_, begin, end) || is_of_body(begin, end) ||
        names_change_in(text_, *loop_, begin, end, shape_.counter))
      return fmt::format("which element of '{}' is read is not plain arithmetic", pointer.name);
    const bool x = mentions(text_, places_.x.name, begin, end),
               y = mentions(text_, places_.y.name, begin, end),
               turn = mentions(text_, shape_.counter, begin, end);
    if (x && y)
      return fmt::format("each work-item reads an element of its own of '{}'", pointer.name);
    if (!turn && (x || y))
      return fmt::format("'{}' is read again and again in every turn", pointer.name);
    if (!turn || (!x && !y)) return {};  // equal in all lanes
    if (bytes_of(pointer.element) == 0)
      return fmt::format("elements of '{}' have a type of unknown size", pointer.name);
    const std::string_view words = written(text_, use.token, use.end);
    const auto same = std::ranges::find_if(loads_, [&](const SharedLoad& other) {
      return written(text_, other.begin, other.end) == words;
    });
    SharedLoad load{pointer.name, pointer.element, use.token, use.end, x};
    load.tile =
        same != loads_.end()
            ? same->tile
            : fresh_name(text_,
                         fmt::format("tile_of_{}{}", pointer.name,
                                     loads_.empty() ? "" : fmt::format("_{}", loads_.size())));
    loads_.push_back(std::move(load));
    return {};
  }

  /// Reads one piece of the elements of a load; `from`: the first turn; `limit`: "" for a whole piece, else the loop's.
  [[nodiscard]] std::string fill(const SharedLoad& load, const std::string& from,
                                 std::string_view limit, const std::string& indent) const {
    const Place& place = load.of_x ? places_.x : places_.y;
    const std::uint32_t extent = load.of_x ? width_ : height_;
    const std::string at = fresh_name(text_, "at"), one = fresh_name(text_, "one"),
                      turn = fresh_name(text_, "turn");
    // Lanes go along what lies side by side in memory: rows of x, else turns.
    const std::uint32_t inner = load.of_x ? extent : depth_;
    const std::string across = fmt::format("{} % {}", at, inner),
                      down = fmt::format("{} / {}", at, inner);
    const std::string place_value = value_at(text_, place, load.of_x ? across : down);
    const std::vector<NewName> names{{place.name, one}, {shape_.counter, turn}};
    std::string condition;
    const std::string& guard = load.of_x ? guard_.x : guard_.y;
    if (!guard.empty()) condition = renamed(guard, names);
    if (!limit.empty())
      condition += fmt::format("{}{} < {}", condition.empty() ? "" : " && ", turn, limit);
    return fmt::format(
        "{0}for (int {1} = threadIdx.y * {2} + threadIdx.x; {1} < {3}; {1} += {4}) {{{0}  const "
        "decltype({5}) {6} = {7};{0}  const {8} {9} = {10} + {11};{0}  {12}{13}[{1} / {14}][{1} % "
        "{14}] = {15};{0}}}",
        indent, at, width_, extent * depth_, width_ * height_, place.name, one, place_value,
        shape_.type, turn, from, load.of_x ? down : across,
        condition.empty() ? std::string() : fmt::format("if ({}) ", condition), load.tile, inner,
        renamed(text_, load.begin, load.end, names));
  }

  /// The loop over one piece that is in LDS.
  [[nodiscard]] std::string turns(const std::string& from, const std::string& count,
                                  const std::string& indent) const {
    const std::string turn = fresh_name(text_, "turn");
    std::vector<Replacement> changes;
    for (const SharedLoad& load : loads_) {
      changes.push_back({text_[load.begin].begin, text_[load.end - 1].end,
                         load.of_x ? fmt::format("{}[{}][threadIdx.x]", load.tile, turn)
                                   : fmt::format("{}[threadIdx.y][{}]", load.tile, turn)});
    }
    const std::size_t begin = text_[loop_->body_begin].begin, end = text_[loop_->body_end - 1].end;
    for (Replacement& one : changes) one.begin -= begin, one.end -= begin;
    const std::string body = replaced(text_.text().substr(begin, end - begin), std::move(changes));
    return fmt::format(
        "{0}for (int {1} = 0; {1} < {2}; ++{1}) {{{0}  const {3} {4} = {5} + {1};{0}  "
        "(void){4};{0}  {6}{0}}}",
        indent, turn, count, shape_.type, shape_.counter, from, body);
  }

  [[nodiscard]] std::string text_of() {
    const std::string indent = line_ + indent_at(text_.text(), text_[loop_->keyword].begin);
    const std::string from = fresh_name(text_, "first_turn");
    const std::string limit(written(text_, shape_.limit.begin, shape_.limit.end));
    std::vector<const SharedLoad*> tiles;
    for (const SharedLoad& load : loads_) {
      if (std::ranges::none_of(tiles,
                               [&](const SharedLoad* one) { return one->tile == load.tile; }))
        tiles.push_back(&load);
    }
    std::string out = fmt::format("{} {} = 0;", shape_.type, from), shared;
    const auto piece = [&](std::string_view end, const std::string& count) {
      std::string text = indent + "  __syncthreads();";
      for (const SharedLoad* load : tiles) text += fill(*load, from, end, indent + "  ");
      return text + indent + "  __syncthreads();" + turns(from, count, indent + "  ");
    };
    out += fmt::format("{0}for (; {3} - {1} >= {2}; {1} += {2}) {{{4}{0}}}", indent, from, depth_,
                       limit, piece({}, std::to_string(depth_)));
    out += fmt::format("{0}if ({1} < {2}) {{{3}{0}}}", indent, from, limit,
                       piece(fmt::format("({})", limit), fmt::format("{} - {}", limit, from)));
    for (const SharedLoad* load : tiles) {
      // A column more keeps the rows of a tile, which lanes of different y read together, in banks of their own.
      shared += load->of_x ? fmt::format("{}  __shared__ {} {}[{}][{}];", line_, load->element,
                                         load->tile, depth_, width_)
                           : fmt::format("{}  __shared__ {} {}[{}][{} + 1];", line_, load->element,
                                         load->tile, height_, depth_);
    }
    std::vector<Replacement> changes;
    const std::size_t top = text_[on_.kernel.body_open].end;
    changes.push_back({top, top, shared});
    // A pragma of the loop belongs to a loop; those over pieces have a constant number of turns.
    const std::size_t first = loop_->pragmas.empty() ? loop_->keyword : loop_->pragmas.front();
    changes.push_back({text_[first].begin, text_[loop_->body_end - 1].end, out});
    guard_rest(changes, indent);
    return replaced(text_.text(), std::move(changes));
  }

  /// Work-items without an element come along to the barriers, and stay out of what follows.
  void guard_rest(std::vector<Replacement>& changes, const std::string& indent) const {
    if (guard_.begin == guard_.end) return;
    const bool wraps = guard_.rest_end < on_.kernel.body_close;
    changes.push_back({text_[guard_.begin].begin, text_[guard_.end - 1].end, wraps ? "{" : ""});
    const std::size_t behind = text_[loop_->body_end - 1].end;
    changes.push_back({behind, behind, fmt::format("{}if ({}) {{", indent, inside(guard_))});
    const std::size_t end = text_[guard_.rest_end].begin;
    changes.push_back({end, end, "}" + line_});
  }

  static constexpr std::uint64_t kMostBytes = 32768;  ///< of LDS: half of what a workgroup may have
  const KernelCase& on_;
  const SourceText& text_;
  LoopsFound found_;
  std::vector<ElementPointer> pointers_;
  std::string line_;
  std::uint32_t width_, height_, depth_;
  TwoPlaces places_;
  PlaceGuard guard_;
  CountedLoop shape_;
  const SourceLoop* loop_ = nullptr;
  std::vector<SharedLoad> loads_;
};

}  // namespace

RuleOutcome lds_tile(const KernelCase& on) {
  RuleOutcome out;
  std::string why;
  if (const auto places = two_places(on, why)) {
    LdsTile rule(on, *places);
    why = rule.read();
    if (why.empty()) out.edits.push_back(rule.edit());
  }
  if (!why.empty()) refuse(out, on.kernel.line, std::move(why));
  return out;
}

}  // namespace rpl::rules
