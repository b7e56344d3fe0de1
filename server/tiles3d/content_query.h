// A request for a tile of a planet as glTF, and the triangles of its ground.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/tile_key.h"
#include "server/geographic/ellipsoid.h"
#include "server/raster/layer_grid.h"
#include "server/raster/raster_query.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"
#include "server/tiles3d/cell.h"

namespace thalweg::tiles3d {

// A point in whole steps from the planet's middle, along the axes of sphere::Vector.
using LatticePoint = std::array<std::int64_t, 3>;

// The max distance of a vertex from its tile's origin along an axis, in steps: positions are 16-bit
// numbers.
inline constexpr std::int64_t kMaxSteps = 32'767;

// The step of all tiles of a level in metres: the least power of two with which half of a cell's
// longest diagonal has at most kMaxSteps, so about 1/150 of a cell. S2's cells of the quadratic
// projection have diagonals of at most 2.44 * 2^-level radians (s2metrics.cc, kMaxDiag).
double StepM(const geographic::Ellipsoid& ellipsoid, int level);

// The nearest point of the lattice.
LatticePoint OnLattice(const sphere::Vector& point, double step_m);

sphere::Vector PointOf(const LatticePoint& point, double step_m);

// 257 x 257 unit normals along the axes of sphere::Vector, from a tile's grid with LAYER_NORMAL;
// they point up where water stands. DATA_LOSS if the grid lacks the layer.
absl::StatusOr<std::vector<sphere::Vector>> NormalsOf(const raster::RasterQuery& query,
                                                      const raster::LayerGrid& grid);

// Every fourth vertex of a tile is a vertex of its mesh.
inline constexpr int kMeshStride = 4;
inline constexpr int kMeshCells = wire::kTileCells / kMeshStride;
inline constexpr int kMeshSide = kMeshCells + 1;

struct ContentVertex {
  // In steps from the mesh's origin, along the axes of sphere::Vector.
  std::array<std::int16_t, 3> position;
  // A vector of length 127.
  std::array<std::int8_t, 3> normal;
  // Its pixel in the tile's picture of 257 x 257 pixels, from the north-west.
  std::array<std::int16_t, 2> pixel;
};

struct ContentMesh {
  double step_m = 1;
  LatticePoint origin{};
  // kMeshSide x kMeshSide from the north-west, row after row; then the lower edge of the skirt,
  // clockwise seen from above.
  std::vector<ContentVertex> vertices;
  // Three for each triangle, counterclockwise seen from outside.
  std::vector<std::uint16_t> indices;
  // The max distance of the tile's 257 x 257 vertices from the mesh, in space.
  double deviation_m = 0;
};

// A tile's ground, with 257 x 257 values in each member.
struct Ground {
  // In 1/65,536 m.
  std::span<const std::int32_t> heights;
  // Unit normals along the axes of sphere::Vector.
  std::span<const sphere::Vector> normals;
};

// The mesh of a tile, with a skirt of this depth all around. All vertices are on the lattice of the
// tile's level, so shared vertices of neighbours are equal to the bit. If a tile is too large for
// that lattice, its step is twice as long, or four times, ...
ContentMesh MakeContentMesh(const wire::TileKey& key, const geographic::Ellipsoid& ellipsoid,
                            const Ground& ground, double skirt_m);

// A tile's mesh and picture as binary glTF 2.0: the content of 3D Tiles 1.1. The bytes of a file.
// It has one node, at the mesh's origin in doubles, scaled by the mesh's step. Positions and
// normals are 16- and 8-bit numbers (KHR_mesh_quantization). glTF's y points up, and 3D Tiles turn
// it to z (3D Tiles 1.1, "glTF transforms"): x, y, z here are x, z, -y there. The picture, a shaded
// PNG of 257 x 257 pixels, is shown unlit (KHR_materials_unlit). `extras`: an object, which
// becomes asset.extras.
std::string EncodeContent(const ContentMesh& mesh, const std::string& png,
                          const nlohmann::ordered_json& extras);

struct ContentQuery {
  // The query for the cell's tile, with the layers of the ground and of its picture.
  tile::TileQuery tile_query;
};

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless it has the cell.
absl::StatusOr<ContentQuery> ParseContentQuery(const std::shared_ptr<const world::World>& world,
                                               const Cell& cell);

// A text that decides the bytes.
std::string IdentityOf(const ContentQuery& query);

// The recipe of the content.
raster::Recipe RecipeOf(const ContentQuery& query);

}  // namespace thalweg::tiles3d
