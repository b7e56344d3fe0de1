// Pages and files of the server itself: those that are part of the program, its index, the
// examples, health and metrics.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "server/http/content_coding.h"
#include "server/http/exchange.h"

namespace thalweg::http {

// A file that is part of the program, in each coding that makes it shorter. The build compresses
// it.
struct Asset {
  struct Coded {
    // Empty if the coding does not make the file shorter.
    std::string_view bytes;
    // The validator of these bytes, with quotes.
    std::string_view etag;
  };

  std::string_view name;
  // Indexed by Coding.
  std::array<Coded, kCodingCount> coded;

  // The plain bytes of the file.
  std::string_view bytes() const { return coded.front().bytes; }
};

// All files of assets/. The build writes this function.
std::span<const Asset> AllAssets();
// All pages of client/examples, as "/index.html" or "/cesium/tiles.html". The build writes it.
std::span<const Asset> AllExamples();
// Null if there is no such file.
const Asset* FindAsset(std::string_view name);
const Asset* FindExample(std::string_view name);

// The media type for the ending of a name; "application/octet-stream" for an unknown ending.
std::string_view MediaTypeOf(std::string_view name);

// What pages of this server may load: only its own files, scripts too. Pages of other origins can't
// frame them. Where the browser trusts the connection, they can't control a window that they open
// either. So they can't redirect a user's click to a button of these pages.
inline constexpr std::string_view kPageHeaders =
    "Content-Security-Policy: default-src 'none'; img-src 'self' data: blob:; style-src 'self'; "
    "script-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "X-Frame-Options: DENY\r\n";

// Answers with a file in the best coding that the caller accepts, or with 304 if the caller has it.
void AnswerAsset(const Asset& asset, std::string_view cache_control, Exchange& exchange,
                 std::string_view page_headers = kPageHeaders);

// Header lines for a page ("/cesium/index.html") with this text. They allow only its inline scripts
// and styles, those that it links, this server's answers, and what its library needs.
std::string ExampleHeaders(std::string_view name, std::string_view html);

}  // namespace thalweg::http
