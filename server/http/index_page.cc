#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "server/calls/worlds.h"
#include "server/http/assets.h"
#include "server/http/document.h"
#include "server/http/handlers.h"

namespace thalweg::http {
namespace {

constexpr char kHead[] =
    R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Thalweg</title>
<link rel="stylesheet" href="assets/style.css">
<h1>Thalweg</h1>
<p>Worlds of this server. <a href="v1/worlds">All of them as JSON.</a></p>
<main>
)";

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

// Two by two tiles of level 0: around the origin, or of the planet's face with longitude 0.
std::string PictureOf(const std::string& path, bool is_planet) {
  std::string picture = "<div class=\"relief\">";
  const int first = is_planet ? 0 : -1;
  for (int y = first; y <= first + 1; ++y) {
    for (int x = first; x <= first + 1; ++x) {
      absl::StrAppend(&picture, "<img src=\"", path, "/tiles/", is_planet ? 1 : 0, "/", x, "/", y,
                      ".png", is_planet ? "?face=0" : "",
                      "\" width=\"256\" height=\"256\" alt=\"\" loading=\"lazy\">");
    }
  }
  return picture + "</div>";
}

std::string ArticleOf(const world::World& world) {
  const std::string path = absl::StrCat("v1/worlds/", world.hex_id());
  const bool is_planet = world.spec().has_sphere();
  const std::string map =
      is_planet ? "" : absl::StrCat("<a href=\"", path, "/tilejson.json\">TileJSON</a> · ");
  return absl::StrCat("<article><h2>", Escaped(world.name()), "</h2>", PictureOf(path, is_planet),
                      "<p>", Escaped(world.spec().description()), "</p><p><a href=\"", path,
                      "\">World</a> · ", map, world.levels(), " levels, ",
                      world.level(0).cell_size_m, " m at the first</p></article>\n");
}

std::string PlainPage(const Site& site) {
  std::string page = kHead;
  const auto first =
      site.engine.worlds->PageAfter("", calls::kDefaultPageSize, calls::kMaxPageBytes);
  for (const auto& world : first.worlds) page += ArticleOf(*world);
  return page + "</main>\n</html>\n";
}

}  // namespace

void HandleIndex(const Request& request) {
  constexpr std::string_view kCacheControl = "no-cache";
  // Empty if this program was built without the viewer.
  const Asset* const viewer = FindAsset("index.html");
  if (viewer != nullptr && !viewer->bytes().empty()) {
    return AnswerAsset(*viewer, kCacheControl, *request.exchange);
  }
  AnswerText(request.site, PlainPage(request.site), "text/html; charset=utf-8", kCacheControl,
             std::string(kPageHeaders), *request.exchange);
}

}  // namespace thalweg::http
