// The requests for a planet as 3D Tiles: GET /v1/worlds/{world}/3dtiles/...
#pragma once

#include "server/http/site.h"

namespace thalweg::http {

// tileset.json, and boxes.json: the same with boxes as bounding volumes.
void HandleTileset(const Site& site, const TilesetRoute& route, const ExchangePointer& exchange,
                   const ParameterList& parameters);

// {face}/{level}/{x}/{y}.glb: a tile as glTF. See AnswerTile.
void HandleGetContent(const Site& site, const ContentRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

// {face}/subtrees/{level}/{x}/{y}.{subtree|json}: which tiles exist below a tile, and where. See
// AnswerTile.
void HandleGetSubtree(const Site& site, const SubtreeRoute& route, const ExchangePointer& exchange,
                      const ParameterList& parameters);

}  // namespace thalweg::http
