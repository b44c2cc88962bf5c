#include "formats/localised.h"

#include <doctest/doctest.h>

using rocvet::in_english;

TEST_CASE("the loader's words in other languages are read as the English ones") {
  CHECK(in_english("libomp.so: Kann die Shared-Object-Datei nicht öffnen: Datei oder Verzeichnis "
                   "nicht gefunden") ==
        "libomp.so: cannot open shared object file: No such file or directory");
  CHECK(in_english("./a: error al cargar las bibliotecas compartidas: libamdhip64.so.6: no se "
                   "puede abrir el fichero del objeto compartido: No existe el fichero o el "
                   "directorio\n") ==
        "./a: error while loading shared libraries: libamdhip64.so.6: cannot open shared object "
        "file: No such file or directory\n");
  CHECK(in_english("OSError: libamdhip64.so.6: 无法打开共享对象文件: 没有那个文件或目录") ==
        "OSError: libamdhip64.so.6: cannot open shared object file: No such file or directory");
}

TEST_CASE("a log that says nothing of that kind stays byte for byte") {
  for (const char* log : {"", "\n", "\n\n", "a", "a\n", "größer als erwartet\nüber\xff\xfe\n\nende",
                          "cannot open shared object file", "\r\nZeile\r\n"}) {
    CHECK(in_english(log) == log);
  }
  CHECK(in_english(std::string("a\0b\n", 4)) == std::string("a\0b\n", 4));
}

TEST_CASE("a message is whole words, and a line that no message is as long as is left alone") {
  CHECK(in_english("open: for kort fil") == "open: file too short");
  CHECK(in_english("open: for kort filnavn") == "open: for kort filnavn");
  std::string flood;
  while (flood.size() < (4u << 20)) flood += "段错误";
  CHECK(in_english(flood) == flood);
}

TEST_CASE("every line of a log is looked at, and each message in it") {
  const std::string line = "open: Keine Berechtigung, read: Eingabe-/Ausgabefehler";
  CHECK(in_english(line + "\nfine\n" + line) ==
        "open: Permission denied, read: Input/output error\nfine\n"
        "open: Permission denied, read: Input/output error");
}
