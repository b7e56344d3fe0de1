#include "server/world/height_curve.h"

#include <cmath>
#include <cstdlib>

#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/world/level_program.h"

namespace thalweg::world {
namespace {

using kernels::BaseInstruction;

// A piece's slope (the rise of `out` over that of `in`) is from 1 / kSteepest to kSteepest.
constexpr double kSteepest = 64;
// A height of 16,000 m and this shift together fit into 32 bits.
constexpr double kMaxShiftM = 8000;

std::string PointPath(int index) { return text::ItemPath("height_curve.points", index); }

absl::Status CheckPoint(const v1::HeightCurve& curve, int index) {
  const v1::Point& point = curve.points(index);
  if (std::abs(point.out() - point.in()) > kMaxShiftM) {
    return wire::Invalid(text::FieldPath(PointPath(index), "out"),
                         absl::StrCat("max ", kMaxShiftM, " above or below 'in'"),
                         text::Decimal(point.out()));
  }
  if (index == 0) return absl::OkStatus();
  const v1::Point& before = curve.points(index - 1);
  if (point.in() <= before.in()) {
    return wire::Invalid(
        text::FieldPath(PointPath(index), "in"),
        absl::StrCat("more than ", text::Decimal(before.in()), ", that of the point before"),
        text::Decimal(point.in()));
  }
  const double slope = (point.out() - before.out()) / (point.in() - before.in());
  if (slope >= 1 / kSteepest && slope <= kSteepest) return absl::OkStatus();
  return wire::Invalid(
      text::FieldPath(PointPath(index), "out"),
      "a rise from the point before of 1/64 to 64 times that of 'in'",
      absl::StrCat(text::Decimal(point.out()), ", ", text::Decimal(slope), " times"));
}

BaseInstruction Piece(const v1::Point& point, double slope) {
  return kernels::baseInstruction(kernels::kOpPiece, stages::KernelFloat(point.in()),
                                  stages::KernelFloat(point.out()), stages::KernelFloat(slope));
}

}  // namespace

absl::Status CheckHeightCurve(const v1::WorldSpec& spec) {
  const v1::HeightCurve& curve = spec.height_curve();
  for (int i = 0; i < curve.points_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(CheckPoint(curve, i));
  }
  if (!spec.has_sea_level_m()) return absl::OkStatus();
  std::vector<BaseInstruction> pieces;
  AppendHeightCurve(curve, pieces);
  const std::int32_t sea = stages::RoundedInt(CellHeightUnits(spec.sea_level_m()));
  // Points are floats, so a height may be wrong by one or two units. The steepest piece multiplies
  // this error by 64.
  constexpr std::int32_t kRounding = 128;
  if (std::abs(ShownHeight(sea, pieces) - sea) <= kRounding) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("height_curve moves the sea level: add a point with 'in' and 'out' ",
                   text::Decimal(spec.sea_level_m())));
}

void AppendHeightCurve(const v1::HeightCurve& curve, std::vector<BaseInstruction>& instructions) {
  for (int i = 0; i < curve.points_size(); ++i) {
    const v1::Point& point = curve.points(i);
    if (i + 1 == curve.points_size()) {
      instructions.push_back(Piece(point, 1));
      continue;
    }
    const v1::Point& next = curve.points(i + 1);
    instructions.push_back(Piece(point, (next.out() - point.out()) / (next.in() - point.in())));
  }
}

std::int32_t ShownHeight(std::int32_t height, std::span<const BaseInstruction> pieces) {
  if (pieces.empty()) return height;
  std::int32_t shown = kernels::shownBelow(height, pieces.front());
  for (const BaseInstruction& piece : pieces) shown = kernels::shownOnPiece(height, shown, piece);
  return shown;
}

}  // namespace thalweg::world
