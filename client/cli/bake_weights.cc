#include "client/cli/bake_weights.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bake/part_region.h"
#include "client/cli/bake_format.h"
#include "client/cli/json.h"
#include "proto/wire/status_macros.h"

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;
using bake::Part;
using bake::PartStore;
using raster_file::RasterDescription;
using raster_file::RasterSink;

// A file of weights: its classes are its bands, in this order.
struct WeightsFile {
  std::string name;
  std::vector<Cover> covers;
};

std::vector<WeightsFile> WeightsFilesOf(std::size_t channels) {
  std::vector<WeightsFile> files;
  for (int number = 0; number < kCovers; ++number) {
    const auto cover = static_cast<Cover>(number);
    if (channels == 1) {
      files.push_back({CoverName(cover), {cover}});
      continue;
    }
    if (files.empty() || files.back().covers.size() == channels) {
      files.push_back({absl::StrCat(files.size()), {}});
    }
    files.back().covers.push_back(cover);
  }
  return files;
}

// Returns a class's weight at each vertex, in 1/255.
std::vector<std::int32_t> WeightsOf(Cover cover, std::span<const std::int32_t> packed) {
  std::vector<std::int32_t> weights;
  weights.reserve(packed.size());
  for (const std::int32_t value : packed) {
    std::int32_t weight = 0;
    for (const CoverPart& part : UnpackCover(value)) {
      if (part.cover == cover) weight += part.weight;
    }
    weights.push_back(weight);
  }
  return weights;
}

std::string WeightsSidecarOf(const Baking& baking, const std::vector<WeightsFile>& files) {
  const RasterDescription raster = Describe(baking, Layer::kCover);
  std::string text;
  for (const WeightsFile& file : files) {
    const std::string channels = absl::StrJoin(file.covers, ",", [](std::string* out, Cover cover) {
      *out += JsonString(CoverName(cover));
    });
    const std::string name = fs::path(PathWith(baking, file.name)).filename().string();
    absl::StrAppend(&text, text.empty() ? "" : ",", "{\"file\":", JsonString(name),
                    ",\"channels\":[", channels, "]}");
  }
  text = absl::StrCat("{\"files\":[", text, "],\"width\":", raster.width,
                      ",\"height\":", raster.height);
  return absl::StrCat(text, MembersOf(raster), "}\n");
}

// Opens a file. Bands without a class are zero.
absl::StatusOr<std::unique_ptr<RasterSink>> OpenFile(const Baking& baking,
                                                     const std::string& path) {
  RasterDescription raster = Describe(baking, Layer::kCover);
  raster.path = path;
  raster.bands = baking.arguments.format->bands;
  return OpenSink(raster, *baking.arguments.format);
}

}  // namespace

absl::StatusOr<std::vector<std::string>> WriteWeights(const Baking& baking, const PartStore& store,
                                                      const std::vector<Part>& parts) {
  const RasterDescription raster = Describe(baking, Layer::kCover);
  const std::vector<WeightsFile> files =
      WeightsFilesOf(static_cast<std::size_t>(baking.arguments.format->bands));
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<RasterSink>> sinks;
  for (const WeightsFile& file : files) {
    paths.push_back(PathWith(baking, file.name));
    THALWEG_ASSIGN_OR_RETURN(sinks.emplace_back(), OpenFile(baking, paths.back()));
  }
  for (const Part& part : parts) {
    THALWEG_ASSIGN_OR_RETURN(const Region region, ReadPart(baking, store, part));
    for (std::size_t file = 0; file < files.size(); ++file) {
      const std::vector<Cover>& covers = files[file].covers;
      for (std::size_t band = 0; band < covers.size(); ++band) {
        THALWEG_RETURN_IF_ERROR(WritePart(baking, region,
                                          WeightsOf(covers[band], region.planes[0].values),
                                          static_cast<int>(band), *sinks[file]));
      }
    }
  }
  for (const auto& sink : sinks) THALWEG_RETURN_IF_ERROR(sink->Finish());
  THALWEG_RETURN_IF_ERROR(WriteText(raster.path + ".json", WeightsSidecarOf(baking, files)));
  return paths;
}

}  // namespace thalweg::cli
