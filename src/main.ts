import module from 'node:module';
import process, { argv, exit, stderr, stdin, stdout } from 'node:process';

/** Commands that testers start by the hundred load nothing but themselves; the rest share one parser of arguments. */
async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'decode') {
    const { decode } = await import('./cli/decode.js');
    return decode(rest, stdin, stdout);
  }
  if (command === 'play') {
    const { play } = await import('./cli/play.js');
    return play(rest, stdin, stdout, stderr);
  }
  if (command === 'resolve') {
    const { resolve } = await import('./cli/resolve.js');
    return resolve(rest, stdin, stdout, stderr);
  }
  if (command === 'roll') {
    const { roll } = await import('./cli/roll.js');
    return roll(rest, stdin, stdout, stderr);
  }
  // A hang-up never ends the daemon, not even while its code is still being read; `start` then answers it.
  if (command === 'start' || command === 'record') process.on('SIGHUP', () => undefined);
  const { runProgram } = await import('./cli/program.js');
  return runProgram(args);
}

// From Node 22 on compiled code is kept between starts; 20 does not know how.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
// A reader that goes away (`| head`) ends the command quietly, as Unix tools do.
stdout.on('error', () => exit(0));
process.exitCode = await run(argv.slice(2));
