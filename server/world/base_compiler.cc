#include "server/world/base_compiler.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "server/world/base_bound.h"
#include "server/world/placed_shapes.h"

namespace thalweg::world {
namespace {

using kernels::BaseInstruction;

// A bound far below the largest float, so that no infinity and no NaN can arise.
constexpr double kLargestValue = 1e30;
// Octaves with shorter waves than this can't be drawn on the grid.
constexpr double kShortestOctaveCells = 2.0;
// The factor with which a ridged octave weighs the next one (Musgrave 1994).
constexpr double kRidgedSharpness = 2.0;
// Octaves have 32 streams for each salt, apart from the streams of rain and detail.
constexpr std::uint32_t kOctaveStream = 2000;
constexpr std::uint32_t kStreamsPerSalt = 32;
// Scattered features have other streams than noise.
constexpr std::uint32_t kPlatesStream = 0x20000000;
constexpr std::uint32_t kCratersStream = 0x28000000;
// The diameter of an octave's largest crater, as a part of its wavelength
// (shaders/kernels/scatter.glsl).
constexpr double kLargestCrater = 0.75;
// Neighbouring octaves and neighbouring salts are turned differently.
constexpr std::uint32_t kTurnPerOctave = 3;
constexpr std::uint32_t kTurnPerSalt = 5;

BaseInstruction Instruction(int op, double a = 0, double b = 0, double c = 0) {
  return kernels::baseInstruction(op, stages::KernelFloat(a), stages::KernelFloat(b),
                                  stages::KernelFloat(c));
}

class BaseCompiler {
 public:
  explicit BaseCompiler(const NoiseGrid& grid) : grid_(grid) {}

  // Appends instructions that leave a whole graph's value on the stack.
  absl::Status CompileRoot(const std::string& path, const v1::Node& node);

  std::vector<BaseInstruction> TakeProgram() { return std::move(program_); }

 private:
  struct NoiseUse {
    int octave_op = 0;
    double scale = 1;  // of the result
    std::uint32_t salt = 0;
  };

  // A node whose instructions are in the program already, compiled where nothing is warped.
  struct Compiled {
    std::string node;
    std::size_t end = 0;
    int kept = -1;  // the number that its value is stored under; -1: not stored
  };

  // Compiles a node, or recalls its value if the same node was compiled before.
  absl::Status Compile(const std::string& path, const v1::Node& node);
  absl::Status CompileAnew(const std::string& path, const v1::Node& node);
  absl::Status Recall(const std::string& path, Compiled& before);
  absl::Status CompileNoise(const std::string& path, const v1::Noise& noise, const NoiseUse& use);
  absl::Status CompileWarp(const std::string& path, const v1::Warp& warp);
  absl::Status CheckInSpace(const std::string& path) const;
  absl::Status CompilePlates(const std::string& path, const v1::Plates& plates);
  absl::Status CompileCraters(const std::string& path, const v1::Craters& craters);
  absl::Status CompileBlend(const std::string& path, const v1::Blend& blend);
  absl::Status CompileCurve(const std::string& path, const v1::Curve& curve);
  absl::Status CompilePlaced(const std::string& path, const v1::Node& node);
  // Maps the value on the stack by a curve. Points: a list of v1::Point.
  template <typename Points>
  absl::Status MapByCurve(const std::string& path, const Points& points, bool smooth);
  absl::Status CompileFold(const std::string& path, const v1::Nodes& nodes, int op);
  absl::Status Push(const std::string& path, double value);
  absl::Status Emit(const std::string& path, const BaseInstruction& instruction);

  NoiseGrid grid_;
  std::vector<BaseInstruction> program_;
  std::vector<Compiled> compiled_;
  int kept_ = 0;
  int values_ = 0;  // on the stack
  int places_ = 1;
};

absl::Status BaseCompiler::Emit(const std::string& path, const BaseInstruction& instruction) {
  if (program_.size() == kMaxBaseInstructions) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the world has more than ", kMaxBaseInstructions,
                     " instructions up to here (each octave and each corner is one)"));
  }
  program_.push_back(instruction);
  return absl::OkStatus();
}

