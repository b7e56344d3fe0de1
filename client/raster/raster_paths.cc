#include "client/raster/raster_paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/raster/quiet_errors.h"
#include "client/raster/raster_error.h"

namespace thalweg::raster_file {
namespace {

namespace fs = std::filesystem;

bool IsDataset(const Gdal& gdal, const std::string& path) {
  const QuietErrors errors(gdal);
  const Dataset dataset(gdal.OpenEx(path.c_str(), Gdal::kOpenRaster, nullptr, nullptr, nullptr),
                        CloseDataset{&gdal});
  return dataset != nullptr;
}

// Files beside a raster that GDAL would read as rasters: overviews, masks, and lists of rasters.
bool IsCompanion(const fs::path& path) {
  constexpr std::array kEndings = {".ovr", ".msk", ".vrt"};
  return std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
}

std::vector<std::string> FolderEntries(const std::string& folder) {
  std::vector<std::string> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) entries.push_back(entry->path().string());
  }
  std::ranges::sort(entries);
  return entries;
}

// Returns the names under which GDAL reads the entries of a zip archive.
std::vector<std::string> ZipEntries(const Gdal& gdal, const std::string& path) {
  const std::string folder = absl::StrCat("/vsizip/", path, "/");
  std::vector<std::string> entries;
  const QuietErrors errors(gdal);
  char** const names = gdal.ReadFolder(folder.c_str());
  for (char** name = names; name != nullptr && *name != nullptr; ++name) {
    if (!absl::EndsWith(*name, "/")) entries.push_back(absl::StrCat(folder, *name));
  }
  gdal.DestroyList(names);
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> RasterFilesOf(const Gdal& gdal,
                                                       const std::vector<std::string>& paths) {
  gdal.AllRegister();
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const bool is_zip = fs::path(path).extension() == ".zip" && fs::is_regular_file(path, error);
    // Some formats keep a raster in a folder or in an archive.
    if ((!is_zip && !fs::is_directory(path, error)) || IsDataset(gdal, path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    const std::vector<std::string> entries = is_zip ? ZipEntries(gdal, path) : FolderEntries(path);
    for (const std::string& entry : entries) {
      if (!IsCompanion(entry) && IsDataset(gdal, entry)) files.push_back(entry);
    }
    if (files.size() == before) {
      return RasterError(path, "rasters inside",
                         absl::StrCat(entries.size(), " entries, none of which GDAL reads"));
    }
  }
  return files;
}

}  // namespace thalweg::raster_file
