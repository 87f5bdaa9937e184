import { Central } from './central.js';
import { type Report, readOrder } from './messages.js';
import { type Driver, loadStack } from './stack.js';
import { errorOf } from './within.js';

/**
 * The radio process: the only place where a Bluetooth library is loaded. It may freeze, throw or die at any moment; the
 * daemon that started it goes on. Arguments: the libraries to try, the best one first.
 */
const MAX_WAITING = 256;
/** Rejections that a library left behind; more mean that it is lost. */
const MAX_REJECTIONS = 20;

let waiting = 0;

function tell(report: Report): void {
  waiting += 1;
  process.send?.(report, () => {
    waiting -= 1;
  });
}

const central = new Central({ tell, keepsUp: () => waiting < MAX_WAITING });

function load(drivers: readonly Driver[]): void {
  const failures: string[] = [];
  for (const driver of drivers) {
    try {
      const stack = loadStack(driver, {
        state: (state) => {
          ignoreSignals();
          tell({ tell: 'adapter', state });
          central.power(state === 'poweredOn');
        },
        address: (address) => tell({ tell: 'address', address }),
        packet: (packet) => central.packet(packet),
        scanAnswered: (status) => central.scanAnswered(status),
        malformed: (error) => central.malformed(error),
      });
      central.begin(stack);
      return;
    } catch (error) {
      failures.push(`${driver}: ${errorOf(error).message.slice(0, 200)}`);
    }
  }
  tell({ tell: 'trouble', what: 'no_library', text: failures.join('; ').slice(0, 500) });
}

let rejections = 0;
process.on('unhandledRejection', (reason) => {
  rejections += 1;
  if (rejections > MAX_REJECTIONS)
    tell({ tell: 'trouble', what: 'fault', text: errorOf(reason).message.slice(0, 200) });
});
process.on('message', (message) => {
  const order = readOrder(message);
  if (order !== null) central.order(order);
});
// Without a daemon there is nobody to listen for: the dice are let go, so that others find them.
process.on('disconnect', () => void central.close().finally(end));

/** Ends this process, whatever the library does in its own last moments. */
function end(): void {
  try {
    process.exit(0);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

/**
 * The terminal's Ctrl+C reaches this process too, but the daemon decides when it ends. The last listener is the one that
 * the library thinks of (testing-bluetooth §1), and it makes its own when it begins.
 */
function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.removeListener(signal, nothing);
    process.on(signal, nothing);
  }
}

function nothing(): void {}

ignoreSignals();
// The daemon may have died while this program was read: nobody said so then.
if (process.connected) load(process.argv.slice(2) as Driver[]);
else end();
