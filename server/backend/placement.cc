#include "server/backend/placement.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/status_macros.h"

namespace thalweg::backend {

std::size_t ElevationValues(const world::LevelProgram& program, const world::BlockShape& shape) {
  if (program.elevation == nullptr) return 0;
  const auto side = static_cast<std::size_t>(shape.WindowSide());
  return world::Elevation::kPlanes * side * side;
}

void FillElevation(const world::LevelProgram& program, const world::BlockShape& shape,
                   std::span<const Job> jobs, std::span<std::int32_t> values) {
  const std::size_t size = ElevationValues(program, shape);
  if (size == 0) return;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    program.elevation->Fill(program.level, jobs[i].x - shape.Margin(), jobs[i].y - shape.Margin(),
                            shape.WindowSide(), values.subspan(i * size, size));
  }
}

namespace {

std::uint32_t Low(std::int64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t High(std::int64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// The column or row of a vertex in a window; kNoEdge or -kNoEdge if it is far away.
int EdgeAt(std::int64_t vertex, std::int64_t first) {
  constexpr std::int64_t kFar = kernels::kNoEdge;
  return static_cast<int>(std::clamp(vertex - first, -kFar, kFar));
}

// A block's windows, and the seams between them.
class Windows {
 public:
  Windows(const world::LevelProgram& program, const world::BlockShape& shape, const Job& job)
      : bits_(program.surface->FaceBits(program.level)),
        margin_(shape.Margin()),
        patches_(program.surface->PatchesOf(program.level, shape, job.face, job.x, job.y)) {}

  const std::vector<world::Patch>& patches() const { return patches_; }
  std::int64_t FirstColumn(std::size_t i) const { return patches_[i].x - margin_; }
  std::int64_t FirstRow(std::size_t i) const { return patches_[i].y - margin_; }

  kernels::Job Window(std::size_t i) const {
    const std::int64_t x = FirstColumn(i);
    const std::int64_t y = FirstRow(i);
    kernels::Job out{};
    out.x_low = Low(x);
    out.x_high = High(x);
    out.y_low = Low(y);
    out.y_high = High(y);
    out.face = patches_[i].face;
    out.face_bits = bits_;
    out.east_edge = kernels::kNoEdge;
    out.south_edge = kernels::kNoEdge;
    out.west_edge = -kernels::kNoEdge;
    out.north_edge = -kernels::kNoEdge;
    out.east_owned = kernels::kNoEdge;
    out.south_owned = kernels::kNoEdge;
    out.west_owned = -kernels::kNoEdge;
    out.north_owned = -kernels::kNoEdge;
    if (bits_ == 0) return out;
    const std::int64_t cells = std::int64_t{1} << bits_;
    out.east_edge = EdgeAt(cells, x);
    out.south_edge = EdgeAt(cells, y);
    out.west_edge = EdgeAt(0, x);
    out.north_edge = EdgeAt(0, y);
    out.east = SeamOf(i, sphere::Side::kEast);
    out.south = SeamOf(i, sphere::Side::kSouth);
    out.west = SeamOf(i, sphere::Side::kWest);
    out.north = SeamOf(i, sphere::Side::kNorth);
    out.east_owned = out.east_edge - Lost(i, out.east);
    out.south_owned = out.south_edge - Lost(i, out.south);
    out.west_owned = out.west_edge + Lost(i, out.west);
    out.north_owned = out.north_edge + Lost(i, out.north);
    return out;
  }

 private:
  // 1 if the vertices on an edge belong to the face beyond it, whose number is lower; else 0.
  int Lost(std::size_t i, const kernels::Seam& seam) const {
    const auto there = static_cast<std::size_t>(static_cast<std::int64_t>(i) + seam.window);
    return patches_[there].face < patches_[i].face ? 1 : 0;
  }

  kernels::Seam SeamOf(std::size_t i, sphere::Side side) const {
    const sphere::Crossing crossing = sphere::Beyond(patches_[i].face, side);
    const auto there = std::ranges::find(patches_, crossing.face, &world::Patch::face);
    if (there == patches_.end()) return {};
    const auto other = static_cast<std::size_t>(there - patches_.begin());
    // Where this window's first vertex is in the other window. Offsets from it are the same in
    // both, except for the turns.
    const sphere::Vertex first = sphere::Across({patches_[i].face, FirstColumn(i), FirstRow(i)},
                                                side, std::int64_t{1} << bits_);
    kernels::Seam seam{};
    seam.window = static_cast<int>(other) - static_cast<int>(i);
    seam.turns = crossing.turns;
    seam.column = static_cast<int>(first.x - FirstColumn(other));
    seam.row = static_cast<int>(first.y - FirstRow(other));
    return seam;
  }

  int bits_;
  int margin_;
  std::vector<world::Patch> patches_;
};

// Checks that a block's core lies on its face.
absl::Status CheckOnFace(const world::LevelProgram& program, const world::BlockShape& shape,
                         const Job& job) {
  const int bits = program.surface->FaceBits(program.level);
  const std::int64_t last = (std::int64_t{1} << bits) - shape.block_cells;
  if (bits == 0 || (std::min(job.x, job.y) >= 0 && std::max(job.x, job.y) <= last)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("run level ", program.level, ": the block at ",
                                                 job.x, ", ", job.y, " is outside of its face"));
}

// Checks that the surface can have windows of this shape.
absl::Status CheckMargin(const world::LevelProgram& program, const world::BlockShape& shape) {
  if (!program.OnSphere() || shape.Margin() < shape.block_cells) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "run level ", program.level, ": invalid margin: expected fewer than ", shape.block_cells,
      " cells, as the block has, on a sphere, got ", shape.Margin()));
}

absl::Status CheckParent(const world::LevelProgram& program, const Job& job, const Job& first) {
  if (job.parent == nullptr || job.parent->shape() != first.parent->shape()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "run level ", program.level, ": expected a parent for each block, all of one shape"));
  }
  if (!job.parent->layers().Contains(program.inherited)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "run level ", program.level, ": the parent lacks a layer that the level starts from"));
  }
  return absl::OkStatus();
}

