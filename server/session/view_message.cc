#include "server/session/view_message.h"

#include <algorithm>
#include <limits>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::session {
namespace {

constexpr double kMaxLookaheadS = 60;

lod::Vector FromProto(const v1::Vector& vector) {
  return {vector.east(), vector.south(), vector.up()};
}

lod::Vector FromProto(const v1::SpaceVector& vector) {
  return {vector.x(), vector.y(), vector.z()};
}

// Checks that the view does not have a field of the other shape's worlds.
absl::Status CheckAbsent(bool present, absl::string_view name, absl::string_view world) {
  if (!present) return absl::OkStatus();
  return wire::Invalid(absl::StrCat("view.", name),
                       absl::StrCat("none, since the world is ", world), "one");
}

absl::Status SetOnPlane(const v1::View& message, lod::View& view) {
  constexpr absl::string_view kPlane = "a plane";
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_space_position_m(), "space_position_m", kPlane));
  THALWEG_RETURN_IF_ERROR(
      CheckAbsent(message.has_space_velocity_m_s(), "space_velocity_m_s", kPlane));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_space_direction(), "space_direction", kPlane));
  view.position = FromProto(message.position_m());
  view.velocity = FromProto(message.velocity_m_s());
  view.direction = FromProto(message.direction());
  return absl::OkStatus();
}

absl::Status SetOnPlanet(const v1::View& message, lod::View& view) {
  constexpr absl::string_view kPlanet = "a planet";
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_position_m(), "position_m", kPlanet));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_velocity_m_s(), "velocity_m_s", kPlanet));
  THALWEG_RETURN_IF_ERROR(CheckAbsent(message.has_direction(), "direction", kPlanet));
  if (!message.has_space_position_m()) {
    return wire::Invalid("view.space_position_m", "a point in space, since the world is a planet",
                         "none");
  }
  view.position = FromProto(message.space_position_m());
  view.velocity = FromProto(message.space_velocity_m_s());
  view.direction = FromProto(message.space_direction());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SessionView> FromProto(const v1::View& message, wire::Shape shape) {
  SessionView view{.id = message.id(), .view = {}, .lookahead_s = message.lookahead_s()};
  THALWEG_RETURN_IF_ERROR(shape == wire::Shape::kPlane ? SetOnPlane(message, view.view)
                                                       : SetOnPlanet(message, view.view));
  view.view.vertical_fov_deg = message.vertical_fov_deg();
  view.view.aspect = message.aspect();
  view.view.viewport_height_px = static_cast<int>(std::min<std::uint32_t>(
      message.viewport_height_px(), std::numeric_limits<std::int32_t>::max()));
  view.view.tolerated_error_px = message.tolerated_error_px();
  if (message.range_m() != 0) view.view.range_m = message.range_m();
  THALWEG_RETURN_IF_ERROR(lod::CheckView(view.view));
  if (!(view.lookahead_s >= 0 && view.lookahead_s <= kMaxLookaheadS)) {
    return wire::Invalid("view.lookahead_s", absl::StrCat("0 to ", kMaxLookaheadS),
                         view.lookahead_s);
  }
  return view;
}

}  // namespace thalweg::session
