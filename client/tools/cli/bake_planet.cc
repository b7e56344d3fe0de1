#include "client/tools/cli/bake_planet.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "client/tools/cli/bake_format.h"
#include "proto/bake/planet_area.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

using bake::Area;
using bake::GridKind;

std::string ShapeOf(const WorldInfo& world) {
  return absl::StrCat("world '", world.name, "' is a ", world.radius_m > 0 ? "planet" : "plane");
}

absl::Status Refused(const char* option, const WorldInfo& world, const char* remedy = "") {
  return wire::Excluded(option, absl::StrCat(ShapeOf(world), remedy));
}

bool HasPixels(const BakeArguments& arguments) {
  return arguments.region || arguments.whole != Whole::kNone;
}

absl::Status CheckOnPlane(const BakeArguments& arguments, const WorldInfo& world) {
  if (arguments.face) return Refused("--face", world);
  if (arguments.region) return Refused("--region", world, ": use --bounds");
  if (arguments.whole != Whole::kNone) return Refused("--whole", world);
  return absl::OkStatus();
}

absl::Status CheckLayersOfPixels(const BakeArguments& arguments) {
  for (const Layer layer : arguments.layers) {
    if (layer != Layer::kNormal && layer != Layer::kShoreDirection) continue;
    return wire::Invalid("--layer",
                         "one that does not follow the axes of a face, with --region and --whole",
                         absl::StrCat(std::string(LayerName(layer)), ": bake it by --face"));
  }
  return absl::OkStatus();
}

// Refuses a whole planet that is too large for a file.
absl::Status CheckWhole(const Area& area) {
  if (std::max(area.width, area.height) <= bake::kMaxSide) return absl::OkStatus();
  int max = area.level;
  while ((area.width >> (area.level - max)) > bake::kMaxSide) --max;
  return wire::Invalid("--level", absl::StrCat("0 to ", max, " with this --whole"),
                       absl::StrCat(area.level, " with ", area.width, " x ", area.height,
                                    " pixels: bake a --region"));
}

}  // namespace

absl::Status CheckShape(const BakeArguments& arguments, const WorldInfo& world) {
  if (!(world.radius_m > 0)) return CheckOnPlane(arguments, world);
  if (arguments.bounds) return Refused("--bounds", world, ": use --region");
  if (!arguments.crs.empty()) return Refused("--crs", world);
  if (!arguments.format->on_planets) {
    return wire::Invalid("--format", absl::StrCat(kFormatsOnPlanets, ", since ", ShapeOf(world)),
                         arguments.format->name);
  }
  if (HasPixels(arguments)) return CheckLayersOfPixels(arguments);
  if (arguments.face) return absl::OkStatus();
  return wire::Missing(
      "--face", absl::StrCat("0 to 5 with --x0, or --region or --whole, since ", ShapeOf(world)));
}

absl::StatusOr<Area> PlanetAreaOf(const BakeArguments& arguments) {
  const int level = arguments.level;
  Area area{level,
            arguments.x0,
            arguments.y0,
            arguments.width,
            arguments.height,
            GridKind::kVertices,
            arguments.face.value_or(0)};
  if (arguments.region) {
    THALWEG_ASSIGN_OR_RETURN(area, bake::AreaOfRegion(level, *arguments.region));
  }
  if (arguments.whole != Whole::kNone) {
    if (arguments.whole == Whole::kCube) {
      area = bake::AreaOfCubeFace(level, arguments.cube_face);
    } else {
      THALWEG_ASSIGN_OR_RETURN(area, bake::AreaOfRegion(level, {}));
    }
    THALWEG_RETURN_IF_ERROR(CheckWhole(area));
  }
  THALWEG_RETURN_IF_ERROR(bake::CheckPlanetArea(area));
  return area;
}

std::string SystemOf(const WorldInfo& world) {
  // The Earth's mean and equatorial radius.
  if (world.radius_m >= 6'371'000 && world.radius_m <= 6'378'137) return "EPSG:4326";
  return absl::StrFormat(
      "GEOGCRS[\"Latitude and longitude on %1$s\",DATUM[\"%1$s\",ELLIPSOID[\"%1$s\",%2$.17g,0,"
      "LENGTHUNIT[\"metre\",1]]],PRIMEM[\"Reference meridian\",0,ANGLEUNIT[\"degree\","
      "0.0174532925199433]],CS[ellipsoidal,2],AXIS[\"latitude\",north,ORDER[1],"
      "ANGLEUNIT[\"degree\",0.0174532925199433]],AXIS[\"longitude\",east,ORDER[2],"
      "ANGLEUNIT[\"degree\",0.0174532925199433]]]",
      world.name, world.radius_m);
}

raster_file::Georeference PlaceOnPlanet(const WorldInfo& world, const Area& area) {
  const auto x0 = static_cast<double>(area.x0);
  const auto y0 = static_cast<double>(area.y0);
  if (area.grid != GridKind::kLatLong) return {.crs = "", .east = x0, .north = -y0, .spacing = 1};
  const double step = bake::DegreesPerPixel(area.level);
  return {.crs = SystemOf(world),
          .east = (x0 + 0.5) * step - 180,
          .north = 90 - (y0 + 0.5) * step,
          .spacing = step,
          .in_degrees = true};
}

std::vector<std::pair<std::string, std::string>> GridMetadataOf(const Area& area) {
  switch (area.grid) {
    case GridKind::kVertices:
      return {{"face", absl::StrCat(area.face)}};
    case GridKind::kLatLong:
      return {{"grid", "latitude and longitude"},
              {"pixel_deg", text::Decimal(bake::DegreesPerPixel(area.level))}};
    case GridKind::kCubeMap: {
      const auto name = bake::kCubeFaceNames[static_cast<std::size_t>(area.face)];
      return {{"grid", "cube map"}, {"cube_face", std::string(name)}};
    }
  }
  return {};
}

}  // namespace thalweg::cli
