# bash completion for locksim. Use: source tools/completions/locksim.bash
# A test compares the verbs and options here with those of `locksim --help`.

_locksim_options() {
    case $1 in
        run) echo "--help --set --seed --seeds --phases --phase --variant --duration --format --output --locks --judge-all --lesson --reveal --stability --timeline --events --trace --window --verbose --quiet --log-level" ;;
        compare) echo "--help --lock --vary --variant --set --seeds --seed --phase --duration --format --output --locks --verbose --quiet --log-level" ;;
        validate) echo "--help --quick --write --set --jobs --format --output --verbose --quiet --log-level" ;;
        verify) echo "--help --set --seed --seeds --phases --phase --variant --duration --format --output --locks --verbose --quiet --log-level" ;;
        diff) echo "--help --format --output --verbose --quiet --log-level" ;;
        list) echo "--help --format --output --locks --verbose --quiet --log-level" ;;
        describe) echo "--help --format --output --locks --verbose --quiet --log-level" ;;
        help) echo "--help --output --verbose --quiet --log-level" ;;
        print-config) echo "--help --set --seed --variant --duration --output --locks --verbose --quiet --log-level" ;;
        *) echo "--help --version --verbose --quiet --log-level" ;;
    esac
}

_locksim_verbs="run compare validate verify diff list describe help print-config"

# The first word after the command that is no option and no option's value.
_locksim_verb() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --log-level) ((i++)) ;;
            -*) ;;
            *) echo "${COMP_WORDS[i]}"; return ;;
        esac
    done
}

_locksim_names() {
    local what
    for what in "$@"; do "${COMP_WORDS[0]}" list "$what" 2>/dev/null | grep -v '^ ' | cut -d ' ' -f 1; done
}

_locksim() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb words=""
    verb=$(_locksim_verb)
    case $previous in
        --format) words="table json"; [[ $verb == run || $verb == compare || $verb == validate ]] && words+=" csv" ;;
        --log-level) words="debug info warning error off" ;;
        --output | --events | --trace) compopt -o default; COMPREPLY=(); return ;;
        --locks) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
        --lock) words=$(_locksim_names locks) ;;
        --set | --vary | --seed | --seeds | --phases | --phase | --variant | --duration | --window | -j | --jobs) COMPREPLY=(); return ;;
        *)
            if [[ $current == -* ]]; then
                words=$(_locksim_options "$verb")
            else
                case $verb in
                    "") words=$_locksim_verbs ;;
                    list) words="locks workloads machines scenarios lessons" ;;
                    describe) words=$(_locksim_names locks workloads machines) ;;
                    help) words="$_locksim_verbs scenario steps machine expect measures verdicts units" ;;
                    *) compopt -o default; COMPREPLY=(); return ;;
                esac
            fi
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _locksim locksim
