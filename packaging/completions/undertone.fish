# Completion of undertone(1) for fish.

set -l commands color palette indicator theme transition watch status cache doctor send socket
set -l pictures color palette indicator theme transition watch

function __undertone_operation -d 'What is watched; color where nothing is named'
    set -l words (commandline -opc)
    set -l place (contains -i -- --op $words)
    and set -l named $words[(math $place + 1)]
    set -l named $named (string replace -rf -- '^--op=' '' $words)
    contains -- "$named[1]" color palette indicator theme
    and echo $named[1]
    or echo color
end

function __undertone_takes -d 'Whether the command, or what it watches, is one of these'
    __undertone_is $argv
    or begin
        __undertone_is watch
        and contains -- (__undertone_operation) $argv
    end
end

function __undertone_is -d 'Whether the command is one of these; color where none is named'
    set -l words (commandline -opc)[2..] 
    set -l words (string match -v -- '-*' $words)
    set -l command color
    contains -- "$words[1]" color palette indicator theme transition watch status cache doctor send socket
    and set command $words[1]
    contains -- $command $argv
end

for entry in 'color:colours of pictures' 'palette:the colours that pictures are made of' \
        'indicator:the strip under a picture' 'theme:terminal colours and roles' \
        'transition:frames between two backgrounds' 'watch:the answer again at each change' \
        'status:state of the daemon' 'cache:what the daemon keeps' 'doctor:what is wrong' \
        'send:replies to JSON lines' 'socket:path of the socket'
    set -l parts (string split : $entry)
    complete -c undertone -n "not __fish_seen_subcommand_from $commands" -a $parts[1] -d $parts[2]
end
complete -c undertone -n '__undertone_is status cache doctor send socket' -f
complete -c undertone -n '__undertone_is cache' -a clear -d 'Forget everything'

complete -c undertone -l socket -r -d "The daemon's socket"
complete -c undertone -n "__undertone_is $pictures status cache doctor send" -l no-start -d 'Do not start a daemon'
complete -c undertone -n "__undertone_is $pictures status cache doctor send" -s v -l verbose -d 'Tell what is done'
complete -c undertone -s h -l help -d 'Print help'
complete -c undertone -l version -d 'Print the version'
complete -c undertone -n "__undertone_is $pictures" -l sampling -x -a 'auto exact thumbnail' -d 'Which pixels to take'
complete -c undertone -n "__undertone_is $pictures" -l card -r -d 'Draw a swatch card into this file too'
complete -c undertone -n "__undertone_is $pictures status cache doctor" -s j -l json -d 'Print JSON on a terminal too'
complete -c undertone -n "__undertone_is $pictures" -l color -x -a 'auto always never' -d 'Swatches'
complete -c undertone -n '__undertone_takes color indicator transition' -s a -l average -x -a 'simple squareRoot linear oklab' -d 'The average to put text on'
complete -c undertone -n '__undertone_takes color palette transition' -s c -l contrast -x -d 'The contrast ratio for text to reach'
complete -c undertone -n '__undertone_takes color' -s r -l region -x -d 'Tell of a part too: NAME=AREA'
complete -c undertone -n '__undertone_takes color indicator' -l backdrop -x -d 'What transparent parts lie on'
complete -c undertone -n '__undertone_is color palette indicator theme' -s 0 -l null -d 'Names on standard input end in NUL'
complete -c undertone -n '__undertone_takes palette' -s n -l count -x -d 'At most so many colours'
complete -c undertone -n '__undertone_takes indicator' -l area -x -d 'The part to be covered'
complete -c undertone -n '__undertone_takes indicator theme' -l scheme -x -a 'auto dark light' -d 'The scheme'
complete -c undertone -n '__undertone_takes indicator' -l over -x -a 'background image' -d 'What to be legible over'
complete -c undertone -n '__undertone_takes indicator' -l glyph -r -d 'Tell how to draw this picture'
complete -c undertone -n '__undertone_takes theme' -l format -x -a 'undertone pywal' -d 'The shape'
complete -c undertone -n '__undertone_is transition' -l frames -x -d 'So many frames'
complete -c undertone -n '__undertone_is transition' -l space -x -a 'oklab srgb' -d 'The way to go'
complete -c undertone -n '__undertone_is watch' -l op -x -a 'color palette indicator theme' -d 'What to watch'
