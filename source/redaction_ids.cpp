// Numbers that say which machine or part it is: UUIDs, addresses, GUIDs, serials.
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/text.h"
#include "source/characters.h"
#include "source/redaction.h"
#include "source/secret_names.h"

namespace rocvet {
namespace {

constexpr std::string_view kHex = "0123456789abcdefABCDEF";
constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kShortestGpuId = 5;  // less is 0, N/A or XX
constexpr std::size_t kShortestSerial = 6;

/// Whether `text` begins with `word`, which is in small letters.
bool same_letters(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(),
                    [](char one, char of_text) { return one == small_letter(of_text); });
}

/// `groups` groups of `digits` hex digits with `mark` between them, and nothing of the kind behind.
bool is_grouped(std::string_view rest, std::size_t groups, std::size_t digits, char mark) {
  const std::size_t length = groups * (digits + 1) - 1;
  if (rest.size() < length) return false;
  for (std::size_t i = 0; i < length; ++i) {
    if (i % (digits + 1) == digits ? rest[i] != mark : !is_hex(rest[i])) return false;
  }
  if (rest.size() == length) return true;
  const char behind = rest[length];
  return !is_word(behind) &&
         !(behind == mark && rest.size() > length + 1 && is_hex(rest[length + 1]));
}

/// The digits of `shape` replaced by those of `digits`, all else as it is.
std::string in_the_shape_of(std::string_view shape, std::string_view digits) {
  std::string out;
  std::size_t next = 0;
  for (const char c : shape) out += is_hex(c) && next < digits.size() ? digits[next++] : c;
  return out;
}

}  // namespace

/// As many hex digits as `id` has.
std::string Redactor::hex_stand_in(std::string_view id) const {
  const std::string small = lower(id);
  std::string out;
  for (unsigned char round = 0; out.size() < id.size(); ++round) {
    const std::string text = small + static_cast<char>(round);
    std::array<unsigned char, crypto_generichash_BYTES_MAX> hash{};
    crypto_generichash(hash.data(), hash.size(),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       key_.data(), key_.size());
    for (const unsigned char byte : hash) {
      constexpr std::string_view kDigit = "0123456789abcdef";
      out += kDigit[byte >> 4U];
      out += kDigit[byte & 15U];
    }
  }
  return out.substr(0, id.size());
}

namespace {
/// Of a kind of thing, the same on every machine (UEFI specification, shim, systemd).
bool is_well_known(std::string_view uuid) {
  static constexpr std::string_view kKnown[] = {
      "8be4df61-93ca-11d2-aa0d-00e098032b8c",   // variables of UEFI: SecureBoot
      "d719b2cb-3d3a-4596-a3bc-dad00e67656f",   // its database of signatures
      "605dab50-e046-4300-abb6-3dd810dd8b23",   // shim's: MokListRT
      "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f",   // the boot loader interface
      "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"};  // an EFI system partition
  const std::string small = lower(uuid);
  return std::find(std::begin(kKnown), std::end(kKnown), small) != std::end(kKnown);
}
}  // namespace

bool Redactor::take_uuid(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::array<std::size_t, 5> kGroups = {8, 4, 4, 4, 12};
  std::size_t at = 0;
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    if (i > 0) {
      if (at >= rest.size() || rest[at] != '-') return false;
      ++at;
    }
    if (run_of(rest.substr(std::min(at, rest.size()), 13), kHex) != kGroups[i]) return false;
    at += kGroups[i];
  }
  if (at < rest.size() && is_word(rest[at])) return false;
  if (is_well_known(rest.substr(0, at))) {
    out += rest.substr(0, at);
    used = at;
    return true;
  }
  std::string digits(rest.substr(0, at));
  std::erase(digits, '-');
  out += in_the_shape_of(rest.substr(0, at), hex_stand_in(digits));
  used = at;
  note("UUIDs");
  return true;
}

