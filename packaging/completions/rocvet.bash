# bash completion of rocvet. Verbs and options come from its own --help, so that this never lags behind.
_rocvet() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} verb=check words=
  local verbs
  verbs=$("$program" --help 2>/dev/null | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
  [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]] && verb=${COMP_WORDS[1]}
  case $previous in
    --snapshot | --db | --log | --python | --report | --key | --sign | --archive) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --format) words="text json html markdown junit sarif" ;;
    --size) words="tiny quick full" ;;
    --device) words="host hip:0 cuda:0" ;;
    --only | --skip) words=$("$program" list checks 2>/dev/null | awk '{print $1, $2}') ;;
    *)
      if [[ $word == -* ]]; then
        words=$("$program" "$verb" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
      elif [[ $COMP_CWORD == 1 ]]; then
        words=$verbs
      elif [[ $verb == explain ]]; then
        words=$({ "$program" list checks; } 2>/dev/null | awk '{print $1, $2}'
                { "$program" list tests; "$program" list causes; } 2>/dev/null | awk '{print $1}')
      elif [[ $verb == test ]]; then
        words=$("$program" list tests 2>/dev/null | awk '{print $1}')
      elif [[ $verb == db && $COMP_CWORD == 2 ]]; then
        words="check export key install remove show"
      elif [[ $verb == list ]]; then
        words="checks tests gpus causes releases oses frameworks"
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _rocvet rocvet
