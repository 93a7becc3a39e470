-- mpv in the colours of the picture shown: what surrounds it, and the text on the screen.
--
-- For still pictures and cover art. `script-binding undertone/frame` in input.conf takes them from
-- the frame of a film that is shown.

local utils = require "mp.utils"

-- How long a picture may wear the colours of the one before it, in seconds.
local PATIENCE = 0.25

-- Since 0.38 `background` is the kind of background, and the colour has an option of its own.
local AROUND = mp.get_property("background-color") and "background-color" or "background"

local own = nil -- the user's values of the options that are set
local question, ahead = nil, nil -- what is asked, to be aborted
local patience = nil
local copies = {} -- pictures of frames that are not deleted yet

local function off()
    for option, value in pairs(own or {}) do
        mp.set_property(option, value)
    end
    own = nil
end

local function on(colors)
    local values = {
        [AROUND] = colors.background,
        ["osd-color"] = colors.foreground.color,
        -- A box under the text: the picture itself may have any colour there.
        ["osd-back-color"] = colors.background,
        ["osd-border-color"] = colors.background,
        ["osd-shadow-color"] = colors.background,
    }
    own = own or {}
    for option, value in pairs(values) do
        own[option] = own[option] or mp.get_property(option)
        mp.set_property(option, value)
    end
end

-- Names are any bytes, and JSON is UTF-8.
local function base64(bytes)
    local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    local function quartet(triplet)
        local a, b, c = triplet:byte(1, 3)
        local bits = a * 65536 + (b or 0) * 256 + (c or 0)
        local text = ""
        for shift = 3, 0, -1 do
            local index = math.floor(bits / 64 ^ shift) % 64
            text = text .. digits:sub(index + 1, index + 1)
        end
        return text:sub(1, #triplet + 1) .. ("="):rep(3 - #triplet)
    end
    return (bytes:gsub("..?.?", quartet))
end

-- The colours in a reply, or nil: a wholly transparent picture has none, and what is said in the
-- daemon's place may be anything.
local function colors_of(reply)
    local result = type(reply) == "table" and reply.result
    local text = type(result) == "table" and result.foreground
    local is_whole = type(text) == "table" and type(text.color) == "string"
    return is_whole and type(result.background) == "string" and result or nil
end

-- Asks about files, and calls `done` with the first one's colours, or nil. `undertone` starts the
-- daemon where none runs.
local function ask(paths, priority, done)
    local lines = {}
    for _, path in ipairs(paths) do
        lines[#lines + 1] = ('{"path_b64":"%s","priority":"%s"}\n'):format(base64(path), priority)
    end
    return mp.command_native_async({
        name = "subprocess",
        args = {"undertone", "send"},
        stdin_data = table.concat(lines),
        capture_stdout = true,
        capture_stderr = true,
        playback_only = false,
    }, function(_, process)
        local reply = utils.parse_json(process and process.stdout or "", true)
        done(colors_of(reply))
    end)
end

-- The absolute path of an entry of the playlist, or nil if it is no file.
local function absolute(name)
    name = (name or ""):gsub("^file://", "")
    if name == "" or name:find("^%a[%w+.-]*://") then
        return nil
    end
    return utils.join_path(mp.get_property("working-directory", "/"), name)
end

local function forget()
    if patience then patience:kill() end
    if question then mp.abort_async_command(question) end
    patience, question = nil, nil
end

-- Looks at the entries on both sides of this one while nobody waits.
local function ask_ahead()
    local here, paths = mp.get_property_number("playlist-pos", 0), {}
    for _, side in ipairs({here + 1, here - 1}) do
        paths[#paths + 1] = absolute(mp.get_property(("playlist/%d/filename"):format(side)))
    end
    if ahead then mp.abort_async_command(ahead) end
    ahead = #paths > 0 and ask(paths, "idle", function() ahead = nil end) or nil
end

local function delete(copy)
    copies[copy] = nil
    os.remove(copy)
end

-- Wears the colours of a picture; what is but a copy is deleted once it has been looked at.
local function wear(path, is_copy)
    forget()
    patience = mp.add_timeout(PATIENCE, off)
    local asked
    asked = ask({path}, "normal", function(colors)
        if is_copy then delete(path) end
        if question ~= asked then return end -- Late: another picture is shown.
        question = nil
        forget()
        if colors then on(colors) else off() end
        if not is_copy then ask_ahead() end
    end)
    question = asked
end

-- What is shown may have no file of its own: it is written into one, where only the user can read.
local function wear_frame()
    local folder = os.getenv("XDG_RUNTIME_DIR")
    if (folder or "") == "" then return off() end
    local copy = ("%s/undertone-mpv-%d-%.6f.png"):format(folder, utils.getpid(), mp.get_time())
    copies[copy] = true
    -- This is waited for: what is written while mpv ends nobody would delete.
    local _, failure = mp.command_native({"screenshot-to-file", copy, "video"})
    if not failure then return wear(copy, true) end
    delete(copy)
    off()
end

-- The answers to what was asked last do not come any more.
mp.register_event("shutdown", function()
    for copy in pairs(copies) do os.remove(copy) end
end)

local frame_wanted = false

mp.register_event("file-loaded", function()
    forget()
    frame_wanted = false
    local track = mp.get_property_native("current-tracks/video")
    if not track or not (track.image or track.albumart) then return off() end
    local name = track["external-filename"] or not track.albumart and mp.get_property("path")
    local path = name and absolute(name)
    if path then wear(path, false) else frame_wanted = true end
end)

-- From now on there is a frame to be seen.
mp.register_event("playback-restart", function()
    if frame_wanted then wear_frame() end
    frame_wanted = false
end)

mp.add_key_binding(nil, "frame", wear_frame)
