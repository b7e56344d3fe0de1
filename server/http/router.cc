#include "server/http/router.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "proto/wire/status_macros.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

using access::Scope;
using calls::Method;
using Segments = std::vector<std::string>;

constexpr std::optional<Scope> kOpen = std::nullopt;

// Routes of the same path follow each other. The first one's method is also that of requests whose
// verb the path does not allow.
constexpr Route kRoutes[] = {
    {"/", Verb::kRead, Method::kHttpOther, Scope::kRead, HandleIndex},
    {"/assets/{file}", Verb::kRead, Method::kHttpOther, kOpen, HandleAsset},
    {"/examples{rest}", Verb::kRead, Method::kHttpOther, kOpen, HandleExample},
    {"/healthz", Verb::kRead, Method::kHttpOther, kOpen, HandleHealth},
    {"/readyz", Verb::kRead, Method::kHttpOther, kOpen, HandleReady},
    {"/metrics", Verb::kRead, Method::kHttpMetrics, Scope::kAdmin, HandleMetrics},

    {"/v1/worlds", Verb::kRead, Method::kHttpWorlds, Scope::kRead, HandleGetWorlds},
    {"/v1/worlds", Verb::kPost, Method::kHttpCreateWorld, Scope::kCreateWorlds, HandleCreateWorld},
    {"/v1/worlds/{world}", Verb::kRead, Method::kHttpWorld, Scope::kRead, HandleGetWorld},
    {"/v1/worlds/{world}", Verb::kDelete, Method::kHttpDeleteWorld, Scope::kCreateWorlds,
     HandleDeleteWorld},
    {"/v1/worlds/{world}/heights", Verb::kPost, Method::kHttpHeights, Scope::kRead, HandleHeights},
    {"/v1/worlds/{world}/tiles/{level}/{x}/{y}.{ext}", Verb::kRead, Method::kHttpTile, Scope::kRead,
     HandleGetTile},

    {"/v1/worlds/{world}/tilejson.json", Verb::kRead, Method::kHttpTileJson, Scope::kRead,
     HandleTileJson},
    {"/v1/worlds/{world}/xyz/{z}/{x}/{y}.{ext}", Verb::kRead, Method::kHttpTile, Scope::kRead,
     HandleGetMapTile},

    {"/v1/worlds/{world}/cesium/layer.json", Verb::kRead, Method::kHttpTileJson, Scope::kRead,
     HandleLayerJson},
    {"/v1/worlds/{world}/cesium/{z}/{x}/{y}.terrain", Verb::kRead, Method::kHttpTile, Scope::kRead,
     HandleGetMesh},
    {"/v1/worlds/{world}/globe/{picture}/tilejson.json", Verb::kRead, Method::kHttpTileJson,
     Scope::kRead, HandlePictureJson},
    {"/v1/worlds/{world}/globe/{picture}/{z}/{x}/{y}.png", Verb::kRead, Method::kHttpTile,
     Scope::kRead, HandleGetPicture},

    {"/v1/worlds/{world}/3dtiles/tileset.json", Verb::kRead, Method::kHttpTileJson, Scope::kRead,
     HandleTileset},
    {"/v1/worlds/{world}/3dtiles/boxes.json", Verb::kRead, Method::kHttpTileJson, Scope::kRead,
     HandleBoxes},
    {"/v1/worlds/{world}/3dtiles/{face}/{level}/{x}/{y}.glb", Verb::kRead, Method::kHttpTile,
     Scope::kRead, HandleGetContent},
    {"/v1/worlds/{world}/3dtiles/{face}/subtrees/{level}/{x}/{y}.{subtree|json}", Verb::kRead,
     Method::kHttpTile, Scope::kRead, HandleGetSubtree},
};

static_assert(
    [] {
      for (std::size_t k = 2; k < std::size(kRoutes); ++k) {
        for (std::size_t earlier = 0; earlier + 1 < k; ++earlier) {
          if (kRoutes[earlier].path == kRoutes[k].path && kRoutes[k - 1].path != kRoutes[k].path) {
            return false;
          }
        }
      }
      return true;
    }(),
    "routes of the same path follow each other");

constexpr std::string_view kRest = "{rest}";

// How many segments a path has at least, and whether it has no more. Counted in advance, since
// every request is compared with many routes.
struct Length {
  std::size_t segments = 0;
  bool is_exact = true;

  bool Allows(std::size_t count) const { return is_exact ? count == segments : count >= segments; }
};

constexpr auto kLengths = [] {
  std::array<Length, std::size(kRoutes)> lengths;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const std::string_view path = kRoutes[k].path;
    lengths[k] = {static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')),
                  !path.ends_with(kRest)};
  }
  return lengths;
}();

