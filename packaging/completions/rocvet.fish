# fish completion of rocvet. Verbs and options come from its own --help, so that this never lags behind.
function __rocvet_verbs
    rocvet --help 2>/dev/null | string match -rg '^  ([a-z]+ +.*)$' | string replace -r ' +' \t
end
function __rocvet_options
    set -l words (commandline -opc)
    set -l verb check
    if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
        set verb $words[2]
    end
    rocvet $verb --help 2>/dev/null | string match -rg -- '(--[a-z][a-z-]*)(?: [A-Z]+)? +(.*)' | string join \n |
        while read -l option; read -l text
            printf '%s\t%s\n' $option $text
        end
end
function __rocvet_ids
    rocvet list checks 2>/dev/null | string replace -r '^(\S+)\s+(\S+)\s+(.*)' '$1\t$2\n$2\t$3'
    rocvet list tests 2>/dev/null | string replace -r '\s+' \t
    rocvet list causes 2>/dev/null | string replace -r '\s+' \t
end
complete -c rocvet -n __fish_use_subcommand -f -a '(__rocvet_verbs)'
complete -c rocvet -n 'string match -q -- "-*" (commandline -ct)' -a '(__rocvet_options)'
complete -c rocvet -n '__fish_seen_subcommand_from explain' -f -a '(__rocvet_ids)'
complete -c rocvet -n '__fish_seen_subcommand_from test' -f -a '(rocvet list tests | string replace -r "\s+" \t)'
complete -c rocvet -n '__fish_seen_subcommand_from list' -f -a 'checks tests gpus causes'
