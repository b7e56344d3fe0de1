#include "server/http/pages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/wire/sha256.h"
#include "server/calls/worlds.h"
#include "server/http/caching.h"
#include "server/http/document.h"
#include "server/http/handlers.h"
#include "server/http/own_url.h"

namespace thalweg::http {
namespace {

// One body for all answers with the same bytes, so that slow readers hold no copies.
Body SharedBodyOf(const Asset& asset, Coding coding) {
  using Bodies = std::array<Body, kCodingCount>;
  static const auto all = [] {
    absl::flat_hash_map<const Asset*, Bodies> made;
    for (const auto assets : {AllAssets(), AllExamples()}) {
      for (const Asset& each : assets) {
        std::transform(each.coded.begin(), each.coded.end(), made[&each].begin(),
                       [](const Asset::Coded& coded) { return BodyOf(std::string(coded.bytes)); });
      }
    }
    return made;
  }();
  return all.at(&asset)[static_cast<std::size_t>(coding)];
}

const Asset* Find(std::span<const Asset> assets, std::string_view name) {
  const auto found = std::find_if(assets.begin(), assets.end(),
                                  [name](const Asset& asset) { return asset.name == name; });
  return found == assets.end() ? nullptr : &*found;
}

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

Response TextOf(std::string text, std::string content_type) {
  Response response{.status = 200,
                    .content_type = std::move(content_type),
                    .headers = "",
                    .body = BodyOf(std::move(text))};
  response.Add("Cache-Control", "no-store");
  return response;
}

// All parts of a text that are between two marks.
std::vector<std::string_view> Between(std::string_view text, std::string_view begin,
                                      std::string_view end) {
  std::vector<std::string_view> found;
  for (;;) {
    const std::size_t first = text.find(begin);
    if (first == std::string_view::npos) return found;
    text.remove_prefix(first + begin.size());
    found.push_back(text.substr(0, text.find(end)));
  }
}

// The source expression for an inline script or style (Content Security Policy 3, 2.3.1).
std::string HashOf(std::string_view text) {
  return absl::StrCat(" 'sha256-", absl::Base64Escape(wire::Sha256(text)), "'");
}

std::string HashesOf(const std::vector<std::string_view>& texts) {
  std::string hashes;
  for (const std::string_view text : texts) hashes += HashOf(text);
  return hashes;
}

std::string FilesOf(const std::vector<std::string_view>& urls) {
  std::string files;
  for (const std::string_view url : urls) files.append(" ").append(url);
  return files;
}

// The folders of these URLs, each with its last slash: this allows all files below it.
std::string FoldersOf(const std::vector<std::string_view>& urls) {
  std::string folders;
  for (const std::string_view url : urls) {
    folders.append(" ").append(url.substr(0, url.rfind('/') + 1));
  }
  return folders;
}

std::string_view HeadersOf(const Asset& page) {
  static const auto all = [] {
    absl::flat_hash_map<const Asset*, std::string> made;
    for (const Asset& each : AllExamples()) made[&each] = ExampleHeaders(each.name, each.bytes());
    return made;
  }();
  return all.at(&page);
}

}  // namespace

std::string_view MediaTypeOf(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".css", "text/css; charset=utf-8"},
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".png", "image/png"},
      {".svg", "image/svg+xml"},
      {".txt", "text/plain; charset=utf-8"},
      {".wasm", "application/wasm"},
      {".wgsl", "text/wgsl; charset=utf-8"},
  };
  for (const auto& [ending, type] : kTypes) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

const Asset* FindAsset(std::string_view name) { return Find(AllAssets(), name); }

const Asset* FindExample(std::string_view name) { return Find(AllExamples(), name); }

