#include "server/backend/vulkan/pipeline_cache_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/files/temporary.h"
#include "proto/files/whole_file.h"

namespace thalweg::backend::vulkan {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x31304350474c4854;  // "THLGPC01"

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

// FNV-1a. It finds incomplete and damaged files; it does not stop attackers.
std::uint64_t Checksum(std::span<const std::byte> data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : data) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string DefaultCachePath(std::string_view device_id) {
  fs::path folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return "";
  }
  return folder / "thalweg" / ("pipelines-" + std::string(device_id) + ".bin");
}

std::vector<std::byte> LoadCache(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  // Unlike iterators, this throws nothing when the disk fails or the path is a folder's.
  std::ostringstream copy;
  copy << file.rdbuf();
  const std::string bytes = std::move(copy).str();
  Header header;
  if (bytes.size() < sizeof(header)) return {};
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto data = std::as_bytes(std::span(bytes).subspan(sizeof(header)));
  if (header.magic != kMagic || header.size != data.size() || header.checksum != Checksum(data)) {
    return {};
  }
  return {data.begin(), data.end()};
}

absl::Status SaveCache(const std::string& path, std::span<const std::byte> data) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  Header header;
  header.size = data.size();
  header.checksum = Checksum(data);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
  files::RemoveAbandoned(path);
  absl::Status written = files::WriteWhole(path, bytes);
  if (written.ok()) return written;
  return absl::UnavailableError(absl::StrCat("write pipeline cache: ", written.message()));
}

}  // namespace thalweg::backend::vulkan