absl::Status BaseCompiler::Push(const std::string& path, double value) {
  if (values_ == kernels::kBaseStackDepth) {
    return wire::Invalid(path, absl::StrCat("max ", kernels::kBaseStackDepth, " values at a time"),
                         absl::StrCat(values_ + 1, " (put the deepest node first)"));
  }
  ++values_;
  return Emit(path, Instruction(kernels::kOpPush, value));
}

absl::Status BaseCompiler::CompileNoise(const std::string& path, const v1::Noise& noise,
                                        const NoiseUse& use) {
  THALWEG_RETURN_IF_ERROR(Push(path, noise.offset() * use.scale));
  if (use.octave_op == kernels::kOpRidged) {
    THALWEG_RETURN_IF_ERROR(Emit(path, Instruction(kernels::kOpCrest)));
  }
  double whole = 0;
  double part = 1;
  for (std::uint32_t octave = 0; octave < noise.octaves(); ++octave, part *= noise.gain()) {
    whole += part;
  }
  double cells = noise.wavelength_m() / grid_.cell_size_m;
  part = 1;
  for (std::uint32_t octave = 0; octave < noise.octaves(); ++octave) {
    if (cells < kShortestOctaveCells) break;
    const kernels::Lattice lattice = stages::NoiseLattice(
        grid_.in_space, cells, octave * kTurnPerOctave + use.salt * kTurnPerSalt,
        kOctaveStream + use.salt * kStreamsPerSalt + octave);
    const double amplitude = noise.amplitude() * use.scale * part / whole;
    THALWEG_RETURN_IF_ERROR(
        Emit(path, kernels::octaveInstruction(use.octave_op, stages::KernelFloat(amplitude),
                                              stages::KernelFloat(kRidgedSharpness), lattice)));
    cells /= 2.0;
    part *= noise.gain();
  }
  return absl::OkStatus();
}

absl::Status BaseCompiler::CompileWarp(const std::string& path, const v1::Warp& warp) {
  const std::string displacement = text::FieldPath(path, "displacement");
  NoiseUse use = {.octave_op = kernels::kOpOctave,
                  .scale = 1.0 / grid_.cell_size_m,
                  .salt = warp.displacement().salt()};
  THALWEG_RETURN_IF_ERROR(CompileNoise(displacement, warp.displacement(), use));
  const int axes = grid_.in_space ? 3 : 2;
  for (int axis = 1; axis < axes; ++axis) {
    ++use.salt;
    THALWEG_RETURN_IF_ERROR(CompileNoise(displacement, warp.displacement(), use));
  }
  if (places_ == kernels::kBasePlaceDepth) {
    return wire::Invalid(path,
                         absl::StrCat("max ", kernels::kBasePlaceDepth - 2, " warps around a warp"),
                         places_ - 1);
  }
  THALWEG_RETURN_IF_ERROR(Emit(path, Instruction(kernels::kOpWarp)));
  values_ -= axes;
  ++places_;
  THALWEG_RETURN_IF_ERROR(Compile(text::FieldPath(path, "source"), warp.source()));
  --places_;
  return Emit(path, Instruction(kernels::kOpUnwarp));
}

absl::Status BaseCompiler::CheckInSpace(const std::string& path) const {
  if (grid_.in_space) return absl::OkStatus();
  return wire::Excluded(path, "the world is a plane and not a sphere");
}

absl::Status BaseCompiler::CompilePlates(const std::string& path, const v1::Plates& plates) {
  THALWEG_RETURN_IF_ERROR(Push(path, 0));
  const std::uint32_t stream = kOctaveStream + plates.salt() * kStreamsPerSalt + kPlatesStream;
  return Emit(path, kernels::octaveInstruction(
                        kernels::kOpPlates, 1, 0,
                        stages::SpaceLattice(plates.wavelength_m() / grid_.cell_size_m,
                                             plates.salt() * kTurnPerSalt, stream)));
}

