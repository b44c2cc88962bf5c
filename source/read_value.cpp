#include "source/read_value.h"

#include "base/text.h"

namespace rocvet {

Result<std::string> read_value(Source& source, std::string_view path) {
  return source.read(path).transform(
      [](const std::string& text) { return std::string(trim(text)); });
}

Result<std::uint64_t> read_unsigned(Source& source, std::string_view path) {
  const Result<std::string> text = read_value(source, path);
  if (!text) return text.error();
  const auto number = parse_number(*text);
  if (!number)
    return malformed(std::string(path), "no whole number: '" + text->substr(0, 40) + "'");
  return static_cast<std::uint64_t>(*number);
}

std::vector<std::string> matching_paths(Source& source, std::string_view folder,
                                        std::string_view pattern) {
  std::vector<std::string> paths;
  const Result<std::vector<std::string>> names = source.list(folder);
  if (!names) return paths;
  for (const std::string& name : *names) {
    if (glob_match(pattern, name)) paths.push_back(std::string(folder) + "/" + name);
  }
  return paths;
}

Result<std::string> chosen_word(std::string_view text, std::string_view where) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open == std::string_view::npos ? 0 : open);
  if (open != std::string_view::npos && close != std::string_view::npos) {
    return std::string(text.substr(open + 1, close - open - 1));
  }
  const std::vector<std::string_view> all = words(trim(text));
  if (all.size() == 1) return std::string(all.front());
  return malformed(std::string(where), "no choice is marked");
}

std::vector<std::string> list_of(Source& source, const std::string& folder) {
  return source.list(folder).value_or(std::vector<std::string>{});
}

std::string value_of(const std::map<std::string, std::string>& environment,
                     const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

}  // namespace rocvet
