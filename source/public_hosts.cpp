#include "source/public_hosts.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "source/word_lists.h"

namespace rocvet {
namespace {

// Where software, models and help come from; a bug report needs to say which. Sites where each
// customer has a name of his own (amazonaws.com, blob.core.windows.net) are not here.
constexpr std::string_view kSites[] = {"github.com",
                                       "githubusercontent.com",
                                       "github.io",
                                       "ghcr.io",
                                       "gitlab.com",
                                       "codeberg.org",
                                       "bitbucket.org",
                                       "sourceforge.net",
                                       "pypi.org",
                                       "pypa.io",
                                       "pkgbuild.com",
                                       "pythonhosted.org",
                                       "python.org",
                                       "pytorch.org",
                                       "tensorflow.org",
                                       "readthedocs.io",
                                       "readthedocs.org",
                                       "radeon.com",
                                       "amd.com",
                                       "huggingface.co",
                                       "hf.co",
                                       "docker.io",
                                       "docker.com",
                                       "quay.io",
                                       "nvcr.io",
                                       "gcr.io",
                                       "k8s.io",
                                       "kubernetes.io",
                                       "x-k8s.io",
                                       "openshift.io",
                                       "lmstudio.app",
                                       "lmstudio.ai",
                                       "debian.org",
                                       "ubuntu.com",
                                       "launchpad.net",
                                       "launchpadcontent.net",
                                       "kernel.org",
                                       "freedesktop.org",
                                       "archlinux.org",
                                       "fedoraproject.org",
                                       "redhat.com",
                                       "centos.org",
                                       "rockylinux.org",
                                       "almalinux.org",
                                       "opensuse.org",
                                       "suse.com",
                                       "nixos.org",
                                       "gentoo.org",
                                       "voidlinux.org",
                                       "alpinelinux.org",
                                       "manjaro.org",
                                       "linuxmint.com",
                                       "pop-os.org",
                                       "system76.com",
                                       "anaconda.org",
                                       "anaconda.com",
                                       "conda.io",
                                       "conda-forge.org",
                                       "npmjs.org",
                                       "npmjs.com",
                                       "nodejs.org",
                                       "rust-lang.org",
                                       "crates.io",
                                       "golang.org",
                                       "google.com",
                                       "googleapis.com",
                                       "microsoft.com",
                                       "apple.com",
                                       "openai.com",
                                       "ollama.com",
                                       "ollama.ai",
                                       "modelscope.cn",
                                       "civitai.com",
                                       "oracle.com",
                                       "intel.com",
                                       "nvidia.com",
                                       "khronos.org",
                                       "gnu.org",
                                       "sourceware.org",
                                       "llvm.org",
                                       "kde.org",
                                       "gnome.org",
                                       "flathub.org",
                                       "flatpak.org",
                                       "snapcraft.io",
                                       "steampowered.com",
                                       "mesa3d.org",
                                       "blender.org",
                                       "stackoverflow.com",
                                       "stackexchange.com",
                                       "askubuntu.com",
                                       "serverfault.com",
                                       "superuser.com",
                                       "reddit.com",
                                       "wikipedia.org",
                                       "aka.ms",
                                       "discourse.group",
                                       "schedmd.com",
                                       "open-mpi.org",
                                       "lkml.org",
                                       "cuda.is",
                                       "developer.download.nvidia.com",
                                       "tsinghua.edu.cn",
                                       "ustc.edu.cn",
                                       "aliyun.com",
                                       "sjtu.edu.cn",
                                       "kaggle.com",
                                       "wandb.ai",
                                       "w3.org",
                                       "json-schema.org",
                                       "spdx.org",
                                       "apache.org",
                                       "pyg.org",
                                       "dgl.ai",
                                       "perfetto.dev",
                                       "kali.org",
                                       "visualstudio.com",
                                       "example.org"};

// Labels of objects of Kubernetes; below these names are hosts of customers.
constexpr std::string_view kLabels[] = {"kubernetes.azure.com", "eks.amazonaws.com",
                                        "k8s.amazonaws.com"};

// Of names that no public name server has, or only sites themselves.
constexpr std::string_view kInner[] = {"local", "localdomain", "internal", "intranet", "intra",
                                       "lan",   "corp",        "example",  "invalid",  "onion",
                                       "edu",   "gov",         "mil"};
// The same, but words of other things too: a host's name has a number or a dash.
constexpr std::string_view kInnerToo[] = {"home", "lab",    "site",    "domain",  "cluster", "hpc",
                                          "priv", "office", "private", "company", "ads",     "loc"};
constexpr std::string_view kOuter[] = {
    "com", "org", "net", "io", "ai", "dev", "cloud", "app", "tech", "info", "biz",
    "int", "eu",  "de",  "uk", "fr", "nl",  "ch",    "es",  "pl",   "cz",   "se",
    "fi",  "dk",  "jp",  "cn", "kr", "tw",  "au",    "nz",  "ca",   "br",   "ru",
    "ua",  "hu",  "ro",  "gr", "ie", "il",  "live",  "sg",  "hk",   "za",   "mx",
    "tr",  "pt",  "sk",  "si", "lt", "lv",  "ee",    "lu",  "xyz"};

// "ac.in", "co.za": below which names of countries are given out.
constexpr std::string_view kOfCountries[] = {"ac", "co", "edu", "gov", "res", "org", "net", "com"};

// What the public hosts of a project are called.
constexpr std::string_view kPublicNames[] = {
    "www",    "docs",     "doc",      "wiki",      "wheels",   "wheel",   "download",  "downloads",
    "repo",   "repos",    "packages", "pkg",       "pkgs",     "mirror",  "mirrors",   "api",
    "blog",   "forum",    "forums",   "community", "help",     "support", "developer", "cdn",
    "static", "get",      "index",    "bugs",      "bugzilla", "gitlab",  "git",       "archive",
    "dl",     "releases", "discuss",  "lists"};

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= 63 &&
         std::all_of(label.begin(), label.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; });
}

}  // namespace

bool is_public_host(std::string_view host) {
  const std::string small = lower(host);
  if (is_in(kLabels, small)) return true;
  return std::any_of(std::begin(kSites), std::end(kSites), [&](std::string_view site) {
    return small == site || (small.size() > site.size() && small.ends_with(site) &&
                             small[small.size() - site.size() - 1] == '.');
  });
}

bool is_private_host(std::string_view word) {
  if (word.size() > 253 || word.find('.') == word.npos) return false;
  const std::string small = lower(word);
  const std::vector<std::string_view> labels = split(std::string_view(small), '.');
  if (!std::all_of(labels.begin(), labels.end(), is_label)) return false;
  if (labels.front() == "localhost") return false;
  if (is_in(kInner, labels.back())) return true;
  if (is_in(kInnerToo, labels.back()) &&
      labels.front().find_first_of("0123456789-") != std::string_view::npos)
    return true;
  // "wiki.gentoo.org" is of everybody, "wiki.hpc.somewhere.org" of somebody.
  const bool public_name = labels.size() == 3 && is_in(kPublicNames, labels.front());
  const bool of_country = labels.back().size() == 2 && is_in(kOfCountries, labels.rbegin()[1]);
  return labels.size() > 2 && (is_in(kOuter, labels.back()) || (of_country && labels.size() > 3)) &&
         !public_name && !is_public_host(small);
}

}  // namespace rocvet