void AnswerAsset(const Asset& asset, std::string_view cache_control, Exchange& exchange,
                 std::string_view page_headers) {
  Coding coding = CodingOf(exchange.Header("Accept-Encoding"));
  if (asset.coded[static_cast<std::size_t>(coding)].bytes.empty()) coding = Coding::kIdentity;
  const std::string_view etag = asset.coded[static_cast<std::size_t>(coding)].etag;
  std::string headers = std::string(page_headers) + "Vary: Accept-Encoding\r\n";
  if (AnswerIfKnown(exchange, etag, cache_control, headers)) return;
  Response response{.status = 200,
                    .content_type = std::string(MediaTypeOf(asset.name)),
                    .headers = std::move(headers),
                    .body = SharedBodyOf(asset, coding)};
  if (coding != Coding::kIdentity) response.Add("Content-Encoding", NameOf(coding));
  AddCaching(etag, cache_control, response);
  exchange.Answer(std::move(response));
}

void HandleAsset(const Request& request) {
  const Asset* const asset = FindAsset(request.path.file);
  if (asset == nullptr) {
    return request.exchange->Fail(absl::NotFoundError("unknown file of the viewer"));
  }
  AnswerAsset(*asset, "public, no-cache", *request.exchange);
}

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

void HandleHealth(const Request& request) {
  request.exchange->Answer(TextOf("ok\n", "text/plain; charset=utf-8"));
}

void HandleReady(const Request& request) {
  if (!request.gate.is_open()) {
    return request.exchange->Fail(absl::UnavailableError("the server is stopping"));
  }
  request.exchange->Answer(TextOf("ready\n", "text/plain; charset=utf-8"));
}

void HandleMetrics(const Request& request) {
  request.exchange->Answer(
      TextOf(request.site.metrics(), "text/plain; version=0.0.4; charset=utf-8"));
}

std::string ExampleHeaders(std::string_view name, std::string_view html) {
  // CesiumJS loads further scripts, tables and pictures from its own folder, and Knockout, a
  // library in it, evaluates a text when it starts. CesiumJS and MapLibre start workers whose first
  // script is a blob; scripts that it imports from their folder count as workers too.
  const bool has_folder = name.starts_with("/cesium/");
  const bool has_workers = has_folder || name.starts_with("/maplibre/");
  std::vector<std::string_view> scripts = Between(html, "<script src=\"", "\"");
  const auto modules = Between(html, "<link rel=\"modulepreload\" href=\"", "\"");
  scripts.insert(scripts.end(), modules.begin(), modules.end());
  const std::string folder = has_folder ? FoldersOf(scripts) : "";
  const std::string script_sources =
      (has_folder ? folder + " 'unsafe-eval'" : FilesOf(scripts)) +
      HashesOf(Between(html, "<script type=\"module\">", "</script>"));
  // CesiumJS writes styles into elements; sources by hash would forbid that.
  const std::string style_sources =
      FilesOf(Between(html, "<link rel=\"stylesheet\" href=\"", "\"")) +
      (has_folder ? " 'unsafe-inline'" : HashesOf(Between(html, "<style>", "</style>")));
  return absl::StrCat(
      "Content-Security-Policy: default-src 'none'; img-src 'self' data: blob:", folder,
      "; style-src", style_sources, "; script-src", script_sources, "; connect-src 'self'", folder,
      "; worker-src ", has_workers ? "blob:" + FoldersOf(scripts) : "'none'",
      "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "X-Frame-Options: DENY\r\n");
}

void HandleExample(const Request& request) {
  const std::string& path = request.path.file;
  Exchange& exchange = *request.exchange;
  if (!request.site.options->examples) {
    return exchange.Fail(absl::NotFoundError("unknown path: the server runs without --examples"));
  }
  const bool is_folder = path.ends_with('/');
  if (const Asset* page = FindExample(is_folder ? path + "index.html" : path)) {
    return AnswerAsset(*page, "public, no-cache", exchange, HeadersOf(*page));
  }
  if (!is_folder && FindExample(path + "/index.html") != nullptr) {
    return RedirectIntoFolder("/examples" + path, exchange);
  }
  exchange.Fail(
      absl::NotFoundError("unknown example: expected one of those that /examples/ lists"));
}

}  // namespace thalweg::http
