// The arguments of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/tools/raster/missing_pixels.h"
#include "client/tools/raster/raster_sink.h"
#include "proto/bake/planet_area.h"
#include "thalweg/layer.h"
#include "thalweg/sample.h"
#include "thalweg/world_info.h"

namespace CLI {
class App;
}

namespace thalweg::cli {

// The format of a fetched region.
enum class FetchFormat : std::uint8_t {
  // Shaded relief, an 8-bit RGB PNG.
  kHillshade,
  // The cover of the ground in the same light.
  kSatellite,
  // A 16-bit grey PNG, linear from the smallest to the largest value.
  kPng16,
  // 32-bit little-endian integers, rows from north to south.
  kI32,
};

// The server, and the files that prove its identity and the caller's.
struct ConnectionArguments {
  std::string server;
  bool tls = false;
  // PEM files; empty: none.
  std::string ca;
  std::string cert;
  std::string key;
  std::string server_name;
  // A file with the token; empty: the environment's, if any.
  std::string token_file;
  bool token_in_clear = false;
};

struct WorldsArguments {};

struct HealthArguments {};

struct InfoArguments {
  std::string world;
  bool heights = false;
};

struct FetchArguments {
  std::string world;
  // Whether the world's showplace decides x0 and y0, and whether it decides the level as well.
  bool of_showplace = false;
  bool level_of_showplace = false;
  int level = 0;
  // The face of a planet; absent on a plane.
  std::optional<int> face;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  int size = 1024;
  Layer layer = Layer::kHeight;
  FetchFormat format = FetchFormat::kHillshade;
  bool rivers = false;
  bool no_label = false;
  // The middle of a disc, a planet's picture from orbit.
  std::optional<LatLong> disc = {};
  std::string out;
};

// A row of the table in bake_format.cc.
struct BakeFormat;

// What the overviews of a COG are made from.
enum class OverviewSource : std::uint8_t { kMeans, kLevels };

// The engine whose sizes a height map must have.
enum class Engine : std::uint8_t { kAny, kUnity, kUnreal };

// The picture on a mesh: none, or what lies on the ground.
enum class Texture : std::uint8_t { kNone, kSatellite };

// A whole planet: by latitude and longitude, or as the six files of a cube map.
enum class Whole : std::uint8_t { kNone, kEquirectangular, kCube };

// A rectangle of the plane in metres, east and south.
struct Bounds {
  double west = 0;
  double north = 0;
  double east = 0;
  double south = 0;
};

// The square that a web map shows: 2^bits tiles of level 0 on a side, around a centre in metres.
struct WindowArguments {
  int bits = 4;
  double centre_east_m = 0;
  double centre_south_m = 0;
};

struct BakeArguments {
  // A folder of existing parts; empty: servers compute them.
  std::string from = {};
  std::string world;
  int level = 0;
  // The rectangle: in vertices or in metres; on a planet in vertices of a face, in degrees, or the
  // whole planet.
  std::optional<Bounds> bounds;
  std::optional<int> face;
  std::optional<bake::LatLongBox> region;
  Whole whole = Whole::kNone;
  // The face of the cube map that is in this file.
  int cube_face = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<Layer> layers = {Layer::kHeight};
  // Never null after the arguments are parsed.
  const BakeFormat* format = nullptr;
  Engine engine = Engine::kAny;
  OverviewSource overviews = OverviewSource::kMeans;
  raster_file::Compression compression = raster_file::Compression::kDeflate;
  // Vertices on a side of the square in each file; 0: the whole region is in one file.
  std::int64_t tile_side = 0;
  // The smallest and the largest value of 16 bits, in the layer's unit.
  std::optional<std::pair<double, double>> range;
  // The min area that drains to a river; absent: the default number of cells.
  std::optional<double> min_drained_km2;
  // The difference between contours; absent: by the relief.
  std::optional<double> contour_interval_m;
  WindowArguments window;
  // How far a mesh may be from the ground; absent: a quarter of a cell.
  std::optional<double> mesh_error_m;
  // Absent: a picture where the world has a cover.
  std::optional<Texture> texture;
  // Empty: the plane is not on the Earth.
  std::string crs;
  double origin_east = 0;
  double origin_north = 0;
  // The shard's index, and the number of shards; 1: the whole bake.
  int shard = 0;
  int shards = 1;
  bool plan = false;
  bool merge = false;
  bool keep_parts = false;
  // Parts to compute again and compare.
  int verify = 0;
  std::string out;
};

struct SurveyArguments {
  // A file to measure instead of a world, without a server.
  std::string raster = {};
  std::string world;
  int level = 0;
  std::int64_t x0 = 0;
  std::int64_t y0 = 0;
  // The middle of the square on a planet, instead of x0 and y0.
  std::optional<LatLong> at = {};
  // Cells on a side.
  int size = 0;
};

struct ImportArguments {
  // Files, folders and zip archives.
  std::vector<std::string> rasters;
  // The specification's file; the elevation file is written beside it. Empty: by the raster's name.
  std::string out;
  // Empty: the name follows from the file's.
  std::string name;
  // The width of the margin around the raster; absent: by its slopes.
  std::optional<double> blend_m;
  std::optional<double> sea_level_m;
  raster_file::NoData no_data = raster_file::NoData::kFind;
  // The raster's band, from 1 on, and the unit of its heights in metres; absent: what the file
  // says.
  std::optional<int> band;
  std::optional<double> height_unit_m;
  // The step that heights were rounded to; 0: none; absent: it is found.
  std::optional<double> step_m;
  // The reference system that the raster is brought to; empty: a local one where it needs one.
  std::string crs;
};

struct FlyArguments {
  std::string world;
  // A file with the path of the flight over a planet; empty: the camera flies straight ahead over a
  // plane, by the fields from `seconds` to `heading_deg`.
  std::string path;
  double seconds = 0;
  double speed_m_s = 0;
  // The height above the ground.
  double height_m = 100;
  // Where the flight begins, east and south; absent: at the world's showplace.
  std::optional<double> x_m;
  std::optional<double> y_m;
  // Its direction, clockwise from north.
  double heading_deg = 90;
  // Over a planet the min range: it grows with the distance of the horizon.
  double range_m = 60'000;
  double tolerance_px = 2;
  int viewport_px = 1080;
  double lookahead_s = 4;
  int memory_mib = 512;
  // Empty: no cache on disk.
  std::string cache;
  // Whether the flight starts with the finest set, not with the first complete one.
  bool from_finest = false;
  // How long the flight waits for the first complete set and, at the end, for the finest one.
  double patience_s = 60;
  // Empty: no picture.
  std::string picture;
};

struct CreateWorldArguments {
  std::string file;
  CreateWorldOptions options;
};

struct DeleteWorldArguments {
  std::string world;
};

struct Arguments {
  ConnectionArguments connection;
  bool json = false;
  std::variant<WorldsArguments, InfoArguments, FetchArguments, BakeArguments, SurveyArguments,
               ImportArguments, FlyArguments, HealthArguments, CreateWorldArguments,
               DeleteWorldArguments>
      command;
};

// Adds the commands with the most options, each from a source of its own.
CLI::App* AddFetch(CLI::App& app, FetchArguments& fetch);
CLI::App* AddBake(CLI::App& app, BakeArguments& bake);

// Returns the arguments, or the exit code after help, version or a usage error has been printed.
std::variant<Arguments, int> ParseArguments(int argc, char** argv);

}  // namespace thalweg::cli
