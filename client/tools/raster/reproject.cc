#include "client/tools/raster/reproject.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/tools/raster/gdal.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

struct Destroy {
  void (*destroy)(Gdal::Handle);
  void operator()(Gdal::Handle object) const { destroy(object); }
};
using Owned = std::unique_ptr<void, Destroy>;

struct Coordinates {
  double x = 0;
  double y = 0;
};

Coordinates At(const std::array<double, 6>& transform, double column, double row) {
  return {transform[0] + transform[1] * column + transform[2] * row,
          transform[3] + transform[4] * column + transform[5] * row};
}

Owned OpenSystem(const Gdal& gdal, const std::string& crs) {
  constexpr int kEastThenNorth = 0;
  Owned reference(gdal.NewSpatialReference(nullptr), Destroy{gdal.DestroySpatialReference});
  if (gdal.SetFromUserInput(reference.get(), crs.c_str()) != 0) return Owned(nullptr, {});
  gdal.SetAxisMappingStrategy(reference.get(), kEastThenNorth);
  return reference;
}

// Brings coordinates of one system to another; nothing if one has no such place.
std::optional<std::vector<Coordinates>> Transformed(const Gdal& gdal, void* from, void* to,
                                                    std::vector<Coordinates> points) {
  const Owned change(gdal.NewCoordinateTransformation(from, to),
                     Destroy{gdal.DestroyCoordinateTransformation});
  if (change == nullptr) return std::nullopt;
  for (Coordinates& point : points) {
    const bool ok = gdal.TransformCoordinates(change.get(), 1, &point.x, &point.y, nullptr) != 0;
    if (!ok || !std::isfinite(point.x + point.y)) return std::nullopt;
  }
  return points;
}

// The sides of the raster's middle pixel.
struct Sides {
  double along_row = 0;
  double along_column = 0;

  double Longer() const { return std::max(along_row, along_column); }
};

Sides SidesOf(const std::vector<Coordinates>& corner_east_south) {
  const auto& c = corner_east_south;
  return {std::hypot(c[1].x - c[0].x, c[1].y - c[0].y),
          std::hypot(c[2].x - c[0].x, c[2].y - c[0].y)};
}

// The middle pixel's north-west corner, and those east and south of it.
std::vector<Coordinates> MiddlePixel(const Georeferenced& place) {
  const double column = std::floor(place.width / 2.0);
  const double row = std::floor(place.height / 2.0);
  return {At(place.transform, column, row), At(place.transform, column + 1, row),
          At(place.transform, column, row + 1)};
}

// Points on the raster's edges, of which one is far from no other.
std::vector<Coordinates> Rim(const Georeferenced& place) {
  constexpr int kSteps = 16;
  std::vector<Coordinates> rim;
  for (int n = 0; n <= kSteps; ++n) {
    const double column = static_cast<double>(place.width) * n / kSteps;
    const double row = static_cast<double>(place.height) * n / kSteps;
    for (const auto& [x, y] : {std::pair{column, 0.0}, std::pair(column, 1.0 * place.height),
                               std::pair{0.0, row}, std::pair(1.0 * place.width, row)}) {
      rim.push_back(At(place.transform, x, y));
    }
  }
  return rim;
}

Bounds BoundsOf(const std::vector<Coordinates>& points) {
  const auto [west, east] = std::ranges::minmax(points, {}, &Coordinates::x);
  const auto [south, north] = std::ranges::minmax(points, {}, &Coordinates::y);
  return {west.x, south.y, east.x, north.y};
}

// The latitude beyond which UTM has no zones.
constexpr double kUtmEnds = 84;

// The local system in metres around a place in degrees.
std::string LocalSystem(const Coordinates& degrees) {
  if (degrees.y > kUtmEnds) return "EPSG:3413";
  if (degrees.y < -kUtmEnds) return "EPSG:3031";
  const double east = degrees.x + 180 - 360 * std::floor((degrees.x + 180) / 360);
  const int zone = std::clamp(static_cast<int>(east / 6) + 1, 1, 60);
  return absl::StrCat("EPSG:", (degrees.y < 0 ? 32700 : 32600) + zone);
}

// Rounded to some digits that count.
double Rounded(double value, int digits) {
  const double unit = std::pow(10, digits - 1 - std::floor(std::log10(value)));
  return std::round(value * unit) / unit;
}

// The ground under a raster's middle pixel.
struct Ground {
  // The local system there.
  std::string system;
  double latitude = 0;
  // The longer side of the pixel.
  double side_m = 0;
};

