#include "server/tile/layers/tile_ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

#include "proto/geometry/cube_sphere.h"
#include "server/world/height_curve.h"

namespace thalweg::tile {
namespace {

constexpr double kTangentUnits = 65536.0;
constexpr double kComponentUnits = 32767.0;
constexpr std::int32_t kNormalStep = 128;
constexpr double kMaxNormalSteps = 255.0;

// A component as 16 bits, rounded to a multiple of the step.
std::uint32_t Component(double part, double length, std::int32_t step, double max) {
  const double steps = std::floor(part / length * (kComponentUnits / step) + 0.5);
  const double kept = steps < -max ? -max : steps > max ? max : steps;
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(kept) * step);
}

std::int32_t Packed(const Rise& rise, double run, std::int32_t step, double max) {
  const double length = std::sqrt(rise.east * rise.east + rise.south * rise.south + run * run);
  return static_cast<std::int32_t>(Component(-rise.east, length, step, max) |
                                   Component(-rise.south, length, step, max) << 16);
}

constexpr std::uint32_t kNoShore = 0x80008000U;
constexpr double kDistanceUnits = 256.0;
constexpr std::int32_t kTurn = 65536;
constexpr double kUnitsPerRadian = 10430.378350470453;  // 65,536 / (2 pi)

// The offset in cells to the vertex beyond the shore; both are 0 if no shore was found.
struct Offset {
  std::int32_t east = 0;
  std::int32_t south = 0;

  bool IsKnown() const { return east != 0 || south != 0; }
};

Offset Unpack(std::int32_t packed) {
  const auto bits = static_cast<std::uint32_t>(packed);
  if (bits == kNoShore) return {};
  return {static_cast<std::int16_t>(bits & 0xFFFFU), static_cast<std::int16_t>(bits >> 16)};
}

// The arc tangent, for t from 0 to 1, in radians, to 1e-5 (Abramowitz and Stegun 1964, 4.4.49).
double ArcTangent(double t) {
  const double s = t * t;
  return t * (0.9998660 + s * (-0.3302995 + s * (0.1801410 + s * (-0.0851330 + s * 0.0208351))));
}

// Turns a rise by quarter turns from east to south.
Rise Turned(Rise rise, int turns) {
  for (int turn = 0; turn < turns; ++turn) rise = {-rise.south, rise.east};
  return rise;
}

// Turns rises over a lattice's steps into rises along the first step and at a right angle to it.
Rise Straightened(const Rise& rise, const kernels::Frame& frame) {
  const double along = std::sqrt(static_cast<double>(frame.east_east));
  const double across = std::sqrt(static_cast<double>(kernels::areaSquared(frame))) / along;
  const double east = rise.east / along;
  const double shear = static_cast<double>(frame.east_south) / along;
  return {east, (rise.south - east * shear) / across};
}

// The rise over two cells where three edges meet at equal angles, from the differences of the three
// vertices next to the corner. Each face has two of these among its four neighbours.
// along_diagonal: whether these are the northern and western ones, or the southern and eastern
// ones. The squares are sorted, so that all faces get the same sum.
double AtCorner(const Rise& rise, bool along_diagonal, const kernels::Frame& frame) {
  const double third = along_diagonal ? rise.east - rise.south : rise.east + rise.south;
  std::array<double, 3> squares = {rise.east * rise.east, rise.south * rise.south, third * third};
  std::ranges::sort(squares);
  const double sum = (squares[0] + squares[1]) + squares[2];
  return 4.0 / 3 * std::sqrt(0.5 * sum / static_cast<double>(frame.east_east));
}

}  // namespace

std::int32_t SlopeOf(const Rise& rise, double run) {
  constexpr double kMax = std::numeric_limits<std::int32_t>::max();
  const double tangent = std::sqrt(rise.east * rise.east + rise.south * rise.south) / run;
  const double units = std::floor(tangent * kTangentUnits + 0.5);
  return static_cast<std::int32_t>(units < kMax ? units : kMax);
}

