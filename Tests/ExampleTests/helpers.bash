# What the bats files share: a daemon on a private socket, and pictures with hostile names.
# shellcheck shell=bash

repository=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
export repository

# Names that a shell, JSON, a line or UTF-8 could stumble over, and the colour of each.
# shellcheck disable=SC2016 # The names are as they are.
hostile_names=(
    'plain.png'
    'two words.png'
    '-n.png'
    '--help'
    "'single' \"double\" \`back\`.png"
    $'line\nbreak.png'
    $'trailing newline.png\n'
    $'tab\there.png'
    'back\slash.png'
    '$(dollar) $HOME ; & | * ? [a-z].png'
    $'\e[31mred\e[0m.png'
    $'invalid \xff\xfe utf-8.png'
)
colors=(2a6a52 3a6a52 4a6a52 5a6a52 6a6a52 7a6a52 8a6a52 9a6a52 aa6a52 ba6a52 ca6a52 da6a52)

# Makes a flat picture: picture COLOR FILE
picture() {
    "${PYTHON:-/usr/bin/python3}" -c '
import os, sys, PIL.Image
color = tuple(bytes.fromhex(sys.argv[1]))
image = PIL.Image.new("RGBA" if len(color) == 4 else "RGB", (8, 6), color)
image.save(open(os.fsencode(sys.argv[2]), "wb"), "png")
' "$1" "$2"
}

# Starts a daemon, and makes the folder of pictures.
start_daemon() {
    export PATH="${UNDERTONE_BIN:-$repository/.build/debug}:$PATH" LC_ALL=C.UTF-8
    # A socket's path has room for 107 bytes.
    home=$(mktemp -d /tmp/ut-XXXXXX)
    export home UNDERTONE_SOCKET=$home/socket XDG_CACHE_HOME=$home/cache
    unset NO_COLOR COLORTERM
    undertoned >"$home/log" 2>&1 3>&- &
    daemon=$!
    export daemon
    for _ in {1..1200}; do
        [ -S "$UNDERTONE_SOCKET" ] && socat -u OPEN:/dev/null "UNIX-CONNECT:$UNDERTONE_SOCKET" && break
        sleep 0.05
    done

    export folder=$home/pictures
    mkdir "$folder"
    local index
    for index in "${!hostile_names[@]}"; do
        picture "${colors[index]}" "$folder/${hostile_names[index]}"
    done
}

stop_daemon() {
    kill "$daemon"
    wait "$daemon"
    cat "$home/log"
    rm -rf "$home"
}
