// Options that commands of both programs share, and the checks of their values.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/StringTools.hpp>
#include <CLI/TypeTools.hpp>
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
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/bake/planet_area.h"
#include "proto/command_line/run.h"

namespace thalweg::command_line {

// A check that a value is a number from `min` to `max`. It adds nothing to the help.
template <typename Number>
CLI::Validator InRange(Number min, Number max) {
  const auto check = [min, max](const std::string& word) {
    Number value{};
    // Written so that NaN fails too.
    if (CLI::detail::lexical_cast(word, value) && value >= min && value <= max) {
      return std::string();
    }
    return absl::StrCat("expected ", min, " to ", max, ", got ", word);
  };
  return CLI::Validator(check, "");
}

// Returns the value that belongs to a name; refuses any other name.
template <typename Value>
const Value& Chosen(const std::string& option, const std::map<std::string, Value>& choices,
                    const std::string& name) {
  if (const auto found = choices.find(name); found != choices.end()) return found->second;
  const auto append = [](std::string* out, const auto& choice) { out->append(choice.first); };
  Refuse(option, absl::StrCat("one of ", absl::StrJoin(choices, ", ", append)), name);
}

// Adds an option whose value is one of the map's names.
template <typename Value>
CLI::Option* AddChoice(CLI::App& command, const std::string& name, Value& value,
                       const std::map<std::string, Value>& choices, const std::string& type_name,
                       const std::string& text) {
  const auto take = [name, &value, &choices](const std::string& chosen) {
    value = Chosen(name, choices, chosen);
  };
  return command.add_option_function<std::string>(name, take, text)->type_name(type_name);
}

// Adds an option whose value is several numbers with commas between them.
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
      Refuse(name, absl::StrCat(count, " numbers with commas between"), absl::StrJoin(words, ","));
    }
    take(numbers);
  };
  return command.add_option_function<std::vector<std::string>>(name, parse, text)
      ->delimiter(',')
      ->expected(-1)
      ->type_name(type_name);
}

CLI::Option* AddLevel(CLI::App& command, int& level);

// Adds --face, the face of a planet.
CLI::Option* AddFace(CLI::App& command, std::optional<int>& face);

// Adds --x0 and --y0, the north-west vertex of a rectangle.
void AddCorner(CLI::App& command, std::int64_t& x0, std::int64_t& y0);

inline constexpr char kRectangle[] = "--x0 --y0 --width --height";
void AddRectangle(CLI::App& command, std::int64_t& x0, std::int64_t& y0, std::int64_t& width,
                  std::int64_t& height);

// Adds --region, a region of a planet.
void AddRegion(CLI::App& command, std::optional<bake::LatLongBox>& region);

// Adds --shards and --shard.
void AddShards(CLI::App& command, int& shards, int& shard);

// Returns options by their names, which blanks separate.
std::vector<CLI::Option*> OptionsOf(CLI::App& command, const std::string& names);

// Refuses command lines with `name` and any of the others.
void Exclude(CLI::App& command, const std::string& name, const std::string& others);

// Refuses command lines with `name` that lack any of the others.
void Need(CLI::App& command, const std::string& name, const std::string& others);

// Refuses command lines that lack any of these options.
void RequireAll(CLI::App& command, const std::string& names);

// Sets the shard that this process bakes: without --shard, from the environment of an array job.
// Refuses a shard that is not one of `shards`.
void CompleteShard(const CLI::App& command, int shards, int& shard);

}  // namespace thalweg::command_line
