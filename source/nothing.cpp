#include "source/source.h"

namespace rocvet {
namespace {

class Nothing final : public Source {
 public:
  Result<std::string> read(std::string_view path, std::size_t /*limit*/) override {
    return not_captured(std::string(path));
  }
  Result<std::vector<std::string>> list(std::string_view path) override {
    return not_captured(std::string(path));
  }
  Result<std::string> link(std::string_view path) override {
    return not_captured(std::string(path));
  }
  Result<std::string> resolve(std::string_view path) override {
    return not_captured(std::string(path));
  }
  Result<FileStat> lstat(std::string_view path) override { return not_captured(std::string(path)); }
  Result<FileStat> stat(std::string_view path) override { return not_captured(std::string(path)); }
  Result<Done> open_device(std::string_view path) override {
    return not_captured(std::string(path));
  }
  Result<ElfSummary> elf(std::string_view path) override { return not_captured(std::string(path)); }
  Result<CommandOutput> run(std::string_view name) override {
    return not_captured(std::string(name));
  }
  const ProcessFacts& process() override { return process_; }
  std::string kind() const override { return "none"; }
  std::string origin() const override { return ""; }

 private:
  ProcessFacts process_;  // of which nothing is captured
};

}  // namespace

std::unique_ptr<Source> no_source() {
  return std::make_unique<Nothing>();
}

}  // namespace rocvet