absl::Status BaseCompiler::CompileCraters(const std::string& path, const v1::Craters& craters) {
  THALWEG_RETURN_IF_ERROR(Push(path, 0));
  double wavelength_m = craters.wavelength_m();
  double depth = craters.depth();
  for (std::uint32_t octave = 0; octave < craters.octaves(); ++octave) {
    const double cells = wavelength_m / grid_.cell_size_m;
    if (cells < kShortestOctaveCells) break;
    const kernels::Lattice lattice = stages::SpaceLattice(
        cells, octave * kTurnPerOctave + craters.salt() * kTurnPerSalt,
        kOctaveStream + craters.salt() * kStreamsPerSalt + kCratersStream + octave);
    // In units of the largest crater's diameter.
    const double metres = depth * kLargestCrater * wavelength_m;
    THALWEG_RETURN_IF_ERROR(Emit(
        path,
        kernels::octaveInstruction(kernels::kOpCraters, stages::KernelFloat(metres), 0, lattice)));
    wavelength_m /= 2.0;
    depth *= craters.gain();
  }
  return absl::OkStatus();
}

absl::Status BaseCompiler::CompileBlend(const std::string& path, const v1::Blend& blend) {
  THALWEG_RETURN_IF_ERROR(Compile(text::FieldPath(path, "low"), blend.low()));
  THALWEG_RETURN_IF_ERROR(Compile(text::FieldPath(path, "high"), blend.high()));
  THALWEG_RETURN_IF_ERROR(Compile(text::FieldPath(path, "mask"), blend.mask()));
  values_ -= 2;
  return Emit(path, Instruction(kernels::kOpBlend));
}

template <typename Points>
absl::Status BaseCompiler::MapByCurve(const std::string& path, const Points& points, bool smooth) {
  THALWEG_RETURN_IF_ERROR(Emit(path, Instruction(kernels::kOpCurve, points.begin()->out())));
  for (auto to = std::next(points.begin()); to != points.end(); ++to) {
    const v1::Point& from = *std::prev(to);
    THALWEG_RETURN_IF_ERROR(
        Emit(path, Instruction(smooth ? kernels::kOpTerrace : kernels::kOpRamp, from.in(),
                               to->out() - from.out(), 1.0 / (to->in() - from.in()))));
  }
  return absl::OkStatus();
}

absl::Status BaseCompiler::CompileCurve(const std::string& path, const v1::Curve& curve) {
  THALWEG_RETURN_IF_ERROR(Compile(text::FieldPath(path, "source"), curve.source()));
  return MapByCurve(path, curve.points(), curve.smooth());
}

absl::Status BaseCompiler::CompilePlaced(const std::string& path, const v1::Node& node) {
  const std::vector<BaseInstruction> steps = DistanceTo(node, grid_);
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    THALWEG_RETURN_IF_ERROR(Emit(path, steps[i]));
  }
  // The last instruction pushes the distance.
  THALWEG_RETURN_IF_ERROR(Push(path, 0));
  program_.back() = steps.back();
  const Profile profile = ProfileOf(node, grid_);
  return MapByCurve(path, profile.points, profile.smooth);
}

absl::Status BaseCompiler::CompileFold(const std::string& path, const v1::Nodes& nodes, int op) {
  for (int i = 0; i < nodes.nodes_size(); ++i) {
    THALWEG_RETURN_IF_ERROR(
        Compile(text::ItemPath(text::FieldPath(path, "nodes"), i), nodes.nodes(i)));
    if (i == 0) continue;
    THALWEG_RETURN_IF_ERROR(Emit(path, Instruction(op)));
    --values_;
  }
  return absl::OkStatus();
}

absl::Status BaseCompiler::CompileRoot(const std::string& path, const v1::Node& node) {
  THALWEG_RETURN_IF_ERROR(Compile(path, node));
  const double largest = LargestMagnitude(node);
  if (largest <= kLargestValue) return absl::OkStatus();
  return wire::Invalid(path, absl::StrCat("values of max ", text::Decimal(kLargestValue)),
                       absl::StrCat("up to ", text::Decimal(largest)));
}

absl::Status BaseCompiler::Recall(const std::string& path, Compiled& before) {
  if (before.kept < 0) {
    before.kept = kept_++;
    const auto keep = kernels::keptInstruction(kernels::kOpKeep, before.kept);
    program_.insert(program_.begin() + static_cast<std::ptrdiff_t>(before.end), keep);
    for (Compiled& other : compiled_) {
      if (other.end > before.end) ++other.end;
    }
  }
  THALWEG_RETURN_IF_ERROR(Push(path, 0));
  program_.back() = kernels::keptInstruction(kernels::kOpRecall, before.kept);
  return absl::OkStatus();
}