namespace {
/// Whether a word begins as one of those do behind which ids stand: every word of a text comes
/// here.
bool may_mark_an_id(std::string_view rest) {
  // The first two letters of each word that the functions below look for.
  static constexpr std::string_view kPairs[] = {
      "en", "wl", "ww", "ma", "hw", "et", "gp", "un", "xg", "hi", "no", "po",
      "sy", "gu", "gi", "ho", "pp", "na", "eu", "ng", "se", "fr", "as", "pr",
      "bo", "ch", "id", "s/", "sn", "ic", "im", "me", "ei", "at", "nv", "sc",
      "us", "mm", "vi", "iq", "uu", "by", "do", "co", "li", "cr", "ku", "ar"};
  using Table = std::array<std::array<bool, 128>, 128>;
  static const Table kTable = [] {
    Table table{};
    for (const std::string_view pair : kPairs)
      table[static_cast<unsigned char>(pair[0])][static_cast<unsigned char>(pair[1])] = true;
    return table;
  }();
  const auto index = [](char c) { return static_cast<unsigned char>(small_letter(c)) & 127U; };
  return rest.size() > 1 && kTable[index(rest[0])][index(rest[1])];
}
}  // namespace

bool Redactor::take_id(std::string_view rest, std::string& out, std::size_t& used) {
  if (is_hex(rest[0]) && (take_uuid(rest, out, used) || take_mac(rest, out, used) ||
                          take_guid(rest, out, used) || take_machine_id(rest, out, used) ||
                          take_ipv4(rest, out, used) || take_ipv6(rest, out, used)))
    return true;
  if (rest.starts_with("0x") && take_hex_ipv4(rest, out, used)) return true;
  if (!may_mark_an_id(rest)) return false;
  return take_bare_mac(rest, out, used) || take_gpu_id(rest, out, used) ||
         take_marked_id(rest, out, used) || take_serial(rest, out, used) ||
         take_disk(rest, out, used) || take_container(rest, out, used) ||
         take_account_number(rest, out, used);
}

/// Of a disk: "nvme-MODEL_SERIAL-part1" of /dev/disk/by-id, "UUID=2A8C-9368" of FAT,
/// "iqn.2004-10.…" of iSCSI.
bool Redactor::take_disk(std::string_view rest, std::string& out, std::size_t& used) {
  const auto is_part = [](char c) { return is_word(c) || c == '-' || c == '.' || c == ':'; };
  for (const std::string_view bus : {"ata-", "nvme-", "scsi-", "usb-", "mmc-", "virtio-"}) {
    if (!rest.starts_with(bus) || rest.starts_with("usb-pci-")) continue;
    const std::string_view name = rest.substr(0, rocvet::run_of(rest.substr(0, 128), is_part));
    std::string_view disk = name;
    for (const std::string_view part : {"-part", "-event", "-video", "-if0", "-0:0"})
      disk = disk.substr(0, std::min(disk.find(part), disk.size()));
    std::string_view serial = disk.substr(disk.rfind('_') + 1);
    if (serial.size() < 3 && serial.size() + 1 < disk.size()) {  // the number of a namespace
      disk.remove_suffix(serial.size() + 1);
      serial = disk.substr(disk.rfind('_') + 1);
    }
    // "usb-storage", "nvme-pci 0000:01:00.0": no model and serial; "01.00.00" is a version.
    if (serial.size() == disk.size() || serial.size() < kShortestSerial ||
        serial.find_first_of(kDigits) == serial.npos || is_version(serial))
      return false;
    out += rest.substr(0, disk.size() - serial.size());
    out += "redacted";
    used = disk.size();
    note("serial numbers");
    return true;
  }
  if (rest.starts_with("iqn.") && rest.size() > 12 &&
      rest.substr(4, 4).find_first_not_of(kDigits) == rest.npos) {
    out += "iqn.redacted";
    used = rocvet::run_of(rest.substr(0, 224), is_part);
    while (used > 4 && (rest[used - 1] == ':' || rest[used - 1] == '.')) --used;
    note("serial numbers");
    return true;
  }
  for (const std::string_view mark : {"uuid=", "by-uuid/"}) {
    if (!same_letters(rest, mark)) continue;
    const std::size_t start =
        mark.size() + (rest.substr(mark.size()).starts_with('"') ? std::size_t{1} : 0);
    if (!is_grouped(rest.substr(std::min(start, rest.size())), 2, 4, '-')) return false;
    const std::string_view id = rest.substr(start, 9);
    out += rest.substr(0, start);
    out += in_the_shape_of(id, hex_stand_in(id));
    used = start + id.size();
    note("UUIDs");
    return true;
  }
  return false;
}