// Whether a parent has all vertices that a window's row or column needs, as far as it is on the
// face. first: the window's first vertex, global; at: the place in the parent of vertex first / 2.
// Interpolation reads one vertex before and two after.
bool Covers(const world::BlockShape& parent, const world::BlockShape& shape, std::int64_t first,
            std::int64_t at, int min_edge, int max_edge) {
  const std::int64_t odd = first & 1;
  const std::int64_t from = std::max(min_edge, 0);
  const std::int64_t to = std::min(max_edge, shape.WindowSide() - 1);
  return at + ((from + odd) >> 1) >= 1 && at + ((to + odd) >> 1) + 2 < parent.ResultSide();
}

// Finds the parent's window on the same face, and the position of this window in it.
absl::StatusOr<int> PlaceInParent(const world::LevelProgram& program,
                                  const world::BlockShape& shape, const world::BlockShape& parent,
                                  std::span<const world::Patch> parents, std::int64_t x,
                                  std::int64_t y, kernels::Job& out) {
  const auto found = std::ranges::find(parents, out.face, &world::Patch::face);
  if (found != parents.end()) {
    const std::int64_t px = (x >> 1) - (found->x - parent.apron);
    const std::int64_t py = (y >> 1) - (found->y - parent.apron);
    if (Covers(parent, shape, x, px, out.west_edge, out.east_edge) &&
        Covers(parent, shape, y, py, out.north_edge, out.south_edge)) {
      out.parent_x = static_cast<int>(px);
      out.parent_y = static_cast<int>(py);
      return static_cast<int>(found - parents.begin());
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "run level ", program.level, ": expected a parent that covers the window at ", x, ", ", y));
}

}  // namespace

absl::StatusOr<Placement> PlaceJobs(const world::LevelProgram& program,
                                    const world::BlockShape& shape, std::span<const Job> jobs) {
  THALWEG_RETURN_IF_ERROR(CheckMargin(program, shape));
  Placement placement;
  for (const Job& job : jobs) {
    THALWEG_RETURN_IF_ERROR(CheckOnFace(program, shape, job));
    const Windows windows(program, shape, job);
    std::vector<world::Patch> parents;
    if (program.level > 0) {
      THALWEG_RETURN_IF_ERROR(CheckParent(program, job, jobs.front()));
      parents = program.surface->PatchesOf(program.level - 1, job.parent->shape(), job.face,
                                           job.parent_x, job.parent_y);
    }
    for (std::size_t i = 0; i < windows.patches().size(); ++i) {
      kernels::Job window = windows.Window(i);
      int parent_window = 0;
      if (program.level > 0) {
        THALWEG_ASSIGN_OR_RETURN(
            parent_window, PlaceInParent(program, shape, job.parent->shape(), parents,
                                         windows.FirstColumn(i), windows.FirstRow(i), window));
      }
      placement.windows.push_back(window);
      placement.parent_windows.push_back(parent_window);
    }
    placement.blocks.push_back(placement.windows.size());
  }
  return placement;
}

}  // namespace thalweg::backend