absl::Status BaseCompiler::Compile(const std::string& path, const v1::Node& node) {
  // Constants are not stored: they cost nothing. Values under a warp are not stored either: they
  // belong to another place.
  if (node.has_constant() || places_ > 1) return CompileAnew(path, node);
  const std::string bytes = node.SerializeAsString();
  const auto before = std::ranges::find(compiled_, bytes, &Compiled::node);
  if (before != compiled_.end() && (before->kept >= 0 || kept_ < kernels::kBaseKept)) {
    return Recall(path, *before);
  }
  THALWEG_RETURN_IF_ERROR(CompileAnew(path, node));
  compiled_.push_back({bytes, program_.size()});
  return absl::OkStatus();
}

absl::Status BaseCompiler::CompileAnew(const std::string& path, const v1::Node& node) {
  switch (node.kind_case()) {
    case v1::Node::kConstant:
      return Push(path, node.constant());
    case v1::Node::kFbm:
      return CompileNoise(text::FieldPath(path, "fbm"), node.fbm(),
                          {.octave_op = kernels::kOpOctave, .salt = node.fbm().salt()});
    case v1::Node::kRidged:
      return CompileNoise(text::FieldPath(path, "ridged"), node.ridged(),
                          {.octave_op = kernels::kOpRidged, .salt = node.ridged().salt()});
    case v1::Node::kBillow:
      return CompileNoise(text::FieldPath(path, "billow"), node.billow(),
                          {.octave_op = kernels::kOpBillow, .salt = node.billow().salt()});
    case v1::Node::kWarp:
      return CompileWarp(text::FieldPath(path, "warp"), node.warp());
    case v1::Node::kBlend:
      return CompileBlend(text::FieldPath(path, "blend"), node.blend());
    case v1::Node::kCurve:
      return CompileCurve(text::FieldPath(path, "curve"), node.curve());
    case v1::Node::kSum:
      return CompileFold(text::FieldPath(path, "sum"), node.sum(), kernels::kOpAdd);
    case v1::Node::kProduct:
      return CompileFold(text::FieldPath(path, "product"), node.product(), kernels::kOpMultiply);
    case v1::Node::kMin:
      return CompileFold(text::FieldPath(path, "min"), node.min(), kernels::kOpMin);
    case v1::Node::kMax:
      return CompileFold(text::FieldPath(path, "max"), node.max(), kernels::kOpMax);
    case v1::Node::kPlates:
      THALWEG_RETURN_IF_ERROR(CheckInSpace(text::FieldPath(path, "plates")));
      return CompilePlates(text::FieldPath(path, "plates"), node.plates());
    case v1::Node::kCraters:
      THALWEG_RETURN_IF_ERROR(CheckInSpace(text::FieldPath(path, "craters")));
      return CompileCraters(text::FieldPath(path, "craters"), node.craters());
    case v1::Node::kLatitude:
      THALWEG_RETURN_IF_ERROR(CheckInSpace(text::FieldPath(path, "latitude")));
      THALWEG_RETURN_IF_ERROR(Push(path, 0));
      program_.back() = Instruction(kernels::kOpLatitude);
      return absl::OkStatus();
    case v1::Node::kRadial:
    case v1::Node::kAlong:
    case v1::Node::kInside:
    case v1::Node::kGradient:
      return CompilePlaced(
          text::FieldPath(path,
                          v1::Node::descriptor()->FindFieldByNumber(node.kind_case())->name()),
          node);
    // Uses were expanded before.
    case v1::Node::kUse:
    case v1::Node::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(path, ": the node is empty"));
}

}  // namespace

absl::StatusOr<std::vector<BaseInstruction>> CompileBase(const v1::Node& base,
                                                         const v1::Node* steepness,
                                                         const NoiseGrid& grid) {
  BaseCompiler compiler(grid);
  THALWEG_RETURN_IF_ERROR(compiler.CompileRoot("base", base));
  if (steepness != nullptr) {
    THALWEG_RETURN_IF_ERROR(compiler.CompileRoot("steepness", *steepness));
  }
  return compiler.TakeProgram();
}

}  // namespace thalweg::world