// Returns nothing if the system is not one of the Earth, or has no such place.
std::optional<Ground> GroundAt(const Gdal& gdal, void* reference,
                               const std::vector<Coordinates>& pixel) {
  constexpr double kPole = 90;
  const Owned degrees = OpenSystem(gdal, "EPSG:4326");
  if (degrees == nullptr) return std::nullopt;
  const auto middle = Transformed(gdal, reference, degrees.get(), pixel);
  if (!middle || std::abs(middle->front().y) > kPole) return std::nullopt;
  Ground ground{LocalSystem(middle->front()), middle->front().y, 0};
  const Owned local = OpenSystem(gdal, ground.system);
  if (local == nullptr) return std::nullopt;
  const auto there = Transformed(gdal, reference, local.get(), pixel);
  if (!there) return std::nullopt;
  ground.side_m = SidesOf(*there).Longer();
  return ground;
}

// Returns the system, which may be the raster's own, and the reason; nothing if the raster needs
// none.
absl::StatusOr<std::optional<Projection>> NeededProjection(const Gdal& gdal,
                                                           const std::string& path,
                                                           const Georeferenced& place) {
  const std::vector<Coordinates> pixel = MiddlePixel(place);
  const Sides own = SidesOf(pixel);
  const std::optional<Ground> ground = GroundAt(gdal, place.reference.get(), pixel);
  if (gdal.IsGeographic(place.reference.get()) != 0) {
    if (ground) return Projection{ground->system, 0, "pixels in degrees"};
    return RasterError(path, "a position on the Earth",
                       absl::StrFormat("(%g, %g) in its middle", pixel[0].x, pixel[0].y));
  }
  constexpr double kStretched = 0.01;
  const double length = own.Longer() * gdal.GetLinearUnits(place.reference.get(), nullptr);
  if (ground && std::abs(ground->latitude) <= kUtmEnds &&
      std::abs(ground->side_m / length - 1) > kStretched) {
    return Projection{
        ground->system, 0,
        absl::StrFormat("pixels of %.4g m that are %.4g m on the ground", length, ground->side_m)};
  }
  if (place.transform[2] != 0 || place.transform[4] != 0)
    return Projection{"", 0, "rotated pixels"};
  constexpr double kSquare = 1e-3;
  if (std::abs(own.along_row / own.along_column - 1) <= kSquare) return std::nullopt;
  return Projection{"", 0, "pixels that are not square"};
}

}  // namespace

absl::StatusOr<Georeferenced> PlaceOf(const Gdal& gdal, const std::string& path, void* dataset) {
  Georeferenced place{gdal.GetRasterXSize(dataset), gdal.GetRasterYSize(dataset), {}, nullptr};
  if (gdal.GetGeoTransform(dataset, place.transform.data()) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("raster '", path,
                     "' has no position and no size of pixels; gdal_translate -a_ullr adds them"));
  }
  if (void* const reference = gdal.GetSpatialRef(dataset)) {
    place.reference = {gdal.CloneSpatialReference(reference), gdal.DestroySpatialReference};
  }
  return place;
}

std::string TextOf(const Gdal& gdal, void* reference) {
  if (reference == nullptr) return "";
  const char* const authority = gdal.GetAuthorityName(reference, nullptr);
  const char* const code = gdal.GetAuthorityCode(reference, nullptr);
  if (authority != nullptr && code != nullptr) return absl::StrCat(authority, ":", code);
  char* wkt = nullptr;
  const bool has_failed = gdal.ExportToWkt(reference, &wkt) != 0 || wkt == nullptr;
  std::string text = has_failed ? "" : wkt;
  gdal.Free(wkt);
  return text;
}

absl::StatusOr<survey::Grid<double>> ValuesOf(const Gdal& gdal, const std::string& path,
                                              void* dataset) {
  const int width = gdal.GetRasterXSize(dataset);
  const int height = gdal.GetRasterYSize(dataset);
  survey::Grid<double> values = survey::FilledGrid(width, height, 0.0);
  const QuietErrors errors(gdal);
  const int failed = gdal.RasterIO(gdal.GetRasterBand(dataset, 1), Gdal::kRead, 0, 0, width, height,
                                   values.values.data(), width, height, Gdal::kFloat64, 0, 0);
  if (failed != 0) return RasterError(path, "a band that can be read", errors.Last());
  return values;
}

absl::StatusOr<Bounds> BoundsIn(const Gdal& gdal, const std::string& path,
                                const Georeferenced& place, const std::string& crs) {
  const QuietErrors errors(gdal);
  const Owned target = OpenSystem(gdal, crs);
  const auto rim = target == nullptr
                       ? std::nullopt
                       : Transformed(gdal, place.reference.get(), target.get(), Rim(place));
  if (rim) return BoundsOf(*rim);
  return absl::InvalidArgumentError(absl::StrCat("raster '", path, "' is outside of ", crs));
}

