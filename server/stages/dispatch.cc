#include "server/stages/dispatch.h"

#include <cstring>
#include <span>

namespace thalweg::stages {

Dispatch Dispatch::TakeRows(int count) {
  Dispatch taken = *this;
  taken.rows = count;
  pass.y += count * row_height;
  rows -= count;
  return taken;
}

std::vector<std::byte> PushConstants(const Dispatch& dispatch) {
  const std::span<const std::byte> params = dispatch.params.bytes();
  std::vector<std::byte> bytes(sizeof(kernels::Pass) + params.size());
  std::memcpy(bytes.data(), &dispatch.pass, sizeof(kernels::Pass));
  std::memcpy(bytes.data() + sizeof(kernels::Pass), params.data(), params.size());
  return bytes;
}

}  // namespace thalweg::stages
