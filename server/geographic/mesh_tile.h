// Makes the mesh of a tile from sampled heights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_query.h"
#include "server/geographic/quantized_mesh.h"
#include "server/geographic/tiling.h"

namespace thalweg::geographic {

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

// Rows of the tile count from the south. `max_zoom` is the planet's.
QuantizedMesh MakeMesh(const GlobeTile& tile, const Ellipsoid& ellipsoid,
                       const MeshSamples& samples, const MeshExtensions& extensions, int max_zoom);

// The metadata of a tile as JSON: which tiles exist below it, see kMetadataZooms. Empty for a tile
// without metadata.
std::string AvailabilityBelow(const GlobeTile& tile, int max_zoom);

}  // namespace thalweg::geographic
