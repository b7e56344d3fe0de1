// GET /assets/{name}: files that are part of the program.
#pragma once

#include <span>
#include <string_view>

#include "server/http/site.h"

namespace thalweg::http {

struct Asset {
  std::string_view name;
  std::string_view bytes;
};

// Every file of assets/, made by the build.
std::span<const Asset> AllAssets();

// The media type by a name's ending; "application/octet-stream" for one that is not known.
std::string_view MediaTypeOf(std::string_view name);

// What pages of this server may load: its own files, and no script but those. Pages of other
// origins can neither frame them nor, where the browser trusts the connection, hold on to a window
// that they open: they can't lead a click of the user's to a button there.
inline constexpr std::string_view kPageHeaders =
    "Content-Security-Policy: default-src 'none'; img-src 'self' data: blob:; style-src 'self'; "
    "script-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "X-Frame-Options: DENY\r\n";

void HandleAsset(const AssetRoute& route, Exchange& exchange);

}  // namespace thalweg::http
