#include "client/raster/reproject.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"
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
  const std::optional<Ground> ground = GroundAt(gdal, place.reference, pixel);
  if (gdal.IsGeographic(place.reference) != 0) {
    if (ground) return Projection{ground->system, 0, "pixels in degrees"};
    return RasterError(path, "a position on the Earth",
                       absl::StrFormat("(%g, %g) in its middle", pixel[0].x, pixel[0].y));
  }
  constexpr double kStretched = 0.01;
  const double length = own.Longer() * gdal.GetLinearUnits(place.reference, nullptr);
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

absl::StatusOr<std::optional<Projection>> ProjectionFor(const Gdal& gdal, const std::string& path,
                                                        const Georeferenced& place,
                                                        const std::string& asked) {
  const QuietErrors errors(gdal);
  if (place.reference == nullptr) {
    if (asked.empty()) return std::nullopt;
    return RasterError(path, "a reference system to come from (gdal_edit.py -a_srs sets it)",
                       absl::StrCat("none, and --crs ", asked));
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
    return projection;
  }
  const Owned target = OpenSystem(gdal, projection.crs);
  if (target == nullptr || gdal.IsGeographic(target.get()) != 0) {
    return wire::Invalid("--crs", "one in metres that GDAL knows, such as EPSG:32632",
                         projection.crs);
  }
  const auto there = Transformed(gdal, place.reference, target.get(), pixel);
  if (!there) {
    return RasterError(path, absl::StrCat("a position in ", projection.crs),
                       absl::StrFormat("(%g, %g), which is outside", pixel[0].x, pixel[0].y));
  }
  constexpr int kDigits = 3;
  projection.cell = Rounded(SidesOf(*there).Longer(), kDigits);
  return projection;
}

absl::StatusOr<Dataset> Reproject(const Gdal& gdal, const std::string& path,
                                  const Georeferenced& place, const survey::Grid<double>& ground_m,
                                  const survey::Grid<bool>& missing, const Projection& projection) {
  const QuietErrors errors(gdal);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const Dataset source = CreateInMemory(gdal, place.width, place.height, Gdal::kFloat64);
  if (source == nullptr) return RasterError(path, "memory to reproject it", errors.Last());
  void* const band = gdal.GetRasterBand(source.get(), 1);
  bool ok = gdal.SetGeoTransform(source.get(), place.transform.data()) == 0 &&
            gdal.SetSpatialRef(source.get(), place.reference) == 0 &&
            gdal.SetRasterNoDataValue(band, kNothing) == 0;
  std::vector<double> row(static_cast<std::size_t>(place.width));
  for (int y = 0; ok && y < place.height; ++y) {
    for (int x = 0; x < place.width; ++x) {
      const std::size_t i = ground_m.Index(x, y);
      row[static_cast<std::size_t>(x)] = missing.values[i] ? kNothing : ground_m.values[i];
    }
    ok = gdal.RasterIO(band, Gdal::kWrite, 0, y, place.width, 1, row.data(), place.width, 1,
                       Gdal::kFloat64, 0, 0) == 0;
  }
  const std::string cell = absl::StrFormat("%.17g", projection.cell);
  // As gdalwarp reads them. Heights are not moved to another vertical system.
  std::vector<std::string> words = {"-of", "MEM", "-r",      "cubic",      "-tr", cell,
                                    cell,  "-ot", "Float64", "-dstnodata", "nan", "-novshift"};
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
