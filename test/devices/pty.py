"""Plays the tray's end of a cable: a pseudo-terminal behind a link, told what to do line by line on standard input.

plug        a new pseudo-terminal, and the link points to it; says "plugged"
unplug      it goes, link and all; says "unplugged"
say HEX     the tray sends these bytes
flood N     the tray sends N bytes of noise without a newline; says "flooded"
What the host writes is told as "host HEX". Ends with its standard input.
"""

import os
import select
import sys
import tty

link = sys.argv[1]
master = None
slave = None
pending = b""


def tell(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def plug():
    global master, slave
    master, slave = os.openpty()
    # Raw before the host opens, or what the tray says first is echoed back to it as commands.
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.chmod(name, 0o666)
    os.symlink(name, link + ".new")
    os.rename(link + ".new", link)
    # As long as our own end of the slave is open the master never hangs up by itself between two hosts.
    tell("plugged")


def unplug():
    global master, slave
    if master is None:
        return
    if os.path.islink(link):
        os.unlink(link)
    os.close(slave)
    os.close(master)
    master = slave = None
    tell("unplugged")


def write(data):
    at = 0
    # An answer that was under way when the cable was pulled goes nowhere.
    while master is not None and at < len(data):
        _, ready, _ = select.select([], [master], [], 10)
        if not ready:
            return
        at += os.write(master, data[at : at + 4096])


def flood(count):
    block = bytes(b if b != 10 else 11 for b in os.urandom(1 << 16))
    while count > 0:
        write(block[:count])
        count -= len(block)
    tell("flooded")


def obey(line):
    word, _, rest = line.partition(" ")
    if word == "plug":
        plug()
    elif word == "unplug":
        unplug()
    elif word == "say":
        write(bytes.fromhex(rest))
    elif word == "flood":
        flood(int(rest))


while True:
    watched = [0] if master is None else [0, master]
    ready, _, _ = select.select(watched, [], [], 1)
    if master in ready:
        try:
            tell("host " + os.read(master, 4096).hex())
        except OSError:
            pass
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            unplug()
            sys.exit(0)
        pending += data
        *lines, pending = pending.split(b"\n")
        for line in lines:
            obey(line.decode())
