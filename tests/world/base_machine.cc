#include "tests/world/base_machine.h"

#include <cstdlib>
#include <map>
#include <vector>

namespace thalweg::world {
namespace {

using kernels::BaseInstruction;
using kernels::Place;

class Machine {
 public:
  Machine(const LevelProgram& program, const Place& place)
      : seed_(program.seed_low, program.seed_high), places_({place}) {}

  void Run(const BaseInstruction& step) {
    const int op = kernels::operationOf(step);
    if (kernels::isOctave(op)) {
      RunNoise(step);
    } else if (op >= kernels::kOpAdd && op <= kernels::kOpMax) {
      const float top = Pop();
      Top() = Folded(op, Top(), top);
    } else {
      RunOther(step);
    }
    if (stack_.size() > kernels::kBaseStackDepth || places_.size() > kernels::kBasePlaceDepth) {
      std::abort();
    }
  }

  // The program's result.
  const std::vector<float>& Values() const {
    if (stack_.empty() || stack_.size() > 2 || places_.size() != 1) std::abort();
    return stack_;
  }

 private:
  float& Top() {
    if (stack_.empty()) std::abort();
    return stack_.back();
  }

  float Pop() {
    const float top = Top();
    stack_.pop_back();
    return top;
  }

  static float Folded(int op, float below, float top) {
    if (op == kernels::kOpAdd) return below + top;
    if (op == kernels::kOpMultiply) return below * top;
    return op == kernels::kOpMin ? kernels::min(below, top) : kernels::max(below, top);
  }

  void RunNoise(const BaseInstruction& step) {
    const float n = kernels::gradientNoise(places_.back(), kernels::latticeOf(step), seed_);
    const int op = kernels::operationOf(step);
    if (op == kernels::kOpOctave) {
      Top() += step.a * n;
    } else if (op == kernels::kOpBillow) {
      Top() += step.a * (2.0f * kernels::abs(n) - 1.0f);
    } else {
      const float crest = 1.0f - kernels::min(kernels::abs(n), 1.0f);
      const float signal = crest * crest * weight_;
      Top() += step.a * signal;
      weight_ = kernels::clamp(step.b * signal, 0.0f, 1.0f);
    }
  }

  void RunOther(const BaseInstruction& step) {
    switch (kernels::operationOf(step)) {
      case kernels::kOpPush:
        stack_.push_back(step.a);
        break;
      case kernels::kOpKeep:
        kept_[kernels::keptBy(step)] = Top();
        break;
      case kernels::kOpRecall:
        stack_.push_back(kept_.at(kernels::keptBy(step)));
        break;
      case kernels::kOpCrest:
        weight_ = 1.0f;
        break;
      case kernels::kOpBlend: {
        const float mask = kernels::smoothUnit(Pop());
        const float high = Pop();
        Top() += (high - Top()) * mask;
        break;
      }
      case kernels::kOpCurve:
        argument_ = Top();
        Top() = step.a;
        break;
      case kernels::kOpRamp:
        Top() += step.b * kernels::clamp((argument_ - step.a) * kernels::thirdOf(step), 0.0f, 1.0f);
        break;
      case kernels::kOpTerrace:
        Top() += step.b * kernels::smoothUnit((argument_ - step.a) * kernels::thirdOf(step));
        break;
      case kernels::kOpWarp: {
        const float south = Pop();
        const float east = Pop();
        const Place from = places_.back();
        places_.push_back(
            {from.x + kernels::displacement(east), from.y + kernels::displacement(south), 0});
        break;
      }
      case kernels::kOpUnwarp:
        places_.pop_back();
        break;
      default:
        RunShape(step);
    }
  }

  void RunShape(const BaseInstruction& step) {
    const kernels::vec2 from(from_);
    const kernels::vec2 corner(step.a, step.b);
    const Place& here = places_.back();
    switch (kernels::operationOf(step)) {
      case kernels::kOpRuler: {
        const int axis = kernels::axisOf(step);
        from_[axis] = axis == 2 ? kernels::onRuler(here.z, 0, kernels::rulerOf(step))
                                : kernels::onRuler(here.x, here.y, kernels::rulerOf(step));
        break;
      }
      case kernels::kOpMap:
        from_ = kernels::vec3(kernels::onMap(from_, corner, kernels::thirdOf(step)), 0.0f);
        break;
      case kernels::kOpCorner:
        nearest_ = kernels::nearestOfCorner(from, corner);
        corner_ = corner;
        break;
      case kernels::kOpLine:
        nearest_ = kernels::nearestWithLine(nearest_, from, corner_, corner);
        corner_ = corner;
        break;
      case kernels::kOpNearest: {
        const float distance = step.a * kernels::lengthOf(kernels::abs(nearest_));
        stack_.push_back(step.b > 0.0f && nearest_ > 0.0f ? -distance : distance);
        break;
      }
      case kernels::kOpAhead:
        stack_.push_back(step.a * from.x + step.b * from.y);
        break;
      default:
        std::abort();
    }
  }

  kernels::uvec2 seed_;
  std::vector<Place> places_;
  std::vector<float> stack_;
  std::map<int, float> kept_;
  float weight_ = 1.0f;
  float argument_ = 0.0f;
  kernels::vec3 from_ = kernels::vec3(0.0f);
  kernels::vec2 corner_ = kernels::vec2(0.0f);
  float nearest_ = 1.0f;
};

std::vector<float> Run(const LevelProgram& program, const Place& place) {
  Machine machine(program, place);
  for (const BaseInstruction& step : program.base()) machine.Run(step);
  return machine.Values();
}

}  // namespace

float RunBase(const LevelProgram& program, std::int64_t x, std::int64_t y) {
  return RunBaseAt(program, kernels::placeOnPlane(x, y));
}

float RunBaseAt(const LevelProgram& program, const kernels::Place& place) {
  return Run(program, place).front();
}

float RunSteepness(const LevelProgram& program, std::int64_t x, std::int64_t y) {
  const std::vector<float> values = Run(program, kernels::placeOnPlane(x, y));
  return values.size() == 2 ? values.back() : 1.0f;
}

}  // namespace thalweg::world
