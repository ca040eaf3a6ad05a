package main

// The completions. Names of profiles and tools are asked for when they are
// wanted, so that one's own are among them.

const bashCompletion = `# Completions of bwrapgen for bash.

_bwrapgen() {
  local word=$2 before=$3 command='' words='' takes='' names name rest i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
{{- range . }}{{ if .Name }}
      {{ quote (print (parent .Name) " " (last .Name)) }}) command='{{ .Name }}' ;;
{{- end }}{{ end }}
    esac
  done
  case $command in
{{- range . }}
    {{ quote .Name }})
      words={{ quote (join .Words " ") }}
      takes='{{ .Takes }}'
      [[ $word != -* ]] || words={{ quote (options .) }} takes=''
      case $before in
{{- range .Flags }}{{ if .Value }}
        {{ .Long }}{{ if .Short }} | {{ .Short }}{{ end }}) words={{ quote (join .Values " ") }} takes={{ if .Values }}''{{ else }}'file'{{ end }} ;;
{{- end }}{{ end }}
        *) ;;
      esac
      ;;
{{- end }}
  esac
  names=$(case $takes in profile) bwrapgen profiles list ;; tool) bwrapgen catalogue list ;; esac 2>/dev/null)
  while read -r name rest; do
    words+=" $name"
  done <<<"$names"
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$word"
    [[ $takes != file && $takes != profile ]] || compgen -f -- "$word"
  )
  [[ $takes != file && $takes != profile ]] || compopt -o filenames -o bashdefault 2>/dev/null
}

complete -F _bwrapgen bwrapgen

# LAUNCHERS
`

const zshCompletion = `#compdef bwrapgen
# Completions of bwrapgen for zsh.

_bwrapgen() {
  local command='' takes='' i
  local -a found names
  for ((i = 2; i < CURRENT; i++)); do
    case "$command ${words[i]}" in
{{- range . }}{{ if .Name }}
      {{ quote (print (parent .Name) " " (last .Name)) }}) command={{ quote .Name }} ;;
{{- end }}{{ end }}
    esac
  done
  case $command in
{{- range . }}
    {{ quote .Name }})
      found=({{ range .Words }} {{ quote . }}{{ end }})
      takes='{{ .Takes }}'
      if [[ ${words[CURRENT]} == -* ]]; then
        takes=''
        found=({{ range .Flags }} {{ quote .Long }}{{ if .Short }} {{ quote .Short }}{{ end }}{{ end }})
      fi
      case ${words[CURRENT - 1]} in
{{- range .Flags }}{{ if .Value }}
        {{ .Long }}{{ if .Short }} | {{ .Short }}{{ end }}) found=({{ range .Values }} {{ quote . }}{{ end }}) takes={{ if .Values }}''{{ else }}'file'{{ end }} ;;
{{- end }}{{ end }}
      esac
      ;;
{{- end }}
  esac
  case $takes in
    profile) names=("${(@f)$(bwrapgen profiles list 2>/dev/null)}") ;;
    tool) names=("${(@f)$(bwrapgen catalogue list 2>/dev/null)}") ;;
  esac
  found+=("${names[@]%% *}")
  compadd -- "${found[@]:#}"
  [[ $takes != file && $takes != profile ]] || _files
}

# LAUNCHERS

if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
  _bwrapgen "$@"
else
  compdef _bwrapgen bwrapgen
  compdef _bwrapgen_any -default-
fi
`

const fishCompletion = `# Completions of bwrapgen for fish.

function __bwrapgen_at
    set -l words (commandline -opc)
    set -l command
    for word in $words[2..-1]
        switch "$command $word"
{{- range . }}{{ if .Name }}
            case {{ quote (print (parent .Name) " " (last .Name)) }}
                set command {{ quote .Name }}
{{- end }}{{ end }}
        end
    end
    test "$command" = "$argv"
end

function __bwrapgen_names
    bwrapgen $argv list 2>/dev/null | string replace -r ' +' '\t'
end

complete -c bwrapgen -f
{{- range $v := . }}
{{- range .Words }}
complete -c bwrapgen -n {{ quote (print "__bwrapgen_at " $v.Name) }} -a {{ quote . }}
{{- end }}
{{- if eq .Takes "profile" }}
complete -c bwrapgen -n {{ quote (print "__bwrapgen_at " .Name) }} -F -a '(__bwrapgen_names profiles)'
{{- else if eq .Takes "tool" }}
complete -c bwrapgen -n {{ quote (print "__bwrapgen_at " .Name) }} -a '(__bwrapgen_names catalogue)'
{{- else if eq .Takes "file" }}
complete -c bwrapgen -n {{ quote (print "__bwrapgen_at " .Name) }} -F
{{- end }}
{{- range .Flags }}
complete -c bwrapgen -n {{ quote (print "__bwrapgen_at " $v.Name) }} -l {{ slice .Long 2 }}{{ if .Short }} -s {{ slice .Short 1 }}{{ end }}{{ if .Values }} -x -a {{ quote (join .Values " ") }}{{ else if .Value }} -r -F{{ end }} -d {{ quote .Help }}
{{- end }}
{{- end }}

# LAUNCHERS
`