std::int32_t NormalOf(const Rise& rise, double run) {
  return Packed(rise, run, 1, kComponentUnits);
}

std::int32_t RoundedNormalOf(const Rise& rise, double run) {
  return Packed(rise, run, kNormalStep, kMaxNormalSteps);
}

std::int32_t ShoreDistance(std::int32_t packed, bool under_water) {
  const Offset offset = Unpack(packed);
  std::int32_t distance = kFarthestShore;
  if (offset.IsKnown()) {
    const double east = offset.east;
    const double south = offset.south;
    const double units = std::sqrt(east * east + south * south) * kDistanceUnits;
    distance = static_cast<std::int32_t>(std::min<double>(std::floor(units + 0.5), kFarthestShore));
  }
  return under_water ? -distance : distance;
}

std::int32_t ShoreDirection(std::int32_t packed) {
  const Offset offset = Unpack(packed);
  if (!offset.IsKnown()) return 0;
  const std::int32_t across = std::abs(offset.east);
  const std::int32_t along = std::abs(offset.south);
  const double tangent = static_cast<double>(std::min(across, along)) / std::max(across, along);
  auto angle = static_cast<std::int32_t>(std::floor(ArcTangent(tangent) * kUnitsPerRadian + 0.5));
  // The angle is in the first octant; this moves it to the octant of the offset.
  if (along > across) angle = kTurn / 4 - angle;
  if (offset.east < 0) angle = kTurn / 2 - angle;
  if (offset.south < 0) angle = kTurn - angle;
  return angle % kTurn;
}

ShownValues::ShownValues(const world::World& world, int level, const Sources& sources,
                         const field::TileValues& values)
    : values_(values) {
  const auto curve = world.level(level).CurveOfBlocks();
  if (curve.empty()) return;
  curved_ = values;
  for (std::size_t k = 0; k < sources.layers.size(); ++k) {
    const stages::Layer layer = sources.layers[k];
    if (layer != stages::Layer::kHeight && layer != stages::Layer::kWater) continue;
    for (std::int32_t& height : curved_->planes[k]) height = world::ShownHeight(height, curve);
  }
}

TileGround::TileGround(const world::World& world, const wire::TileKey& key)
    : key_(key),
      bits_(world.level(key.level).surface->FaceBits(key.level)),
      radius_(std::ldexp(double{kernels::kSphereRadius}, bits_ - kernels::kFaceBits)) {}

TileGround::Spot TileGround::OwnerAt(int x, int y) const {
  const sphere::Vertex own{key_.face, key_.x * wire::kTileCells + x, key_.y * wire::kTileCells + y};
  const std::int64_t cells = std::int64_t{1} << bits_;
  const bool inside = own.x > 0 && own.y > 0 && own.x < cells && own.y < cells;
  if (bits_ == 0 || inside) return {own.face, own.x, own.y, 0};
  const sphere::Vertex owner = sphere::OwnerOf(own, cells);
  int turns = 0;
  for (const sphere::Side side : sphere::kSides) {
    const sphere::Crossing crossing = sphere::Beyond(own.face, side);
    if (crossing.face == owner.face) turns = crossing.turns;
  }
  return {owner.face, owner.x, owner.y, turns};
}

bool TileGround::IsCorner(int x, int y) const {
  const std::int64_t cells = std::int64_t{1} << bits_;
  const auto on_side = [&](std::int64_t coordinate) {
    return coordinate == 0 || coordinate == cells;
  };
  return on_side(key_.x * wire::kTileCells + x) && on_side(key_.y * wire::kTileCells + y);
}

