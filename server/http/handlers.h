// The handlers of the table in router.cc: each answers the requests of a route, now or later.
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// GET /: the viewer, or a page with the worlds, for people.
void HandleIndex(const Request& request);
// A file of the viewer.
void HandleAsset(const Request& request);
// A page of client/examples, if the operator enables them.
void HandleExample(const Request& request);

// For orchestrators and operators. Health is always 200; ready is 200 while calls are let in, and
// 503 when the server drains.
void HandleHealth(const Request& request);
void HandleReady(const Request& request);
void HandleMetrics(const Request& request);

// A page of the worlds, ordered by name. The parameters page_size and page_token are those of
// ListWorlds.
void HandleGetWorlds(const Request& request);
// One world, by name or id.
void HandleGetWorld(const Request& request);
// Adds a world. The body is its specification. 201, or 200 if the same terrain already has a world.
// Errors are those of WorldLibrary::Create and calls::SharedWorkers::Run.
void HandleCreateWorld(const Request& request);
// Withdraws a claim on a created world. 204, also if other callers still have a claim on the world.
// Errors are those of WorldLibrary::Delete and calls::SharedWorkers::Run.
void HandleDeleteWorld(const Request& request);

// The heights of the points in the request's body, as JSON or CSV.
void HandleHeights(const Request& request);

// A tile by its key, or as an XYZ tile of web maps. As all that answer with tiles: see AnswerTile.
void HandleGetTile(const Request& request);
void HandleGetMapTile(const Request& request);
// TileJSON: a window of the plane as a pyramid of map tiles.
void HandleTileJson(const Request& request);

// A planet's ground as quantized meshes: which tiles exist, and a tile. mesh_calls.h has what
// callers may ask for. 406 if Accept does not allow a mesh.
void HandleLayerJson(const Request& request);
void HandleGetMesh(const Request& request);

// Pictures of a planet: their TileJSON, and a tile.
void HandlePictureJson(const Request& request);
void HandleGetPicture(const Request& request);

// A planet as 3D Tiles: the tileset, also with boxes as all bounding volumes; a tile as glTF; and
// which tiles exist below a tile, and where.
void HandleTileset(const Request& request);
void HandleBoxes(const Request& request);
void HandleGetContent(const Request& request);
void HandleGetSubtree(const Request& request);

}  // namespace thalweg::http
