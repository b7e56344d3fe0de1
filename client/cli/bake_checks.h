// Checks between the options of `thalweg bake`.
#pragma once

#include <CLI/App.hpp>

#include "client/cli/arguments.h"

namespace thalweg::cli {

// Fills in options that follow from others. Refuses a wrong combination.
void CompleteBake(const CLI::App& command, BakeArguments& bake);

}  // namespace thalweg::cli
