import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { packageVersion } from './version.js';

/** A day. */
const MAX_SECONDS = 86_400;

function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('a port is 0 to 65535 (0: a free one).');
  return value;
}

function mqttPort(text: string): number | 'off' {
  return text === 'off' ? 'off' : port(text);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_SECONDS))
    throw new InvalidArgumentError(`seconds: more than 0, at most ${MAX_SECONDS}.`);
  return value;
}

/** Every command but the two that must start fast; each loads its own code when it is asked for. */
function program(finish: (code: number) => void): Command {
  const tiro = new Command('tiro')
    .description('The controller of a game table: physical dice in, judged and durable rolls out to every screen.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(tiro --help lists the commands)');
  addStart(tiro, finish);
  addToken(tiro, finish);
  addJournal(tiro, finish);
  addConfig(tiro, finish);
  addBox(tiro, finish);
  tiro
    .command('doctor')
    .description('what works on this computer, what does not, and what to do')
    .option('--json', 'for programs')
    .option('--data <dir>', 'data folder')
    .option('--config <file>', 'configuration')
    .action(async (options: { json?: boolean; data?: string; config?: string }) => {
      const { doctor } = await import('./doctor.js');
      finish(await doctor(options));
    });
  tiro
    .command('scan')
    .description('Bluetooth dice on the air')
    .option('--seconds <n>', 'look for so long; without it until Ctrl+C, or 10 s where nobody watches', seconds)
    .option('--json', 'one list at the end, for programs')
    .option('--config <file>', 'configuration (YAML)')
    .action(async (options: { seconds?: number; json?: boolean; config?: string }) => {
      const { scan } = await import('./scan.js');
      finish(await scan(options, process.stdout, process.stderr));
    });
  tiro
    .command('compose')
    .description('the secrets for docker-compose.yml, into .env')
    .action(async () => {
      const { compose } = await import('./compose.js');
      finish(compose(process.cwd(), process.stdout, process.stderr));
    });
  tiro
    .command('decode')
    .description('bytes or lines of a die on standard input, signals out')
    .argument('<device>', 'godice, pixels or tray');
  tiro
    .command('play')
    .description('a referee on standard input')
    .argument('<game>', 'free, external, dadoteck or magic');
  tiro
    .command('resolve')
    .description('cases of rule 706 on standard input, outcomes out')
    .option('--check', 'compare with what each case expects');
  tiro
    .command('roll')
    .description('a dice notation, filled by natural results on standard input')
    .argument('<notation>', "as '2d20kh1'");
  return tiro;
}

interface StartOptions {
  readonly port?: number;
  readonly host?: string;
  readonly mqttPort?: number | 'off';
  readonly data?: string;
  readonly config?: string;
}

const startOptions = (command: Command): Command =>
  command
    .option('--port <n>', 'port of the pages and the API (8706)', port)
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--mqtt-port <n|off>', 'port of the MQTT broker (1883)', mqttPort)
    .option('--data <dir>', 'data folder')
    .option('--config <file>', 'configuration (YAML)');

function addStart(tiro: Command, finish: (code: number) => void): void {
  startOptions(tiro.command('start').description('run the table')).action(async (options: StartOptions) => {
    const { start } = await import('./start.js');
    finish(await start(options));
  });
  startOptions(tiro.command('record').description('run the table and write all that reaches it into a new file'))
    .argument('<file>', 'as evening.tiro-rec')
    .option('--seconds <n>', 'end by itself after so long', seconds)
    .action(async (record: string, options: StartOptions & { readonly seconds?: number }) => {
      const { start } = await import('./start.js');
      finish(await start({ ...options, record }));
    });
}

function addConfig(tiro: Command, finish: (code: number) => void): void {
  const config = tiro.command('config').description('the configuration: right or wrong, and what holds');
  config
    .command('check')
    .description('what start would say of it, with line, column and remedy; changes nothing')
    .argument('[file]')
    .option('--data <dir>', 'data folder')
    .action(async (file: string | undefined, { data }: { data?: string }) => {
      const { configCheck } = await import('./config.js');
      finish(configCheck({ config: file, data }, process.stdout, process.stderr));
    });
  config
    .command('show')
    .description('every setting with its value and where that comes from; secrets are masked')
    .option('--json', 'for programs')
    .option('--config <file>', 'configuration (YAML)')
    .option('--data <dir>', 'data folder')
    .action(async (options: { json?: boolean; config?: string; data?: string }) => {
      const { configShow } = await import('./config.js');
      finish(configShow(options, process.stdout, process.stderr));
    });
}

