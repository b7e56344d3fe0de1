// Options that several commands have.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "thalweg/layer.h"

namespace thalweg::cli {

const std::map<std::string, Layer>& LayersByName();

// A line a layer, in the order of their numbers.
std::string LayerList();

// An option whose value is one of the map's names.
template <typename Value>
CLI::Option* AddChoice(CLI::App& command, const std::string& name, Value& value,
                       const std::map<std::string, Value>& choices, const std::string& type_name,
                       const std::string& text) {
  return command
      .add_option_function<std::string>(
          name, [&value, &choices](const std::string& chosen) { value = choices.at(chosen); }, text)
      ->check(CLI::IsMember(&choices).description(""))
      ->type_name(type_name);
}

CLI::Option* AddWorld(CLI::App& command, std::string& world);

CLI::Option* AddLevel(CLI::App& command, int& level);

// Of a planet.
CLI::Option* AddFace(CLI::App& command, std::optional<int>& face);

// A 64-bit coordinate. CLI11's own conversion takes what does not fit for the largest that does.
CLI::Option* AddVertex(CLI::App& command, const std::string& name, std::int64_t& vertex,
                       const std::string& type_name, const std::string& text);

}  // namespace thalweg::cli