/// "docker/4604936d…", "cri-containerd-4604936d….scope", "container 4604936d… died": 64 hex digits
/// behind one that runs containers. Digests of images and files stand behind "sha256:".
bool Redactor::take_container(std::string_view rest, std::string& out, std::size_t& used) {
  constexpr std::size_t kDigitsOfId = 64;
  for (const std::string_view word :
       {"docker", "containerd", "container", "libpod", "crio", "kubepods", "pod"}) {
    if (!same_letters(rest, word)) continue;
    const std::size_t start = word.size() + run_of(rest.substr(word.size(), 4), "-/ :\"=");
    if (start == word.size()) continue;
    const std::string_view id = rest.substr(std::min(start, rest.size()), kDigitsOfId + 1);
    if (run_of(id, kHex) != kDigitsOfId) continue;
    out += rest.substr(0, start);
    out += hex_stand_in(id.substr(0, kDigitsOfId));
    used = start + kDigitsOfId;
    note("UUIDs");
    return true;
  }
  return false;
}

/// 52:54:00:12:34:56, 3C-52-…, b859.9f12.3456, as BOOTIF has it (01-52-54-…), and longer ones.
bool Redactor::take_mac(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t length = 0;
  if (is_grouped(rest, 6, 2, ':') || is_grouped(rest, 6, 2, '-')) length = 17;
  if (is_grouped(rest, 7, 2, '-')) length = 20;
  if (is_grouped(rest, 3, 4, '.') && rest.substr(0, 14).find_first_of("abcdefABCDEF") != rest.npos)
    length = 14;
  // The header of a frame, as firewalls log it (14), and an InfiniBand card's own (20).
  for (const std::size_t octets : {std::size_t{14}, std::size_t{20}}) {
    if (is_grouped(rest, octets, 2, ':')) length = octets * 3 - 1;
  }
  if (length == 0 || rest.substr(0, length).find_first_not_of("0:-.") == rest.npos) return false;
  if (lower(rest.substr(0, length)).find_first_not_of("f:-.") == std::string::npos) return false;
  // Locally administered: nobody's.
  out += in_the_shape_of(rest.substr(0, length), "02" + hex_stand_in(rest.substr(0, length)));
  used = length;
  note("MAC addresses");
  return true;
}

/// The names that systemd gives to network cards, enx525400123456; "mac": "525400123456".
bool Redactor::take_bare_mac(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t start = 0;
  for (const std::string_view card : {"enx", "wlx", "wwx"}) {
    if (rest.starts_with(card)) start = card.size();
  }
  for (const std::string_view name : {"mac", "macaddress", "mac_address", "hwaddr", "ethernetid"}) {
    if (start > 0 || !same_letters(rest, name)) continue;
    const std::size_t marks = run_of(rest.substr(name.size(), 8), "\": =");
    if (marks > 0) start = name.size() + marks;
  }
  if (start == 0) return false;
  if (run_of(rest.substr(std::min(start, rest.size()), 13), kHex) != 12) return false;
  out += rest.substr(0, start);
  out += "02" + hex_stand_in(rest.substr(start, 12)).substr(2);
  used = start + 12;
  note("MAC addresses");
  return true;
}

/// InfiniBand's b8ce:f603:00a1:b2c4. Four numbers of a PCI device look the same.
bool Redactor::take_guid(std::string_view rest, std::string& out, std::size_t& used) {
  if (!is_grouped(rest, 4, 4, ':')) return false;
  for (const std::string_view vendor : {"1002", "1022", "10de", "10DE", "8086", "15b3", "15B3"}) {
    if (rest.starts_with(vendor)) return false;
  }
  if (rest.starts_with("0000:0000:0000:0000")) return false;
  out += in_the_shape_of(rest.substr(0, 19), hex_stand_in(rest.substr(0, 19)));
  used = 19;
  note("InfiniBand GUIDs");
  return true;
}

/// machine-id, boot id, invocation id: a UUID without its dashes.
bool Redactor::take_machine_id(std::string_view rest, std::string& out, std::size_t& used) {
  const std::string_view id = rest.substr(0, 32);
  if (id.size() < 32 || run_of(rest.substr(0, 33), kHex) != 32) return false;
  if (rest.size() > 32 && is_word(rest[32])) return false;
  if (id.find_first_of(kDigits) == id.npos || id.find_first_not_of(kDigits) == id.npos)
    return false;
  out += hex_stand_in(id);
  used = 32;
  note("UUIDs");
  return true;
}

