#include "server/backend/backend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::backend {

std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts) {
  if (parts <= 1) return {std::move(segments)};
  double cost = 0;
  for (const Segment& segment : segments) {
    for (const Dispatch& dispatch : segment.dispatches) cost += dispatch.Cost();
  }
  const double share = cost / parts;
  std::vector<std::vector<Segment>> cut(1);
  double left = share;  // of the part that is filled now
  for (Segment& segment : segments) {
    bool continues = segment.continues;
    bool begun = false;
    for (Dispatch& rest : segment.dispatches) {
      while (rest.rows > 0) {
        if (left <= 0 && cut.size() < static_cast<std::size_t>(parts)) {
          cut.emplace_back();
          begun = false;
          left += share;
        }
        if (!begun) cut.back().push_back({segment.stage, {}, std::exchange(continues, true)});
        begun = true;
        const double a_row = rest.Cost() / rest.rows;
        const bool is_last = cut.size() == static_cast<std::size_t>(parts);
        const double rows = is_last || a_row <= 0 ? rest.rows : std::ceil(left / a_row);
        const Dispatch taken =
            rest.TakeRows(static_cast<int>(std::clamp<double>(rows, 1, rest.rows)));
        left -= taken.Cost();
        cut.back().back().dispatches.push_back(taken);
      }
    }
  }
  return cut;
}

LayerSet KeptLayers(const world::LevelProgram& program, const RunOptions& options) {
  return options.layers | program.inherited;
}

world::RecordingOptions RecordingOptionsOf(const world::LevelProgram& program,
                                           const RunOptions& options, bool cross_edges) {
  return {.kept = KeptLayers(program, options),
          .exchange_seams = cross_edges && options.exchange_seams,
          .exchange_in_stages = options.exchange_in_stages,
          .shrink_window = options.shrink_window};
}

std::vector<std::int32_t> UploadedPlanes(std::span<const std::int32_t> height,
                                         std::span<const std::int32_t> flow) {
  const std::size_t plane = height.size();
  std::vector<std::int32_t> values(plane * static_cast<std::size_t>(kUploadedLayers.Count()));
  const auto put = [&](Layer layer, std::span<const std::int32_t> from) {
    const auto at = plane * static_cast<std::size_t>(kUploadedLayers.PlaneOf(layer));
    std::copy(from.begin(), from.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
  };
  put(Layer::kHeight, height);
  put(Layer::kFlow, flow);
  put(Layer::kWater, height);
  return values;
}

absl::Status CheckCut(const Cut& cut) {
  if (cut.window < 0 || cut.window >= cut.block->windows()) {
    return absl::InvalidArgumentError(absl::StrCat("read block: invalid window: expected 0 to ",
                                                   cut.block->windows() - 1, ", got ", cut.window));
  }
  if (cut.layers.empty()) return absl::OkStatus();
  const int side = cut.block->shape().ResultSide();
  const Rect& rect = cut.rect;
  for (const Layer layer : cut.layers) {
    if (!cut.block->layers().Contains(layer)) {
      return absl::InvalidArgumentError("read block: the run did not keep the layer");
    }
  }
  if (rect.x < 0 || rect.y < 0 || rect.width < 1 || rect.height < 1 || rect.width > side - rect.x ||
      rect.height > side - rect.y) {
    return absl::InvalidArgumentError(
        absl::StrCat("read block: invalid rectangle: expected one within ", side, " x ", side,
                     ", got ", rect.width, " x ", rect.height, " from ", rect.x, ", ", rect.y));
  }
  return absl::OkStatus();
}

absl::Status CheckUpload(const world::BlockShape& shape, std::size_t height, std::size_t flow) {
  const auto side = static_cast<std::size_t>(shape.ResultSide());
  if (height != side * side || flow != side * side) {
    return absl::InvalidArgumentError(absl::StrCat("upload block: expected ", side * side,
                                                   " values a plane, got ", height, " and ", flow));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::shared_ptr<const Block>>> Backend::Run(
    const world::LevelProgram& program, const world::BlockShape& shape, std::span<const Job> jobs,
    const RunOptions& options) {
  if (jobs.empty()) return std::vector<std::shared_ptr<const Block>>{};
  THALWEG_ASSIGN_OR_RETURN(const auto run, Begin(program, shape, jobs, options));
  while (run->parts_left() > 0) {
    THALWEG_RETURN_IF_ERROR(run->Submit());
    THALWEG_RETURN_IF_ERROR(run->Await());
  }
  return run->Take();
}

absl::Status Backend::Read(const Block& block, Layer layer, const Rect& rect,
                           std::span<std::int32_t> values, int window) {
  const Cut cut{&block, rect, {layer}, window};
  THALWEG_ASSIGN_OR_RETURN(const std::vector<CutValues> cuts, ReadCuts({&cut, 1}));
  const std::vector<std::int32_t>& plane = cuts.front().planes.front();
  if (values.size() != plane.size()) {
    return absl::InvalidArgumentError(absl::StrCat("read block: invalid span: expected ",
                                                   plane.size(), " values, got ", values.size()));
  }
  std::copy(plane.begin(), plane.end(), values.begin());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::int32_t>> Backend::ReadDeviations(const Block& block) {
  const Cut cut{&block, {}, {}, 0};
  THALWEG_ASSIGN_OR_RETURN(std::vector<CutValues> cuts, ReadCuts({&cut, 1}));
  return std::move(cuts.front().deviations);
}

std::size_t Block::bytes() const {
  return sizeof(std::int32_t) *
         static_cast<std::size_t>(world::ResultLayout::Of(shape_, layers_).size) *
         static_cast<std::size_t>(windows_);
}

}  // namespace thalweg::backend
