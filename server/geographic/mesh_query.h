// A request for a tile of a planet's ground as a quantized mesh.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/geometry/cube_sphere.h"
#include "server/geographic/ellipsoid.h"
#include "server/geographic/quantized_mesh.h"
#include "server/geographic/tiling.h"
#include "server/raster/raster_service.h"
#include "server/tile/tile_query.h"

namespace thalweg::geographic {

// The extensions that a tile has besides its mesh.
struct MeshExtensions {
  bool normals = false;
  bool water_mask = false;
  bool metadata = false;

  friend bool operator==(const MeshExtensions&, const MeshExtensions&) = default;
};

// The metadata of tiles at zoom 0, and at every 10th zoom after it, lists the tiles below down to
// the next such zoom: `metadataAvailability` of layer.json.
inline constexpr int kMetadataZooms = 10;

struct MeshQuery {
  // The query for all its native tiles, without face, column and row.
  tile::TileQuery tile_query;
  // Rows count from the south.
  GlobeTile tile;
  MeshExtensions extensions;
};

int MaxMeshZoom(const world::World& world);

// INVALID_ARGUMENT unless the world is a planet, NOT_FOUND unless its pyramid has the tile.
absl::StatusOr<MeshQuery> ParseMeshQuery(const std::shared_ptr<const world::World>& world,
                                         const GlobeTile& tile, const MeshExtensions& extensions);

// A text that decides the mesh's bytes.
std::string IdentityOf(const MeshQuery& query);

// The recipe of the mesh: the visible surface, of land and of standing water.
raster::Recipe RecipeOf(const MeshQuery& query);

// A unit vector, unfolded from an octahedron; each coordinate is from 0 (-1) to 255 (1). This is
// "oct16" of Cigolle et al. 2014, "A Survey of Efficient Representations for Independent Unit
// Vectors", as in the extension octvertexnormals of quantized-mesh-1.0.
std::array<std::uint8_t, 2> OctahedralOf(const sphere::Vector& unit);

// Where a tile has water, as in the extension watermask of quantized-mesh-1.0. wet: whether each of
// kMeshSide x kMeshSide vertices from the south-west is wet. Returns 256 x 256 bytes from the
// north-west: 255 where interpolation between the vertices gives more than half wet, else 0. One
// byte if all are the same.
std::string WaterMaskOf(const std::vector<bool>& wet);

// The step of a zoom's lattice of heights, for meshes that may have this error: at most a quarter
// of the error, and from 2^-8 m to 1 m. The quantized-mesh form has a tile's heights in 32,767
// steps of the tile's own range, so shared edges would differ. Therefore all heights of a zoom are
// put on one lattice, whose step is a power of two in metres. A tile's step is the lattice's step,
// or a half, a quarter, ... of it: heights of the lattice are exact in each tile.
double HeightStepM(double error_m);

// A height of a layer, in 1/65,536 m, as metres on the lattice: the nearest height, halves upwards.
// The step must be a power of two, at least 2^-16 m.
double OnLatticeM(std::int32_t height, double step_m);

// The heights in a tile's header. A vertex's height is `min_m` + quantized * `step_m`.
struct HeightRange {
  float min_m = 0;
  float max_m = 0;
  double step_m = 0;
};

// The range for heights of a lattice from `min_m` to `max_m`. If they are at most 32,767 lattice
// steps apart, each height of the lattice between them is one of the range's steps. A larger range
// has longer steps, and neighbours differ by up to half of one. min_m and max_m are exact as 32-bit
// floats for heights up to 16,384 m.
HeightRange RangeOf(double min_m, double max_m, double lattice_step_m);

// Samples at MeshGrid's directions, in their order.
struct MeshSamples {
  // The height of the surface, in 1/65,536 m.
  std::vector<std::int32_t> heights;
  // The depth of water there; empty for a planet without water.
  std::vector<std::int32_t> depths;
};

// The max distance of a mesh from the heights that it is made of, in metres: a 64th of the spacing
// of its vertices at the equator. That is a 16th of the error that CesiumJS assumes for its zoom
// (TerrainProvider.getEstimatedLevelZeroGeometricErrorForAHeightmap), and so an eighth of a pixel
// at its usual screen-space error of 2. It includes half a step of the heights' lattice.
double MeshErrorM(const Ellipsoid& ellipsoid, int zoom);

// Makes the mesh of a tile from sampled heights. Rows of the tile count from the south. `max_zoom`
// is the planet's.
QuantizedMesh MakeMesh(const GlobeTile& tile, const Ellipsoid& ellipsoid,
                       const MeshSamples& samples, const MeshExtensions& extensions, int max_zoom);

// The metadata of a tile as JSON: which tiles exist below it, see kMetadataZooms. Empty for a tile
// without metadata.
std::string AvailabilityBelow(const GlobeTile& tile, int max_zoom);

}  // namespace thalweg::geographic