bool Redactor::take_gpu_id(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t prefix = 0;
  for (const std::string_view word :
       {"gpu-", "unique_id", "unique id", "xgmi_hive_id", "xgmi hive id", "hive_id", "hive id"}) {
    if (same_letters(rest, word)) {
      prefix = word.size();
      break;
    }
  }
  if (prefix == 0) return false;
  const bool of_runtime = rest[prefix - 1] == '-';
  std::size_t start = prefix;
  if (!of_runtime) start += run_of(rest.substr(prefix, 32), " \t\":='");
  if (!of_runtime && start == prefix) return false;
  const bool hex = same_letters(rest.substr(std::min(start, rest.size())), "0x");
  if (hex) start += 2;
  const std::string_view id =
      rest.substr(start, run_of(rest.substr(std::min(start, rest.size())), kHex));
  if (id.size() < kShortestGpuId) return false;
  out += rest.substr(0, start);
  out += of_runtime || hex ? hex_stand_in(id) : decimal_stand_in(id);
  used = start + id.size();
  note("GPU ids");
  return true;
}

/// KFD shows in decimal what the device folder shows in hex; an `id` with letters is hex here too.
std::string Redactor::decimal_stand_in(std::string_view id) const {
  const auto number = parse_number(id);
  if (!number || id.find_first_not_of(kDigits) != id.npos) return hex_stand_in(id);
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", *number);
  return std::to_string(parse_number(hex_stand_in(hex), 16).value_or(1));
}

std::string Redactor::gpu_id(std::string_view id) {
  const bool marked = id.starts_with("0x") || id.starts_with("0X");
  const std::string_view digits = marked ? id.substr(2) : id;
  if (digits.empty() || run_of(digits, kHex) != digits.size()) return text(id);
  if (digits.size() < kShortestGpuId) return std::string(id);
  note("GPU ids");
  return marked ? std::string(id.substr(0, 2)) + hex_stand_in(digits) : decimal_stand_in(digits);
}

/// "node_guid 0x…", "WWN 0x5000c500…", "eui.0025…".
bool Redactor::take_marked_id(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t at = 0;
  for (const std::string_view word :
       {"node_guid", "port_guid", "sys_image_guid", "node guid", "port guid", "system image guid",
        "guid", "gid", "hostid", "ppin", "wwnn", "wwpn", "wwid", "wwn", "nguid", "naa.", "eui.",
        "eui64"}) {
    if (same_letters(rest, word)) {
      at = word.size();
      break;
    }
  }
  if (at == 0) return false;
  std::size_t start = at + run_of(rest.substr(at, 16), " \t\":=-");
  if (start == at && !rest.substr(0, at).ends_with(".")) return false;
  for (const std::string_view prefix : {"0x", "naa.", "eui."}) {
    if (rest.substr(start).starts_with(prefix)) start += prefix.size();
  }
  const std::size_t length = run_of(rest.substr(std::min(start, rest.size()), 65), kHex);
  if (length < 12 || length > 64) return false;
  out += rest.substr(0, start);
  out += hex_stand_in(rest.substr(start, length));
  used = start + length;
  note("InfiniBand GUIDs");
  return true;
}

bool Redactor::take_serial(std::string_view rest, std::string& out, std::size_t& used) {
  std::size_t at = 0;
  for (const std::string_view word : {"serial number",
                                      "serialnumber",
                                      "serial_number",
                                      "serial no",
                                      "serialno",
                                      "ser. no.",
                                      "ser.no.",
                                      "fru_id",
                                      "asic_serial",
                                      "product_serial",
                                      "board_serial",
                                      "chassis_serial",
                                      "id_serial_short",
                                      "id_serial",
                                      "id_wwn",
                                      "serial is",
                                      "serial",
                                      "asset tag",
                                      "asset_tag",
                                      "service tag",
                                      "s/n",
                                      "sn",
                                      "iccid",
                                      "imei",
                                      "imsi",
                                      "meid",
                                      "eid"}) {
    if (same_letters(rest, word) && (word.size() >= rest.size() || !is_word(rest[word.size()]))) {
      at = word.size();
      break;
    }
  }
  if (at == 0) return false;
  const std::size_t mark = at + run_of(rest.substr(at, 16), "\" \t");
  if (mark >= rest.size()) return false;
  const bool marked = rest[mark] == ':' || rest[mark] == '=';
  if (!marked && mark == at) return false;
  const std::size_t start = marked ? mark + 1 + run_of(rest.substr(mark + 1, 64), " \t\"") : mark;
  const std::string_view behind = rest.substr(std::min(start, rest.size()), 128);
  const std::string_view ends = marked ? " \t\n\",;)]}<" : " \t\n\",;)]}<:/.";
  const std::string_view value =
      behind.substr(0, std::min(behind.find_first_of(ends), behind.size()));
  // "serial=ttyS0" and "serial: 8250" name a port, "0" and "N/A" nothing.
  if (value.size() < 5 || value.starts_with("tty") || value.starts_with("8250") ||
      value.starts_with("0000:") || value == "redacted" ||
      value.find_first_of(kDigits) == std::string_view::npos)
    return false;
  // Without a mark only what is written as serial numbers are.
  if (!marked && (value.size() < 8 || value.starts_with("0x") ||
                  value.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != value.npos))
    return false;
  out += rest.substr(0, start);
  out += "redacted";
  used = start + value.size();
  note("serial numbers");
  return true;
}

