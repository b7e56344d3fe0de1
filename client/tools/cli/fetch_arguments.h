// The options of `thalweg fetch`.
#pragma once

#include <CLI/App.hpp>

#include "client/tools/cli/arguments.h"

namespace thalweg::cli {

CLI::App* AddFetch(CLI::App& app, FetchArguments& fetch);

}  // namespace thalweg::cli
