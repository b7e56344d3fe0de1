#include "client/cli/common_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "absl/strings/str_format.h"
#include "proto/sphere/cube_faces.h"

namespace thalweg::cli {

const std::map<std::string, Layer>& LayersByName() {
  static const std::map<std::string, Layer> layers = [] {
    std::map<std::string, Layer> by_name;
    for (const LayerDescription& layer : AllLayers()) by_name.emplace(layer.name, layer.layer);
    return by_name;
  }();
  return layers;
}

std::string LayerList() {
  std::string list = "Layers (a world has those that 'thalweg info' lists):\n";
  for (const LayerDescription& layer : AllLayers()) {
    absl::StrAppendFormat(&list, "  %-16s %-5s  %s\n", std::string(layer.name),
                          std::string(layer.unit), std::string(layer.text));
  }
  return list;
}

CLI::Option* AddWorld(CLI::App& command, std::string& world) {
  return command.add_option("--world", world, "World by name, or by id in hexadecimal")
      ->type_name("NAME");
}

CLI::Option* AddLevel(CLI::App& command, int& level) {
  return command.add_option("--level", level, "Level of detail; 0 is the coarsest")
      ->type_name("L")
      ->check(CLI::Range(0, 20).description(""));
}

CLI::Option* AddFace(CLI::App& command, std::optional<int>& face) {
  return command
      .add_option("--face", face,
                  "For planets: the face of the cube that the vertices are on, 0 to 5")
      ->type_name("F")
      ->check(CLI::Range(0, sphere::kFaces - 1).description(""));
}

CLI::Option* AddVertex(CLI::App& command, const std::string& name, std::int64_t& vertex,
                       const std::string& type_name, const std::string& text) {
  const auto parse = [&vertex, name](const std::string& digits) {
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, vertex);
    if (error != std::errc() || stop != end) {
      throw CLI::ValidationError(name, "expected a 64-bit integer, got '" + digits + "'");
    }
  };
  return command.add_option_function<std::string>(name, parse, text)->type_name(type_name);
}

}  // namespace thalweg::cli
