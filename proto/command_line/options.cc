#include "proto/command_line/options.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "proto/bake/bake_plan.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/tile_key.h"

namespace thalweg::command_line {
namespace {

constexpr int kMaxShards = 100'000;

// Adds an option for a 64-bit number of vertices. CLI11's own conversion would replace a number
// that does not fit by the largest that does.
CLI::Option* AddVertex(CLI::App& command, const std::string& name, std::int64_t& vertex,
                       const std::string& type_name, const std::string& text) {
  const auto parse = [&vertex, name](const std::string& digits) {
    if (!absl::SimpleAtoi(digits, &vertex)) Refuse(name, "a 64-bit integer", digits);
  };
  return command.add_option_function<std::string>(name, parse, text)->type_name(type_name);
}

}  // namespace

CLI::Option* AddLevel(CLI::App& command, int& level) {
  return command.add_option("--level", level, "Level of detail; 0 is the coarsest")
      ->type_name("L")
      ->check(InRange(0, wire::kMaxLevels - 1));
}

CLI::Option* AddFace(CLI::App& command, std::optional<int>& face) {
  return command
      .add_option("--face", face,
                  "For planets: the face of the cube that the vertices are on, 0 to 5")
      ->type_name("F")
      ->check(InRange(0, sphere::kFaces - 1));
}

void AddCorner(CLI::App& command, std::int64_t& x0, std::int64_t& y0) {
  AddVertex(command, "--x0", x0, "I", "Westernmost vertex, counted in cells of --level");
  AddVertex(command, "--y0", y0, "J",
            "Northernmost vertex, counted in cells of --level; y grows to the south");
}

void AddRectangle(CLI::App& command, std::int64_t& x0, std::int64_t& y0, std::int64_t& width,
                  std::int64_t& height) {
  AddCorner(command, x0, y0);
  AddVertex(command, "--width", width, "N", "Vertices from west to east");
  AddVertex(command, "--height", height, "N", "Vertices from north to south");
}

void AddRegion(CLI::App& command, std::optional<bake::LatLongBox>& region) {
  AddNumbers<4>(command, "--region", "W,S,E,N",
                "Region of a planet in degrees: west, south, east and north edge; W above E "
                "crosses the date line",
                [&region](const std::array<double, 4>& edges) {
                  region = bake::LatLongBox{edges[0], edges[1], edges[2], edges[3]};
                });
}

void AddShards(CLI::App& command, int& shards, int& shard) {
  command.add_option("--shards", shards, "Number of machines that share the work")
      ->type_name("N")
      ->check(InRange(1, kMaxShards));
  command.add_option("--shard", shard, "Which shard this machine bakes: 0 to N - 1")
      ->type_name("I")
      ->check(InRange(0, kMaxShards - 1));
}

std::vector<CLI::Option*> OptionsOf(CLI::App& command, const std::string& names) {
  std::vector<CLI::Option*> options;
  for (const absl::string_view name : absl::StrSplit(names, ' ')) {
    options.push_back(command.get_option(std::string(name)));
  }
  return options;
}

void Exclude(CLI::App& command, const std::string& name, const std::string& others) {
  for (CLI::Option* other : OptionsOf(command, others)) command.get_option(name)->excludes(other);
}

void Need(CLI::App& command, const std::string& name, const std::string& others) {
  for (CLI::Option* other : OptionsOf(command, others)) command.get_option(name)->needs(other);
}

void RequireAll(CLI::App& command, const std::string& names) {
  for (const CLI::Option* option : OptionsOf(command, names)) {
    if (option->count() == 0) throw CLI::RequiredError(option->get_name());
  }
}

void CompleteShard(const CLI::App& command, int shards, int& shard) {
  const bool given = command.count("--shard") > 0;
  if (!given && shards > 1) shard = bake::IndexInArray().value_or(-1);
  if (shard >= 0 && shard < shards) return;
  const std::string expected = absl::StrCat("0 to ", shards - 1, " (--shards is ", shards,
                                            "), or the index of an array job in the environment");
  if (shard < 0) RefuseOptions(absl::StrCat("--shard is missing: expected ", expected));
  Refuse("--shard", expected, absl::StrCat(shard));
}

}  // namespace thalweg::command_line
