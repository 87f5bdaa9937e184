import { execFileSync } from 'node:child_process';

/** How many packets of a capture `tshark`, a reader that is not ours, finds to fit a filter. Rejects what it cannot read. */
export const packetsIn = (capture: string, filter: string): number =>
  execFileSync('tshark', ['-r', capture, '-Y', filter, '-T', 'fields', '-e', 'frame.number'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '').length;

/** Packets that are not what they should be; some foreign advertisers send such on purpose. */
export const malformedIn = (capture: string): number => packetsIn(capture, '_ws.malformed');
