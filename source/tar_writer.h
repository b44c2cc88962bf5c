// A tar archive in memory. libarchive could write it too, but its writers drag in every
// compression library there is.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rocvet {

class TarWriter {
 public:
  void add_file(std::string_view name, std::string_view content);
  void add_link(std::string_view name, std::string_view target);
  /// The whole archive; nothing may be added afterwards.
  std::string finish();

 private:
  void add(std::string_view name, std::string_view content, std::string_view target, char type);
  void header(std::string_view name, std::size_t size, std::string_view target, char type);
  void data(std::string_view content);

  std::string out_;
};

Result<std::string> zstd_compressed(std::string_view bytes);
Result<std::string> gzip_compressed(std::string_view bytes);

}  // namespace rocvet
