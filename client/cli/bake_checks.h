// Checks between the options of `thalweg bake`.
#pragma once

#include "client/cli/arguments.h"

namespace thalweg::cli {

// Which options stand on the command line.
struct GivenBakeOptions {
  bool format = false;
  bool layer = false;
  bool overviews = false;
  bool tile = false;
  bool min_drained = false;
  bool mesh_error = false;
  bool window = false;
  bool crs = false;
  bool shard = false;
  // --region or --whole.
  bool pixels = false;
};

// Fills in options that follow from others; CLI::ValidationError for a wrong combination.
void CompleteBake(const GivenBakeOptions& given, BakeArguments& bake);

}  // namespace thalweg::cli
