// The mesh of a tile from sampled heights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_query.h"
#include "server/geographic/quantized_mesh.h"
#include "server/geographic/tiling.h"

namespace thalweg::geographic {

// The samples at MeshGrid's directions, in their order.
struct MeshSamples {
  // The surface, in 1/65,536 m.
  std::vector<std::int32_t> heights;
  // The depth of water over the ground there; empty: a planet without water.
  std::vector<std::int32_t> depths;
};

// How far a mesh may be from the heights that it was made of, in metres: a 64th of the spacing of
// its vertices at the equator. That is a 16th of the error that CesiumJS assumes for a tile of its
// zoom (TerrainProvider.getEstimatedLevelZeroGeometricErrorForAHeightmap), so an eighth of a pixel
// at its usual screen-space error of 2. Half a step of the heights' lattice is part of it.
double MeshErrorM(const Ellipsoid& ellipsoid, int zoom);

// Rows of the tile count from the south. `max_zoom` is the planet's.
QuantizedMesh MakeMesh(const GlobeTile& tile, const Ellipsoid& ellipsoid,
                       const MeshSamples& samples, const MeshExtensions& extensions, int max_zoom);

// The metadata of a tile as JSON: which tiles exist below it, see kMetadataZooms. Empty for tiles
// without metadata.
std::string AvailabilityBelow(const GlobeTile& tile, int max_zoom);

}  // namespace thalweg::geographic
