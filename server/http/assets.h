// GET /assets/{name}: files that are part of the program.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "server/http/content_coding.h"
#include "server/http/site.h"

namespace thalweg::http {

// A file in every coding that makes it shorter, compressed by the build.
struct Asset {
  struct Coded {
    // Empty: the plain bytes are as good.
    std::string_view bytes;
    // Its validator, with quotes.
    std::string_view etag;
  };

  std::string_view name;
  // By Coding.
  std::array<Coded, kCodingCount> coded;

  // As the file is.
  std::string_view bytes() const { return coded.front().bytes; }
};

// Every file of assets/, made by the build.
std::span<const Asset> AllAssets();
// Every page of client/examples, made by the build: "/index.html", "/cesium/tiles.html".
std::span<const Asset> AllExamples();
// Null: there is none.
const Asset* FindAsset(std::string_view name);
const Asset* FindExample(std::string_view name);

// The media type by a name's ending; "application/octet-stream" for one that is not known.
std::string_view MediaTypeOf(std::string_view name);

// What pages of this server may load: its own files, and no script but those. Pages of other
// origins can't frame them nor, where the browser trusts the connection, control a window that they
// open: so they can't redirect a user's click to a button there.
inline constexpr std::string_view kPageHeaders =
    "Content-Security-Policy: default-src 'none'; img-src 'self' data: blob:; style-src 'self'; "
    "script-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "X-Frame-Options: DENY\r\n";

// Answers with a file in the best coding that the caller accepts, or 304 if the caller has it.
void AnswerAsset(const Asset& asset, std::string_view cache_control, Exchange& exchange,
                 std::string_view page_headers = kPageHeaders);

void HandleAsset(const AssetRoute& route, Exchange& exchange);

}  // namespace thalweg::http
