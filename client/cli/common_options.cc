#include "client/cli/common_options.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_format.h"

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

}  // namespace thalweg::cli
