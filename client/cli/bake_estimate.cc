#include "client/cli/bake_estimate.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/bake_format.h"
#include "client/cli/json.h"
#include "client/picture/label.h"

namespace thalweg::cli {
namespace {

// Returns the bytes for each vertex in the files, for all layers together.
double FileBytes(const BakeArguments& arguments) {
  const BakeFormat& format = *arguments.format;
  const std::size_t layers = format.kind == BakeKind::kRaster ? arguments.layers.size() : 1;
  return format.bytes_per_vertex * static_cast<double>(layers);
}

}  // namespace

std::string DurationText(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return absl::StrCat(whole, " s");
  if (whole < 3600) return absl::StrCat(whole / 60, " min ", whole % 60, " s");
  return absl::StrCat(whole / 3600, " h ", whole / 60 % 60, " min");
}

std::string EstimateText(const Baking& baking, std::size_t parts, const MeasuredParts& measured,
                         bool json) {
  const BakeArguments& arguments = baking.arguments;
  const double vertices =
      static_cast<double>(baking.area.width) * static_cast<double>(baking.area.height);
  const double rate = static_cast<double>(measured.vertices) / measured.seconds;
  const double seconds = vertices / rate;
  const double folder =
      vertices * static_cast<double>(measured.bytes) / static_cast<double>(measured.vertices);
  const double files = vertices * FileBytes(arguments);
  if (json) {
    return absl::StrCat("{\"width\":", baking.area.width, ",\"height\":", baking.area.height,
                        ",\"parts\":", parts, ",\"measured_parts\":", measured.parts,
                        ",\"vertices_per_s\":", JsonNumber(rate),
                        ",\"seconds\":", JsonNumber(seconds), ",\"shards\":", arguments.shards,
                        ",\"seconds_per_shard\":", JsonNumber(seconds / arguments.shards),
                        ",\"folder_bytes\":", JsonNumber(std::round(folder)),
                        ",\"file_bytes\":", JsonNumber(std::round(files)), "}\n");
  }
  const double cell_m = baking.world.CellSizeM(baking.area.level);
  std::string text = absl::StrFormat(
      "region  %d x %d vertices, %s x %s, %d parts\n"
      "rate    %.2f million vertices a second from %d %s, by %d parts\n"
      "time    %s",
      baking.area.width, baking.area.height,
      picture::LengthText(static_cast<double>(baking.area.width - 1) * cell_m),
      picture::LengthText(static_cast<double>(baking.area.height - 1) * cell_m), parts, rate / 1e6,
      baking.servers.size(), baking.servers.size() == 1 ? "server" : "servers", measured.parts,
      DurationText(seconds));
  if (arguments.shards > 1) {
    absl::StrAppendFormat(&text, "; %s where each of %d shards has as many servers of its own",
                          DurationText(seconds / arguments.shards), arguments.shards);
  }
  absl::StrAppendFormat(&text, "\ndisk    %.2f GB in the folder of parts, max %.2f GB of files\n",
                        folder / 1e9, files / 1e9);
  return text;
}

}  // namespace thalweg::cli
