#include "server/backend/backend.h"

#include "absl/strings/str_cat.h"
#include "server/backend/recording.h"

namespace thalweg::backend {

bool LayerSet::Contains(Layer layer) const {
  switch (layer) {
    case Layer::kHeight:
    case Layer::kFlow:
      return true;
    case Layer::kWashLoad:
      return wash_load;
    case Layer::kUplift:
      return uplift;
    case Layer::kFraction:
      return fraction;
  }
  return false;
}

int LayerSet::PlaneOf(Layer layer) const {
  switch (layer) {
    case Layer::kHeight:
      return 0;
    case Layer::kFlow:
      return 1;
    case Layer::kWashLoad:
      return 2;
    case Layer::kUplift:
      return 2 + (wash_load ? 1 : 0);
    case Layer::kFraction:
      return 2 + (wash_load ? 1 : 0) + (uplift ? 1 : 0);
  }
  return 0;
}

absl::Status CheckRead(const Block& block, Layer layer, const Rect& rect, std::size_t values) {
  const int side = block.shape().ResultSide();
  if (!block.layers().Contains(layer)) {
    return absl::InvalidArgumentError("read block: the layer was not kept");
  }
  if (rect.x < 0 || rect.y < 0 || rect.width < 1 || rect.height < 1 || rect.width > side - rect.x ||
      rect.height > side - rect.y) {
    return absl::InvalidArgumentError(absl::StrCat("read block: rectangle ", rect.x, ", ", rect.y,
                                                   ", ", rect.width, " x ", rect.height,
                                                   " is not inside ", side, " x ", side));
  }
  const auto vertices =
      static_cast<std::size_t>(rect.width) * static_cast<std::size_t>(rect.height);
  if (values != vertices) {
    return absl::InvalidArgumentError(
        absl::StrCat("read block: ", vertices, " values into a span of ", values));
  }
  return absl::OkStatus();
}

absl::Status CheckUpload(const world::BlockShape& shape, std::size_t height, std::size_t flow) {
  const auto side = static_cast<std::size_t>(shape.ResultSide());
  if (height != side * side || flow != side * side) {
    return absl::InvalidArgumentError(absl::StrCat("upload block: planes of ", height, " and ",
                                                   flow, " values, ", side * side, " wanted"));
  }
  return absl::OkStatus();
}

std::size_t Block::bytes() const {
  return sizeof(std::int32_t) * static_cast<std::size_t>(ResultLayout::Of(shape_, layers_).size);
}

}  // namespace thalweg::backend