/// arn:aws:iam::123456789012:role/x, projects/NAME/zones/z: whose part of a cloud it is.
bool Redactor::take_account_number(std::string_view rest, std::string& out, std::size_t& used) {
  if (rest.starts_with("arn:")) {
    std::size_t at = 0;
    for (int colons = 0; colons < 4; ++colons) {
      const std::size_t next = rest.substr(0, 96).find(':', at);
      if (next == rest.npos) return false;
      at = next + 1;
    }
    const std::size_t digits = run_of(rest.substr(at, 16), kDigits);
    if (digits < 6) return false;
    out += rest.substr(0, at);
    out += "redacted";
    used = at + digits;
  } else if (rest.starts_with("projects/")) {
    const std::size_t end = rest.substr(0, 96).find('/', 9);
    if (end == rest.npos) return false;
    const std::string_view behind = rest.substr(end, 24);
    if (!behind.starts_with("/zones") && !behind.starts_with("/locations") &&
        !behind.starts_with("/regions") && !behind.starts_with("/global") &&
        !behind.starts_with("/instances") && !behind.starts_with("/serviceAccounts"))
      return false;
    out += "projects/redacted";
    used = end;
  } else {
    return false;
  }
  note("accounts");
  return true;
}

/// +49 170 1234567: with its country, and nine digits or more.
bool Redactor::take_phone(std::string_view rest, std::string& out, std::size_t& used) {
  if (rest.size() < 12 || !is_digit(rest[1]) || (!out.empty() && is_word(out.back()))) return false;
  std::size_t digits = 0, separators = 0, at = 1;
  for (; at < rest.size() && at < 24; ++at) {
    const bool separator = rest[at] == ' ' || rest[at] == '-' || rest[at] == '(' || rest[at] == ')';
    if (!separator && !is_digit(rest[at])) break;
    digits += !separator;
    separators += separator;
  }
  while (!is_digit(rest[at - 1])) --at;
  if (digits < 9 || digits > 15 || separators == 0) return false;
  if (at < rest.size() && is_word(rest[at])) return false;
  out += "redacted";
  used = at;
  note("phone numbers");
  return true;
}

bool Redactor::take_mail(std::string_view rest, std::string& out, std::size_t& used) {
  const auto fits = [](char c, std::string_view also) {
    return (is_word(c) && c != '_') || also.find(c) != std::string_view::npos;
  };
  std::size_t at = 0;
  while (at < rest.size() && at < 65 && fits(rest[at], "._%+-")) ++at;
  if (at == 0 || at >= rest.size() || rest[at] != '@') return false;
  const std::size_t domain = at + 1;
  std::size_t end = domain;
  while (end < rest.size() && end - domain < 128 && fits(rest[end], ".-")) ++end;
  while (end > domain && (rest[end - 1] == '.' || rest[end - 1] == '-')) --end;
  const std::string_view host = rest.substr(domain, end - domain);
  const std::size_t dot = host.rfind('.');
  if (dot == host.npos || dot == 0) return false;
  const std::string_view last = host.substr(dot + 1);
  const bool letters = std::none_of(last.begin(), last.end(), [](char c) { return is_digit(c); });
  // Versions (pkg@1.2), units (user@1000.service), and where Git fetches from.
  for (const std::string_view unit : {"service", "socket", "slice", "mount", "timer", "target",
                                      "device", "scope", "git", "json", "js", "so", "py"}) {
    if (last == unit) return false;
  }
  if (last.size() < 2 || !letters || is_digit(host[0])) return false;
  if (rest.substr(0, at) == "git") return false;
  if (host == "example.org") return false;
  if (rest.starts_with("Microsoft@Microsoft.com")) return false;  // who built the kernel of WSL 1
  out += "someone@example.org";
  used = end;
  note("mail addresses");
  return true;
}

}  // namespace rocvet
