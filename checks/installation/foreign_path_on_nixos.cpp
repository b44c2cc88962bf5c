#include "base/text.h"
#include "checks/check.h"
#include "checks/common/say.h"
#include "checks/logs/app_errors.h"

namespace rocvet {
namespace {

constexpr std::string_view kForeignPathOnNixosDoc = R"(
## What it looks for
On NixOS: a library below /usr/lib, /lib64 or /opt/rocm that a program or a complaint names.

## Why it matters
NixOS has none of these folders. What asks for a file there was made for other distributions; the
same library lies in /run/opengl-driver/lib and in the store.

## How to mend it
The package of nixpkgs, programs.nix-ld, or an FHS environment (steam-run).

## Not this
A program in a container: it has that container's folders.

## References
- https://nix.dev/permalink/stub-ld
- https://wiki.nixos.org/wiki/AMD_GPU
)";

/// A library's path in a folder that NixOS does not have; "".
std::string foreign_path(std::string_view log) {
  for (const std::string_view folder :
       {"/usr/lib", "/lib64/", "/lib/x86_64-linux-gnu/", "/opt/rocm"}) {
    for (std::size_t at = log.find(folder); at != log.npos; at = log.find(folder, at + 1)) {
      const std::string_view rest = log.substr(at, 200);
      const std::string_view path = rest.substr(0, rest.find_first_of(" \t\r\n'\"`,;)"));
      const bool begins = at == 0 || std::string_view(" \t\n'\"`(:=").find(log[at - 1]) != log.npos;
      if (begins && path.find(".so") != path.npos) return std::string(path);
    }
  }
  return "";
}

std::vector<Finding> run_foreign_path_on_nixos(const Context& context) {
  const Machine& machine = context.machine;
  if (!machine.distro) return {unknown(machine.distro.error())};
  if (machine.distro->id != "nixos") return {skip("this is not NixOS")};
  if (machine.surroundings.environment != Environment::bare_metal)
    return {skip("a container has its own folders")};
  const std::string path = foreign_path(spoken(context));
  if (path.empty() || !someone_complains(context))
    return {pass("nobody complains of a path that NixOS does not have")};
  return warning("a program looks for its libraries where NixOS has none")
      .saw("application: " + path)
      .sees("foreign-library-path-on-nixos")
      .fix({"take the program's package of nixpkgs, or run it with steam-run"});
}

}  // namespace

extern const Check kForeignPathOnNixos;
constinit const Check kForeignPathOnNixos{
    .code = "RV432",
    .id = "foreign-path-on-nixos",
    .topic = "installation",
    .title = "A program looks in folders that NixOS does not have",
    .doc = kForeignPathOnNixosDoc,
    .run = run_foreign_path_on_nixos};

}  // namespace rocvet