absl::Status NoSuchPath() {
  return absl::NotFoundError("unknown path: see /v1/worlds, whose documents have URLs");
}

absl::Status NoSuchValue(const char* what, const std::string& expected, std::string_view got) {
  return InvalidText(what, expected, {got.data(), got.size()}, absl::StatusCode::kNotFound);
}

// `allowed` is the end of a route's path: "png" for one extension, "{subtree|json}" for these two,
// "{ext}" for all.
absl::Status CheckExtension(std::string_view allowed, const std::string& extension) {
  if (allowed == "{ext}") return absl::OkStatus();
  const absl::string_view names =
      absl::StripPrefix(absl::StripSuffix({allowed.data(), allowed.size()}, "}"), "{");
  for (const absl::string_view name : absl::StrSplit(names, '|')) {
    if (name == extension) return absl::OkStatus();
  }
  return NoSuchValue("extension", absl::StrReplaceAll(names, {{"|", " or "}}), extension);
}

// Reads what names a tile: the face, if the path has one, and the last three segments.
absl::Status ReadTile(const Segments& segments, const std::string* face_text,
                      std::string_view allowed, PathValues& values) {
  const std::string_view last = segments.back();
  const std::size_t dot = last.find('.');
  if (dot == std::string_view::npos) return NoSuchPath();
  const auto level = ParseDecimal(segments[segments.size() - 3]);
  const auto x = ParseDecimal(segments[segments.size() - 2]);
  const auto y = ParseDecimal(last.substr(0, dot));
  // Worlds have fewer than 100 levels.
  if (!level || *level < 0 || *level > 99 || !x || !y) {
    return absl::NotFoundError("invalid tile: LEVEL/COLUMN/ROW are not decimal numbers");
  }
  const auto face = face_text == nullptr ? 0 : ParseDecimal(*face_text);
  if (!face || *face < 0 || *face > 5) return NoSuchValue("face", "0 to 5", *face_text);
  values.tile = {static_cast<int>(*face), static_cast<int>(*level), *x, *y};
  values.extension = last.substr(dot + 1);
  return CheckExtension(allowed, values.extension);
}

// Reads a request's path, of a fitting length, as that of a route. False if it has another form.
// NOT_FOUND for a value that no path has; then no other route has to be tried.
absl::StatusOr<bool> Read(std::string_view path, const Segments& segments, PathValues& values) {
  if (path.ends_with(kRest)) path.remove_suffix(kRest.size());
  const std::string* world = nullptr;
  const std::string* face = nullptr;
  auto segment = segments.begin();
  for (; !path.empty(); ++segment) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (part == "{world}" && !segment->empty()) {
      world = &*segment;
    } else if (part == "{file}") {
      values.file = *segment;
    } else if (part == "{face}") {
      face = &*segment;
    } else if (part == "{picture}") {
      const auto picture = geographic::PictureOf(*segment);
      if (!picture) return NoSuchValue("picture", "satellite, relief or cover", *segment);
      values.picture = *picture;
    } else if (part.starts_with("{y}.")) {
      THALWEG_RETURN_IF_ERROR(ReadTile(segments, face, part.substr(4), values));
    } else if (part != "{level}" && part != "{z}" && part != "{x}" && part != *segment) {
      return false;
    }
  }
  for (; segment != segments.end(); ++segment) absl::StrAppend(&values.file, "/", *segment);
  if (world != nullptr) values.world = *world;
  return true;
}

}  // namespace

const Route* Match::Find(Verb verb) const {
  const auto found = std::find_if(routes.begin(), routes.end(),
                                  [verb](const Route& route) { return route.verb == verb; });
  return found == routes.end() ? nullptr : &*found;
}

absl::StatusOr<Match> RoutesOf(const Target& target) {
  Match match;
  for (std::size_t k = 0; k < kLengths.size(); ++k) {
    if (!kLengths[k].Allows(target.segments.size())) continue;
    const Route* const first = &kRoutes[k];
    THALWEG_ASSIGN_OR_RETURN(const bool is_read, Read(first->path, target.segments, match.values));
    if (!is_read) continue;
    const Route* const end = std::find_if(first, std::end(kRoutes), [first](const Route& route) {
      return route.path != first->path;
    });
    match.routes = {first, end};
    return match;
  }
  return NoSuchPath();
}

bool AsksAboutServer(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view last = path.substr(path.rfind('/') + 1);
  return last == "healthz" || last == "readyz" || last == "metrics";
}

}  // namespace thalweg::http