double Coarsening(double side, double cell) {
  // The warper adds a pixel, and edges are curved.
  constexpr double kMost = kMaxSide - 8;
  return std::max(side / cell / kMost, 1.0);
}

absl::StatusOr<std::optional<Projection>> ProjectionFor(const Gdal& gdal, const std::string& path,
                                                        const Georeferenced& place,
                                                        const std::string& asked) {
  const QuietErrors errors(gdal);
  if (place.reference == nullptr) {
    if (asked.empty()) return std::nullopt;
    return absl::InvalidArgumentError(
        absl::StrCat("--crs ", asked, ": raster '", path,
                     "' has no reference system to convert from (gdal_edit.py -a_srs sets it)"));
  }
  std::optional<Projection> needed = Projection{asked, 0, "--crs"};
  if (asked.empty()) {
    THALWEG_ASSIGN_OR_RETURN(needed, NeededProjection(gdal, path, place));
    if (!needed) return std::nullopt;
  }
  Projection& projection = *needed;
  const std::vector<Coordinates> pixel = MiddlePixel(place);
  if (projection.crs.empty()) {
    constexpr int kDigits = 6;
    projection.cell = Rounded(SidesOf(pixel).Longer(), kDigits);
    projection.cell *= Coarsening(BoundsOf(Rim(place)).Side(), projection.cell);
    return projection;
  }
  const Owned target = OpenSystem(gdal, projection.crs);
  if (target == nullptr || gdal.IsGeographic(target.get()) != 0) {
    return wire::Invalid("--crs", "one in metres that GDAL knows, such as EPSG:32632",
                         projection.crs);
  }
  const auto there = Transformed(gdal, place.reference.get(), target.get(), pixel);
  if (!there) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "raster '%s' is at (%g, %g), outside of %s", path, pixel[0].x, pixel[0].y, projection.crs));
  }
  constexpr int kDigits = 3;
  projection.cell = Rounded(SidesOf(*there).Longer(), kDigits);
  const auto rim = Transformed(gdal, place.reference.get(), target.get(), Rim(place));
  if (rim) projection.cell *= Coarsening(BoundsOf(*rim).Side(), projection.cell);
  return projection;
}

absl::StatusOr<Dataset> Reproject(const Gdal& gdal, const std::string& path,
                                  const Georeferenced& place, const survey::Grid<double>& ground_m,
                                  const Projection& projection,
                                  const std::optional<Bounds>& bounds) {
  const QuietErrors errors(gdal);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const Dataset source = CreateInMemory(gdal, place.width, place.height, Gdal::kFloat64);
  if (source == nullptr) return RasterError(path, "memory to reproject it", errors.Last());
  void* const band = gdal.GetRasterBand(source.get(), 1);
  bool ok = gdal.SetGeoTransform(source.get(), place.transform.data()) == 0 &&
            gdal.SetSpatialRef(source.get(), place.reference.get()) == 0 &&
            gdal.SetRasterNoDataValue(band, kNothing) == 0;
  ok = ok && gdal.RasterIO(band, Gdal::kWrite, 0, 0, place.width, place.height,
                           const_cast<double*>(ground_m.values.data()), place.width, place.height,
                           Gdal::kFloat64, 0, 0) == 0;
  const auto digits = [](double number) { return absl::StrFormat("%.17g", number); };
  const std::string cell = digits(projection.cell);
  // As gdalwarp reads them. Heights are not moved to another vertical system.
  std::vector<std::string> words = {"-of", "MEM", "-r",      "cubic",      "-tr", cell,
                                    cell,  "-ot", "Float64", "-dstnodata", "nan", "-novshift"};
  if (bounds) {
    words.insert(words.end(), {"-te", digits(bounds->west), digits(bounds->south),
                               digits(bounds->east), digits(bounds->north)});
  }
  if (!projection.crs.empty()) words.insert(words.end(), {"-t_srs", projection.crs});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Owned options(gdal.NewWarpOptions(arguments.data(), nullptr),
                      Destroy{gdal.DestroyWarpOptions});
  void* sources[] = {source.get()};
  int wrong_usage = 0;
  Dataset warped(
      ok && options ? gdal.Warp("", nullptr, 1, sources, options.get(), &wrong_usage) : nullptr,
      CloseDataset{&gdal});
  if (warped != nullptr) return warped;
  return RasterError(path, "a raster that GDAL reprojects", errors.Last());
}

}  // namespace thalweg::raster_file
