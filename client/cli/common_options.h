// Options that several commands share.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <map>
#include <string>

#include "thalweg/layer.h"

namespace thalweg::cli {

const std::map<std::string, Layer>& LayersByName();

// Returns a line for each layer, in the order of their numbers.
std::string LayerList();

CLI::Option* AddWorld(CLI::App& command, std::string& world);

}  // namespace thalweg::cli
