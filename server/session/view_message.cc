#include "server/session/view_message.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::session {
namespace {

constexpr double kMostLookaheadS = 60;

lod::Vector FromProto(const v1::Vector& vector) {
  return {vector.east(), vector.south(), vector.up()};
}

}  // namespace

absl::StatusOr<SessionView> FromProto(const v1::View& message) {
  SessionView view{.id = message.id(), .view = {}, .lookahead_s = message.lookahead_s()};
  view.view.position = FromProto(message.position_m());
  view.view.velocity = FromProto(message.velocity_m_s());
  view.view.direction = FromProto(message.direction());
  view.view.vertical_fov_deg = message.vertical_fov_deg();
  view.view.aspect = message.aspect();
  view.view.viewport_height_px = static_cast<int>(std::min<std::uint32_t>(
      message.viewport_height_px(), std::numeric_limits<std::int32_t>::max()));
  view.view.tolerated_error_px = message.tolerated_error_px();
  if (message.range_m() != 0) view.view.range_m = message.range_m();
  THALWEG_RETURN_IF_ERROR(lod::CheckView(view.view));
  if (!(view.lookahead_s >= 0 && view.lookahead_s <= kMostLookaheadS)) {
    return absl::InvalidArgumentError(absl::StrCat("view: lookahead_s is ", view.lookahead_s,
                                                   ": must be 0 to ", kMostLookaheadS));
  }
  return view;
}

}  // namespace thalweg::session
