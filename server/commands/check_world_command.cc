#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "server/commands/commands.h"
#include "server/world/world_check.h"

namespace thalweg::commands {
namespace {

std::string Described(const world::World& world) {
  const int last = world.levels() - 1;
  const std::string shape =
      world.spec().has_sphere()
          ? absl::StrFormat("a sphere of %.6g km radius", world.spec().sphere().radius_m() / 1000)
          : "a plane";
  return absl::StrFormat(
      "world '%s' is right: %s, cells of %.4g m at level 0 and %.4g m at level %d, id %s",
      world.name(), shape, world.level(0).cell_size_m, world.level(last).cell_size_m, last,
      world.hex_id());
}

// Whether the file has a world without errors.
bool Check(const std::string& path) {
  const auto say = [&path](const std::string& text) { std::cout << path << ": " << text << "\n"; };
  const absl::StatusOr<std::string> text = world::ReadWorldText(path);
  if (!text.ok()) {
    say(std::string(text.status().message()));
    return false;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const world::WorldCheck check =
      world::CheckWorldText(*text, world::ElevationsOf(folder.empty() ? "." : folder));
  for (const std::string& error : check.errors) say(error);
  for (const std::string& warning : check.warnings) say("warning: " + warning);
  if (check.world != nullptr) say(Described(*check.world));
  return check.world != nullptr;
}

}  // namespace

void AddCheckWorldCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "check-world", "Check specifications of worlds, and print all that is wrong in them");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *paths, "File of a specification, as JSON or text")
      ->type_name("")
      ->required();
  command->callback([paths, exit_code] {
    *exit_code = kSuccess;
    for (const std::string& path : *paths) {
      if (!Check(path)) *exit_code = kFailure;
    }
  });
}

}  // namespace thalweg::commands
