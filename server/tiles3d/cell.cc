#include "server/tiles3d/cell.h"

#include "proto/sphere/cube_faces.h"
#include "proto/wire/invalid.h"

namespace thalweg::tiles3d {
namespace {

absl::Status CheckNumber(const char* name, std::int64_t number, std::int64_t count) {
  if (number >= 0 && number < count) return absl::OkStatus();
  return wire::Invalid(name, absl::StrCat("0 to ", count - 1), number, absl::StatusCode::kNotFound);
}

std::int64_t CellsAt(int level) { return std::int64_t{1} << level; }

}  // namespace

wire::TileKey TileOf(const Cell& cell) {
  return {
      .face = cell.face, .level = cell.level, .x = cell.x, .y = CellsAt(cell.level) - 1 - cell.y};
}

Cell Below(const Cell& cell, int levels, std::int64_t columns, std::int64_t rows) {
  return {.face = cell.face,
          .level = cell.level + levels,
          .x = cell.x * CellsAt(levels) + columns,
          .y = cell.y * CellsAt(levels) + rows};
}

std::string TokenOf(int face) {
  // The id is three bits of the face, a 1, and zeros: only its first hexadecimal digit is not 0.
  return absl::StrCat(absl::Hex(2 * face + 1));
}

absl::Status CheckCell(const Cell& cell, const world::World& world) {
  absl::Status status = CheckNumber("face", cell.face, sphere::kFaces);
  status.Update(CheckNumber("level", cell.level, world.levels()));
  if (!status.ok()) return status;
  status.Update(CheckNumber("column", cell.x, CellsAt(cell.level)));
  status.Update(CheckNumber("row", cell.y, CellsAt(cell.level)));
  return status;
}

}  // namespace thalweg::tiles3d
