// Options that several commands have.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "thalweg/layer.h"

namespace thalweg::cli {

const std::map<std::string, Layer>& LayersByName();

// A line for each layer, in the order of their numbers.
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

// Numbers with commas between them.
template <std::size_t count>
CLI::Option* AddNumbers(CLI::App& command, const std::string& name, const std::string& type_name,
                        const std::string& text,
                        const std::function<void(const std::array<double, count>&)>& take) {
  const auto parse = [name, take](const std::vector<std::string>& words) {
    std::array<double, count> numbers{};
    bool numeric = words.size() == count;
    for (std::size_t i = 0; numeric && i < count; ++i) {
      numeric = absl::SimpleAtod(words[i], &numbers[i]);
    }
    if (!numeric) {
      throw CLI::ValidationError(
          name, "expected " + std::to_string(count) + " numbers with commas between");
    }
    take(numbers);
  };
  return command.add_option_function<std::vector<std::string>>(name, parse, text)
      ->delimiter(',')
      ->expected(-1)
      ->type_name(type_name);
}

CLI::Option* AddWorld(CLI::App& command, std::string& world);

CLI::Option* AddLevel(CLI::App& command, int& level);

// Of a planet.
CLI::Option* AddFace(CLI::App& command, std::optional<int>& face);

// A 64-bit coordinate. CLI11's own conversion changes numbers that do not fit to the largest that
// does.
CLI::Option* AddVertex(CLI::App& command, const std::string& name, std::int64_t& vertex,
                       const std::string& type_name, const std::string& text);

}  // namespace thalweg::cli
