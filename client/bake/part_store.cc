#include "client/bake/part_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bake/part_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::bake {
namespace {

namespace fs = std::filesystem;

constexpr char kManifestName[] = "bake.json";

absl::Status SystemError(const char* operation, const std::string& path, int error) {
  return absl::ErrnoToStatus(error, absl::StrCat(operation, " '", path, "'"));
}

// A file descriptor that is closed.
class File {
 public:
  explicit File(int file) : file_(file) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return file_; }

 private:
  int file_;
};

absl::Status WriteAll(int file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 ? absl::OkStatus() : SystemError("write", path, errno);
}

// Written beside it, and then renamed: whole or not there, whatever happens.
absl::Status WriteWhole(const std::string& path, std::string_view bytes) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  const File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) return SystemError("create", temporary, errno);
  const absl::Status written = WriteAll(file.number(), temporary, bytes);
  if (!written.ok() || rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    return written.ok() ? SystemError("rename", temporary, error) : written;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return SystemError("open", path, errno);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (file.bad() || bytes.fail()) return SystemError("read", path, EIO);
  return std::move(bytes).str();
}

}  // namespace

std::string Manifest::Text() const {
  const std::string names = absl::StrJoin(layers, ",", [](std::string* out, Layer layer) {
    absl::StrAppend(out, "\"", std::string(LayerName(layer)), "\"");
  });
  return absl::StrCat("{\"world_id\":\"", world_id, "\",\"generator_version\":", generator_version,
                      ",\"level\":", area.level, ",\"x0\":", area.x0, ",\"y0\":", area.y0,
                      ",\"width\":", area.width, ",\"height\":", area.height, ",\"layers\":[",
                      names, "],\"part\":", kPartSide, "}\n");
}

PartStore::PartStore(std::string folder, Manifest manifest)
    : folder_(std::move(folder)), manifest_(std::move(manifest)) {}

absl::StatusOr<PartStore> PartStore::Open(const std::string& folder, const Manifest& manifest) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return SystemError("create", folder, error.value());
  const std::string path = absl::StrCat(folder, "/", kManifestName);
  if (!fs::exists(path)) THALWEG_RETURN_IF_ERROR(WriteWhole(path, manifest.Text()));
  THALWEG_ASSIGN_OR_RETURN(const std::string there, ReadWhole(path));
  if (there == manifest.Text()) return PartStore(folder, manifest);
  return absl::FailedPreconditionError(absl::StrCat(
      "the folder '", folder, "' holds another bake: finish that one, remove the folder, or give ",
      "another --out. There: ", there.substr(0, there.find('\n')),
      "; asked for: ", manifest.Text().substr(0, manifest.Text().find('\n'))));
}

std::string PartStore::PathOf(const Part& part) const {
  return absl::StrCat(folder_, "/", part.x, "_", part.y, ".part");
}

bool PartStore::Has(const Part& part) const {
  std::error_code error;
  return fs::exists(PathOf(part), error);
}

absl::StatusOr<std::int64_t> PartStore::BytesOf(const Part& part) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(PathOf(part), error);
  if (error) return SystemError("open", PathOf(part), error.value());
  return static_cast<std::int64_t>(bytes);
}

absl::Status PartStore::Write(const Part& part, const Region& region) const {
  return WriteWhole(PathOf(part), EncodePart(region));
}

absl::StatusOr<Region> PartStore::Read(const Part& part) const {
  THALWEG_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(PathOf(part)));
  absl::StatusOr<Region> region = DecodePart(bytes);
  if (!region.ok()) {
    return absl::DataLossError(absl::StrCat(PathOf(part), ": ", region.status().message(),
                                            "; remove it and run the same command again"));
  }
  const Area area = Clipped(manifest_.area, part);
  const bool same_layers =
      std::ranges::equal(region->planes, manifest_.layers, {}, &RegionPlane::layer);
  if (same_layers && region->level == area.level && region->x0 == area.x0 &&
      region->y0 == area.y0 && region->width == area.width && region->height == area.height) {
    return region;
  }
  return absl::DataLossError(absl::StrCat(PathOf(part), " is a part of another bake; remove it"));
}

absl::Status PartStore::Remove(const std::vector<Part>& parts) const {
  for (const Part& part : parts) unlink(PathOf(part).c_str());
  unlink(absl::StrCat(folder_, "/", kManifestName).c_str());
  if (rmdir(folder_.c_str()) == 0) return absl::OkStatus();
  return SystemError("remove", folder_, errno);
}

}  // namespace thalweg::bake
