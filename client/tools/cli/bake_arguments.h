// The options of `thalweg bake`.
#pragma once

#include <CLI/App.hpp>

#include "client/tools/cli/arguments.h"

namespace thalweg::cli {

CLI::App* AddBake(CLI::App& app, BakeArguments& bake);

}  // namespace thalweg::cli
