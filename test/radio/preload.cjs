// `NODE_OPTIONS='--require …/preload.cjs'`: the noble of a program and of its children speaks to a virtual radio over the
// unix socket VIRTUAL_RADIO_SOCKET, whatever its kernel can do (testing-bluetooth §1, injection B). With
// VIRTUAL_RADIO_AT_ONCE packets come as they do from a serial line: several in one turn. While a file VIRTUAL_RADIO_FORBIDDEN
// is there, the right to use the socket is missing.
const { EventEmitter } = require('node:events');
const { existsSync } = require('node:fs');
const { Module, createRequire } = require('node:module');
const { connect } = require('node:net');

const COMMAND = 1;
const ACL = 2;
const EVENT = 4;
const AGAIN_MS = 100;
const HEADS = { [COMMAND]: 4, [ACL]: 5, [EVENT]: 3 };

const isForbidden = () => existsSync(process.env.VIRTUAL_RADIO_FORBIDDEN ?? '');
const notPermitted = () => Object.assign(new Error('EPERM, Operation not permitted'), { code: 'EPERM', errno: 1 });

class UnixHciSocket extends EventEmitter {
  #socket = null;
  #up = false;
  #rest = Buffer.alloc(0);
  #stopped = false;

  constructor() {
    super();
    this.#mayBeUsed();
  }

  // As the native socket does, it tells an error to whoever listens for errors.
  #mayBeUsed() {
    if (!isForbidden()) return true;
    process.nextTick(() => this.listenerCount('error') > 0 && this.emit('error', notPermitted()));
    return false;
  }

  bindRaw() {
    if (!this.#mayBeUsed()) return 0;
    this.#rest = Buffer.alloc(0);
    this.#socket = connect(process.env.VIRTUAL_RADIO_SOCKET)
      .on('connect', () => {
        this.#up = true;
        this.emit('state', true);
      })
      .on('data', (chunk) => this.#hear(chunk))
      .on('close', () => {
        this.#up = false;
        this.emit('state', false);
        // An adapter that was switched off is the same one when it comes back.
        if (!this.#stopped) setTimeout(() => this.bindRaw(), AGAIN_MS).unref();
      })
      .on('error', () => undefined);
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
    this.#stopped = true;
    this.#socket?.destroy();
  }

  isDevUp() {
    return this.#up;
  }

  getDeviceList() {
    return [{ devId: 0, devUp: this.#up, idVendor: null, idProduct: null, busNumber: null, deviceAddress: null }];
  }

  write(packet) {
    this.#socket?.write(packet);
  }

  // One packet an event, as the native socket gives them; a serial line gives all that came at once.
  #hear(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const rest = this.#rest;
      const head = HEADS[rest[0]];
      if (head === undefined || rest.length < head) return;
      const length = head + (rest[0] === ACL ? rest.readUInt16LE(3) : rest[head - 1]);
      if (rest.length < length) return;
      this.#rest = rest.subarray(length);
      const packet = rest.subarray(0, length);
      if (process.env.VIRTUAL_RADIO_AT_ONCE) this.emit('data', packet);
      else setImmediate(() => this.emit('data', packet));
    }
  }
}

// One of the libraries asks for the driver by name.
UnixHciSocket.loadDriver = () => UnixHciSocket;

for (const driver of ['abandonware', 'stoprocent']) {
  try {
    const path = createRequire(require.resolve(`@${driver}/noble`)).resolve(`@${driver}/bluetooth-hci-socket`);
    const fake = new Module(path);
    fake.filename = path;
    fake.loaded = true;
    fake.exports = UnixHciSocket;
    require.cache[path] = fake;
  } catch (error) {
    // Both are optional: whoever wants one that is not installed is told when it asks for it.
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
}
