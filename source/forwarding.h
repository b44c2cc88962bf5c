// A source that passes every question on to another: what one of them changes is overridden.
#pragma once

#include <string>
#include <vector>

#include "source/source.h"

namespace rocvet {

class ForwardingSource : public Source {
 public:
  explicit ForwardingSource(Source& inner) : inner_(inner) {}

  Result<std::string> read(std::string_view path, std::size_t limit = 16u << 20) override {
    return inner_.read(path, limit);
  }
  // read_as and read_head stay as they are: they ask read(), which a class may override alone.
  Result<std::vector<std::string>> list(std::string_view path) override {
    return inner_.list(path);
  }
  Result<std::string> link(std::string_view path) override { return inner_.link(path); }
  Result<std::string> resolve(std::string_view path) override { return inner_.resolve(path); }
  Result<FileStat> lstat(std::string_view path) override { return inner_.lstat(path); }
  Result<FileStat> stat(std::string_view path) override { return inner_.stat(path); }
  Result<Done> open_device(std::string_view path) override { return inner_.open_device(path); }
  Result<ElfSummary> elf(std::string_view path) override { return inner_.elf(path); }
  Result<CommandOutput> run(std::string_view name) override { return inner_.run(name); }
  std::vector<std::string> outputs() override { return inner_.outputs(); }
  const ProcessFacts& process() override { return inner_.process(); }
  std::string kind() const override { return inner_.kind(); }
  std::string origin() const override { return inner_.origin(); }

 protected:
  Source& inner() { return inner_; }

 private:
  Source& inner_;
};

}  // namespace rocvet
