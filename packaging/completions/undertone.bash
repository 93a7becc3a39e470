# Completion of undertone(1) for bash.
# shellcheck shell=bash disable=SC2207 # Words hold no blanks.

_undertone_options() { # COMMAND OPERATION
    case $1 in
    color) echo --average --contrast --region --sampling --backdrop --null --card --json --color ;;
    palette) echo --contrast --count --sampling --null --card --json --color ;;
    indicator)
        echo --average --area --scheme --over --glyph --sampling --backdrop --null --card --json \
            --color
        ;;
    theme) echo --scheme --format --sampling --null --card --json --color ;;
    transition)
        echo --average --contrast --frames --space --sampling --card --json --color
        ;;
    watch)
        # Those of the operation, but for the names on standard input.
        local options
        options=$(_undertone_options "$2")
        echo --op "${options/ --null/}"
        return
        ;;
    status | cache | doctor) echo --json ;;
    esac
    case $1 in
    socket) echo --socket --help --version ;;
    *) echo --socket --no-start --verbose --help --version ;;
    esac
}

_undertone() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="color palette indicator theme transition watch status cache doctor send"
    commands+=" socket"
    local command=color operation=color first index
    COMPREPLY=()
    # The command is the first word that is no option.
    for ((index = 1; index < COMP_CWORD; index++)); do
        first=${COMP_WORDS[index]}
        [[ $first == -* || $first == = || ${COMP_WORDS[index - 1]} == = ]] && continue
        [[ " $commands " == *" $first "* ]] && command=$first
        break
    done

    for ((index = 1; index < COMP_CWORD - 1; index++)); do
        [[ ${COMP_WORDS[index]} == --op ]] || continue
        first=${COMP_WORDS[index + 1]}
        if [[ $first == = ]]; then first=${COMP_WORDS[index + 2]}; fi
        [[ " color palette indicator theme " == *" $first "* ]] && operation=$first
    done

    # --option=value is three words where = breaks words.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local values=
    case $before in
    --average | -a) values="simple squareRoot linear oklab" ;;
    --sampling) values="auto exact thumbnail" ;;
    --scheme) values="auto dark light" ;;
    --over) values="background image" ;;
    --space) values="oklab srgb" ;;
    --format) values="undertone pywal" ;;
    --op) values="color palette indicator theme" ;;
    --color) values="auto always never" ;;
    --contrast | -c | --count | -n | --frames | --region | -r | --area | --backdrop) return ;;
    esac
    if [[ $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_undertone_options "$command" "$operation")" -- "$word"))
    else
        case $command in
        status | doctor | send | socket) return ;;
        cache)
            COMPREPLY=($(compgen -W clear -- "$word"))
            return
            ;;
        esac
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        if ((COMP_CWORD == 1)); then COMPREPLY+=($(compgen -W "$commands" -- "$word")); fi
    fi
}

complete -F _undertone undertone