function addBox(tiro: Command, finish: (code: number) => void): void {
  const box = tiro.command('box').description('a box of Dicebound as a file: its tiles, classes and monsters');
  box
    .command('check')
    .description('whether it can be imported, with line, field and remedy; changes nothing')
    .argument('<file>')
    .action(async (file: string) => {
      const { boxCheck } = await import('./box.js');
      const { spokenLanguage } = await import('./spoken.js');
      finish(boxCheck(file, spokenLanguage(), process.stdout, process.stderr));
    });
  box
    .command('samples')
    .description('the samples that are shipped, to begin with')
    .action(async () => {
      const { boxSamples } = await import('./box.js');
      finish(boxSamples(process.stdout));
    });
}

function addToken(tiro: Command, finish: (code: number) => void): void {
  const token = tiro.command('token').description('keys for players, screens and programs');
  const report = async (
    data: string | undefined,
    run: (module: typeof import('./token.js'), dir: string) => { exit: number; out: string },
  ): Promise<void> => {
    const { dataOf } = await import('./data-folder.js');
    const dir = dataOf(data);
    const told = dir.ok ? run(await import('./token.js'), dir.value) : { exit: 2, out: dir.error };
    (told.exit === 0 ? process.stdout : process.stderr).write(`${told.out}\n`);
    finish(told.exit);
  };
  token
    .command('create')
    .requiredOption('--role <role>', 'gm, player, overlay, spectator or monitor')
    .option('--table <id>', 'only for this table')
    .option('--seat <id>', 'the seat of a player')
    .option('--label <text>', 'what it is for')
    .option('--data <dir>', 'data folder')
    .action(({ data, ...order }: { role: string; table?: string; seat?: string; label?: string; data?: string }) =>
      report(data, (module, dir) => module.tokenCreate(dir, order)),
    );
  token
    .command('list')
    .option('--data <dir>', 'data folder')
    .action(({ data }: { data?: string }) => report(data, (module, dir) => module.tokenList(dir)));
  token
    .command('revoke')
    .argument('<id>')
    .option('--data <dir>', 'data folder')
    .action((id: string, { data }: { data?: string }) => report(data, (module, dir) => module.tokenRevoke(dir, id)));
}

function addJournal(tiro: Command, finish: (code: number) => void): void {
  for (const name of ['backup', 'restore'] as const) {
    tiro
      .command(name)
      .description(
        name === 'backup' ? 'a copy of the chronicle, also during play' : 'puts a copy back, keeping what was there',
      )
      .argument('<file>')
      .option('--data <dir>', 'data folder')
      .action(async (file: string, options: { data?: string }) => {
        const { dataOf } = await import('./data-folder.js');
        const dir = dataOf(options.data);
        if (!dir.ok) process.stderr.write(`${dir.error}\n`);
        const module = await import('./backup.js');
        finish(dir.ok ? module[name]({ data: dir.value, file }) : 2);
      });
  }
  tiro
    .command('replay')
    .description('a chronicle, or a recording (.tiro-rec), → its final states, one line a table')
    .argument('<file>')
    .action(async (file: string) => {
      const { replay } = await import('./replay.js');
      finish(await replay(file, process.stdout, process.stderr));
    });
  tiro
    .command('export')
    .description('a table’s chronicle for other programs')
    .requiredOption('--table <id>')
    .requiredOption('--format <format>', 'jsonl or csv')
    .option('--audience <who>', 'gm or spectator', 'spectator')
    .option('--data <dir>', 'data folder')
    .action(async (options: { table: string; format: string; audience: string; data?: string }) => {
      const { exportTable } = await import('./export.js');
      finish(await exportTable(options, process.stdout, process.stderr));
    });
}

/**
 * Runs a command line.
 * @returns exit code; 2 on wrong usage
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code = 0;
  try {
    await program((given) => {
      code = given;
    }).parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}
