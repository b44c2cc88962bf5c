# rocvet_embed(TARGET SYMBOL FILE): puts a file's bytes into TARGET as
#   extern "C" const unsigned char SYMBOL[], SYMBOL_end[];
# FILE may be made at build time. The assembler copies it, so size costs no compile time.
function(rocvet_embed target symbol file)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
    .section .rodata
    .balign 64
    .global @symbol@
    .global @symbol@_end
    .hidden @symbol@
    .hidden @symbol@_end
@symbol@:
    .incbin "@file@"
@symbol@_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
]])
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${source}")
endfunction()
