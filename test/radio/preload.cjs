// `node --require preload.cjs`: the program's noble speaks to a virtual radio over the unix socket TIRO_RADIO_SOCKET,
// whatever its kernel can do (testing-bluetooth §1, injection B).
const { EventEmitter } = require('node:events');
const { Module, createRequire } = require('node:module');
const { connect } = require('node:net');

const COMMAND = 1;
const ACL = 2;
const EVENT = 4;
const HEADS = { [COMMAND]: 4, [ACL]: 5, [EVENT]: 3 };

class UnixHciSocket extends EventEmitter {
  #socket = null;
  #up = false;
  #rest = Buffer.alloc(0);

  bindRaw() {
    this.#socket = connect(process.env.TIRO_RADIO_SOCKET)
      .on('connect', () => {
        this.#up = true;
        this.emit('state', true);
      })
      .on('data', (chunk) => this.#hear(chunk))
      .on('close', () => {
        this.#up = false;
        this.emit('state', false);
      })
      .on('error', (error) => this.emit('error', error));
    return 0;
  }

  bindUser() {
    return this.bindRaw();
  }

  bindControl() {}
  start() {}
  setFilter() {}
  cleanup() {}
  reset() {}

  stop() {
    this.#socket?.destroy();
  }

  isDevUp() {
    return this.#up;
  }

  getDeviceList() {
    return [];
  }

  write(packet) {
    this.#socket?.write(packet);
  }

  // One packet an event, as the native socket gives them.
  #hear(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const rest = this.#rest;
      const head = HEADS[rest[0]];
      if (head === undefined || rest.length < head) return;
      const length = head + (rest[0] === ACL ? rest.readUInt16LE(3) : rest[head - 1]);
      if (rest.length < length) return;
      this.#rest = rest.subarray(length);
      setImmediate(() => this.emit('data', rest.subarray(0, length)));
    }
  }
}

const noble = createRequire(`${process.cwd()}/package.json`).resolve('@abandonware/noble');
const path = createRequire(noble).resolve('@abandonware/bluetooth-hci-socket');
const fake = new Module(path);
fake.filename = path;
fake.loaded = true;
fake.exports = UnixHciSocket;
require.cache[path] = fake;
