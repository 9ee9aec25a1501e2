"""Owns typing on a terminal of a real shell: prints what pdftool would have been given, one line for each typed line.

type.py SHELL FOLDER SCRIPT, and on standard input a line of text for each command line. <TAB> is the key; a line that
ends in <CANCEL> is not run.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

shell, folder, script = sys.argv[1:4]
# What pdftool is given is shown instead of done; what completion asks is asked of the real program.
POSIX = "pdftool() { if [ \"$1\" = __complete ]; then command pdftool \"$@\"; else printf '<%s>' \"$@\"; echo; fi; }"
FISH = "function pdftool; if test \"$argv[1]\" = __complete; command pdftool $argv; else; printf '<%s>' $argv; echo; end; end"
SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        ["bind 'set bell-style none'", "bind 'set enable-bracketed-paste off'", "PS1='ready> '", f". '{script}'", POSIX],
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        [
            # zsh's own TAB runs $(…) that was typed; what is tried here is what we bring.
            "bindkey '^I' complete-word",
            "unsetopt beep", "autoload -Uz compinit", "compinit -u -D", "PS1='ready> '", f". '{script}'", POSIX],
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        ["function fish_prompt; echo -n 'ready> '; end", f"source '{script}'", FISH],
    ),
}
program, setup = SHELLS[shell]

pid, terminal = pty.fork()
if pid == 0:
    os.chdir(folder)
    os.environ["TERM"] = "xterm" if shell == "fish" else "dumb"
    os.execvp(program[0], program)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))


def read(until, limit):
    """Reads until a pattern has been shown and the shell is quiet, or the limit is over."""
    start = last = time.time()
    shown = b""
    while time.time() - start < limit:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            shown += data
            last = time.time()
        elif time.time() - last > 0.2 and re.search(until, shown):
            break
    return shown


PROMPT = rb"[$%>#] ?"
read(PROMPT, 20)
for line in setup:
    os.write(terminal, line.encode() + b"\r")
    read(PROMPT, 20)
for line in sys.stdin.read().splitlines():
    runs = not line.endswith("<CANCEL>")
    parts = line.removesuffix("<CANCEL>").split("<TAB>")
    for index, part in enumerate(parts):
        os.write(terminal, part.encode())
        if index == len(parts) - 1:
            break
        read(rb".", 1)
        os.write(terminal, b"\t")
        read(rb".", 1.5)
    os.write(terminal, b"\r" if runs else b"\x03")
    answer = read(rb"[\r\n](?:<[^<>\r\n]*>)+\r*\n" if runs else PROMPT, 6)
    found = re.findall(rb"[\r\n]((?:<[^<>\r\n]*>)+)\r*\n", answer)
    print(found[-1].decode() if found else "" if not runs else f"nothing: {answer!r}")
os.close(terminal)
