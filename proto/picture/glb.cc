#include "proto/picture/glb.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "proto/base/json_text.h"

namespace thalweg::gltf {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
constexpr std::size_t kHeaderBytes = 12;

// Little-endian, like this machine.
void Append(std::string& bytes, std::uint32_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendChunk(std::string& bytes, std::uint32_t kind, std::string content, char padding) {
  content.resize((content.size() + 3) / 4 * 4, padding);
  Append(bytes, static_cast<std::uint32_t>(content.size()));
  Append(bytes, kind);
  bytes += content;
}

}  // namespace

nlohmann::ordered_json BufferView(std::size_t offset, std::size_t bytes, std::size_t stride,
                                  int target) {
  nlohmann::ordered_json view = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes}};
  if (stride > 0) view["byteStride"] = stride;
  if (target > 0) view["target"] = target;
  return view;
}

std::string Glb(nlohmann::ordered_json document, std::string binary) {
  std::string chunks;
  AppendChunk(chunks, kJsonChunk, json::TextOf(std::move(document)), ' ');
  AppendChunk(chunks, kBinaryChunk, std::move(binary), '\0');
  std::string bytes;
  Append(bytes, kMagic);
  Append(bytes, kVersion);
  Append(bytes, static_cast<std::uint32_t>(kHeaderBytes + chunks.size()));
  return bytes + chunks;
}

}  // namespace thalweg::gltf
