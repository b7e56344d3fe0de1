#include "server/world/base_bound.h"

#include <algorithm>
#include <cmath>

namespace thalweg::world {
namespace {

// A sum of octaves stays below this many times its amplitude, with the kernels' rounding.
constexpr double kLargestNoise = 2.0;
// A bound of half the difference of the distances to two points in neighbouring cells.
constexpr double kLargestEdge = 2.0;

double LargestOf(const v1::Noise& noise) {
  return std::abs(noise.offset()) + kLargestNoise * std::abs(noise.amplitude());
}

// Up to eight craters of one octave may lie over each other.
double LargestOf(const v1::Craters& craters) {
  double largest = 0;
  double depth = 8 * craters.depth() * craters.wavelength_m();
  for (std::uint32_t octave = 0; octave < craters.octaves(); ++octave) {
    largest += depth;
    depth *= craters.gain() / 2;
  }
  return largest;
}

double LargestOutOf(const google::protobuf::RepeatedPtrField<v1::Point>& points) {
  double largest = 0;
  for (const v1::Point& point : points) largest = std::max(largest, std::abs(point.out()));
  return largest;
}

// A placed node has the values 0 to 1 if it has no profile.
template <typename Shape>
double LargestOfPlaced(const Shape& shape) {
  return shape.profile().empty() ? 1 : LargestOutOf(shape.profile());
}

double LargestOf(const v1::Curve& curve) {
  return std::max(LargestMagnitude(curve.source()), LargestOutOf(curve.points()));
}

double LargestOf(const v1::Blend& blend) {
  const double ends = 2.0 * LargestMagnitude(blend.low()) + LargestMagnitude(blend.high());
  return std::max(ends, LargestMagnitude(blend.mask()));
}

double SumOf(const v1::Nodes& nodes) {
  double sum = 0;
  for (const v1::Node& node : nodes.nodes()) sum += LargestMagnitude(node);
  return sum;
}

double ProductOf(const v1::Nodes& nodes) {
  // A factor below 1 may follow larger ones, so it does not lower the bound.
  double product = 1;
  for (const v1::Node& node : nodes.nodes()) product *= std::max(LargestMagnitude(node), 1.0);
  return product;
}

}  // namespace

double LargestMagnitude(const v1::Node& node) {
  switch (node.kind_case()) {
    case v1::Node::kConstant:
      return std::abs(node.constant());
    case v1::Node::kFbm:
      return LargestOf(node.fbm());
    case v1::Node::kRidged:
      return LargestOf(node.ridged());
    case v1::Node::kBillow:
      return LargestOf(node.billow());
    case v1::Node::kWarp:
      return LargestMagnitude(node.warp().source());
    case v1::Node::kBlend:
      return LargestOf(node.blend());
    case v1::Node::kCurve:
      return LargestOf(node.curve());
    case v1::Node::kSum:
      return SumOf(node.sum());
    case v1::Node::kProduct:
      return ProductOf(node.product());
    case v1::Node::kMin:
      return SumOf(node.min());
    case v1::Node::kMax:
      return SumOf(node.max());
    case v1::Node::kPlates:
      return kLargestEdge;
    case v1::Node::kCraters:
      return LargestOf(node.craters());
    case v1::Node::kLatitude:
      return 1;
    case v1::Node::kRadial:
      return LargestOfPlaced(node.radial());
    case v1::Node::kAlong:
      return LargestOfPlaced(node.along());
    case v1::Node::kInside:
      return LargestOfPlaced(node.inside());
    case v1::Node::kGradient:
      return LargestOfPlaced(node.gradient());
    // Uses were expanded before.
    case v1::Node::kUse:
    case v1::Node::KIND_NOT_SET:
      break;
  }
  return 0;
}

double LargestValue(const v1::Node& node) {
  double value = 0;
  switch (node.kind_case()) {
    case v1::Node::kCurve:
      return LargestOutOf(node.curve().points());
    case v1::Node::kWarp:
      return LargestValue(node.warp().source());
    case v1::Node::kSum:
      for (const v1::Node& part : node.sum().nodes()) value += LargestValue(part);
      return value;
    case v1::Node::kProduct:
      value = 1;
      for (const v1::Node& part : node.product().nodes()) value *= LargestValue(part);
      return value;
    default:
      return LargestMagnitude(node);
  }
}

}  // namespace thalweg::world
