// A program with noble in it that does what its parent says, and tells what came of every promise (noble-host.ts).
const noble = library(`@${process.env.NOBLE_DRIVER}/noble`, process.env.NOBLE_EXTENDED === '1');

// Each library has a way of its own to be told of the extended commands.
function library(name, extended) {
  if (!extended) return require(name);
  if (name.startsWith('@abandonware')) return require(`${name}/with-custom-binding`)({ extended });
  return require(`${name}/lib/resolve-bindings`)('hci', { extended });
}

const peripherals = new Map();
const tell = (message) => process.send(message);

noble.on('stateChange', (state) => tell({ event: 'state', state }));
noble.on('discover', (peripheral) => {
  const { address, advertisement } = peripheral;
  const { localName, serviceUuids, serviceData, manufacturerData } = advertisement;
  if (!peripherals.has(address)) {
    peripheral.on('connect', (error) => tell({ event: 'connect', address, error: error?.message }));
    peripheral.on('disconnect', (reason) => tell({ event: 'disconnect', address, reason }));
  }
  peripherals.set(address, peripheral);
  tell({
    event: 'discover',
    address,
    name: localName,
    services: serviceUuids,
    data: serviceData.map(({ uuid, data }) => ({ uuid, hex: data.toString('hex') })),
    manufacturer: manufacturerData?.toString('hex'),
  });
});

const found = (address) => peripherals.get(address);
const known = new Map();

function keep(address, characteristics) {
  for (const one of characteristics) {
    known.set(`${address} ${one.uuid}`, one);
    one.on('data', (data) => tell({ event: 'data', address, uuid: one.uuid, hex: data.toString('hex') }));
  }
  return characteristics.map(({ uuid, properties }) => ({ uuid, properties }));
}

const deeds = {
  scan: ({ duplicates }) => noble.startScanningAsync([], duplicates),
  stopScan: () => noble.stopScanningAsync(),
  connect: ({ address, terms }) => found(address).connectAsync(terms),
  cancel: async ({ address }) => found(address).cancelConnect(),
  disconnect: ({ address }) => found(address).disconnectAsync(),
  discover: async ({ address }) =>
    keep(address, (await found(address).discoverAllServicesAndCharacteristicsAsync()).characteristics),
  // Both in one go, as an application does that has nothing to wait for.
  linkUp: async ({ address }) => {
    await found(address).connectAsync();
    return deeds.discover({ address });
  },
  subscribe: ({ address, uuid }) => known.get(`${address} ${uuid}`).subscribeAsync(),
  write: ({ address, uuid, hex, quiet }) =>
    known.get(`${address} ${uuid}`).writeAsync(Buffer.from(hex, 'hex'), quiet === true),
  read: async ({ address, uuid }) => (await known.get(`${address} ${uuid}`).readAsync()).toString('hex'),
  // Writes in every notification, as an application that answers a die does.
  answer: async ({ address, uuid, to, hex }) => {
    known
      .get(`${address} ${uuid}`)
      .on('data', () => known.get(`${address} ${to}`).writeAsync(Buffer.from(hex, 'hex'), false));
  },
  look: async ({ address }) => ({ state: found(address).state, mtu: found(address).mtu }),
  states: async () => ({ adapter: noble.state ?? noble._state }),
};

process.on('message', ({ id, ...deed }) => {
  try {
    deeds[deed.do](deed).then(
      (value) => tell({ id, settled: 'resolved', value }),
      (error) => tell({ id, settled: 'rejected', error: String(error?.message ?? error) }),
    );
  } catch (error) {
    tell({ id, settled: 'threw', error: `${error.name}: ${error.message}` });
  }
});
process.on('disconnect', () => process.exit(0));