kernels::Frame TileGround::FrameAt(const Spot& spot) const {
  kernels::Frame frame = kernels::frameAt(bits_, spot.x, spot.y);
  const std::int64_t cells = std::int64_t{1} << bits_;
  const bool over_east = spot.x == 0 || spot.x == cells;
  const bool over_south = spot.y == 0 || spot.y == cells;
  if (over_east == over_south) return frame;
  // The face beyond the edge is the mirror image of this one, so in the sum of two steps over the
  // edge the parts along the edge cancel out.
  glm::vec3& step = over_east ? frame.east : frame.south;
  const glm::vec3& along = over_east ? frame.south : frame.east;
  float& square = over_east ? frame.east_east : frame.south_south;
  const float part = frame.east_south / (over_east ? frame.south_south : frame.east_east);
  step -= part * along;
  square -= part * frame.east_south;
  frame.east_south = 0;
  return frame;
}

kernels::Place TileGround::PlaceAt(int x, int y) const {
  const Spot spot = OwnerAt(x, y);
  return bits_ == 0 ? kernels::placeOnPlane(spot.x, spot.y)
                    : kernels::placeOnSphere(spot.face, bits_, spot.x, spot.y);
}

float TileGround::LatitudeSine(const kernels::Place& place) const {
  return bits_ == 0 ? 0 : static_cast<float>(static_cast<double>(place.z) / radius_);
}

float TileGround::AreaAt(int x, int y) const {
  if (bits_ == 0) return 1;
  return std::sqrt(kernels::areaSquared(FrameAt(OwnerAt(x, y))));
}

Rise TileGround::AlongTile(const Rise& rise, int x, int y) const {
  if (bits_ == 0) return rise;
  const Spot spot = OwnerAt(x, y);
  return Turned(Straightened(Turned(rise, spot.turns), FrameAt(spot)), (4 - spot.turns) % 4);
}

Rise TileGround::AlongOwner(const Rise& rise, int x, int y) const {
  if (bits_ == 0) return rise;
  const Spot spot = OwnerAt(x, y);
  return AlongAxes(rise, spot, FrameAt(spot), x, y);
}

Rise TileGround::AlongAxes(const Rise& rise, const Spot& owner, const kernels::Frame& frame, int x,
                           int y) const {
  if (IsCorner(x, y)) return {AtCorner(rise, x == y, frame), 0};
  return Straightened(Turned(rise, owner.turns), frame);
}

TileGround::Aspect TileGround::AspectOf(const Rise& rise, float latitude_sine, int x, int y) const {
  if (bits_ == 0) return {rise, rise.south};
  const Spot spot = OwnerAt(x, y);
  const kernels::Frame frame = FrameAt(spot);
  const Rise along = AlongAxes(rise, spot, frame, x, y);
  // At a corner each face sees a different pair of neighbours, so they would not agree.
  if (IsCorner(x, y)) return {along, 0};
  return {along, TowardsEquator(Turned(rise, spot.turns), latitude_sine, spot.face, frame)};
}

double TileGround::TowardsEquator(const Rise& turned, float latitude_sine, int face,
                                  const kernels::Frame& frame) {
  const auto east = static_cast<float>(turned.east);
  const auto south = static_cast<float>(turned.south);
  const float area_squared = kernels::areaSquared(frame);
  // The gradient in steps of the lattice, and the planet's axis along each step.
  const float columns = (frame.south_south * east - frame.east_south * south) / area_squared;
  const float rows = (frame.east_east * south - frame.east_south * east) / area_squared;
  const auto along_axis = [&](const glm::vec3& step) {
    return step.x * static_cast<float>(kernels::faceMiddle(face).z) +
           step.y * static_cast<float>(kernels::faceEast(face).z) +
           step.z * static_cast<float>(kernels::faceSouth(face).z);
  };
  const float northward = columns * along_axis(frame.east) + rows * along_axis(frame.south);
  const float cosine = std::sqrt(std::max(1 - latitude_sine * latitude_sine, 1e-6F));
  return static_cast<double>((latitude_sine > 0 ? -northward : northward) / cosine);
}

}  // namespace thalweg::tile
