import { faultText } from '../config/fault.js';
import { loadConfig } from '../config/load.js';
import { type Config, defaultConfig } from '../config/schema.js';
import { checkBluetooth, checkToldAdapters } from './bluetooth-checkup.js';
import { checkDataFolder, checkHttpPort, checkMqttPort, checkNative, checkNode, checkSerial } from './checkup.js';
import type { Finding } from './finding.js';
import { openTableAt } from './open-table.js';
import { configFile, dataFolder } from './places.js';

/** Arguments of `tiro doctor`. */
export interface DoctorArguments {
  readonly json?: boolean | undefined;
  readonly config?: string | undefined;
  readonly data?: string | undefined;
  readonly port?: number | undefined;
}

/** Everything the doctor looks at, with what it found and what to do. Changes nothing on the computer. */
export async function examine(given: DoctorArguments): Promise<{ findings: Finding[]; language: 'it' | 'en' }> {
  const file = configFile(given);
  const args = { 'data.dir': given.data, 'http.port': given.port };
  const loaded = loadConfig({ env: process.env, args, ...(file === undefined ? {} : { file }) });
  const config: Config = loaded.ok ? loaded.value : defaultConfig();
  const faults = loaded.ok ? [] : loaded.error.map(faultText);
  const configuration = faults.map((told): Finding => {
    return { check: 'configuration', level: 'fail', told: { it: told, en: told } };
  });
  if (faults.length === 0) {
    const it = file === undefined ? 'nessuna configurazione: valgono i valori di partenza' : `configurazione ${file}`;
    const en = file === undefined ? 'no configuration: the defaults hold' : `configuration ${file}`;
    configuration.push({ check: 'configuration', level: 'ok', told: { it, en } });
  }
  const open = await openTableAt(config.http.port);
  const findings = [
    checkNode(),
    ...checkNative(),
    ...configuration,
    checkDataFolder(dataFolder(config.data.dir)),
    await checkHttpPort(config.http, open),
    await checkMqttPort(config.mqtt, open),
    ...checkSerial(config.devices.serial),
    ...(await checkBluetooth(config.ble, open !== undefined)),
    ...checkToldAdapters(open?.locked === false ? open.adapters : []),
  ];
  return { findings, language: config.language };
}

const MARKS = { ok: 'ok  ', warn: '!   ', fail: 'NO  ' } as const;

/**
 * `tiro doctor [--json]`: what works here, what does not, and what to do.
 * @returns 0, or 1 if something would stop the start
 */
export async function doctor(given: DoctorArguments = {}): Promise<number> {
  const { findings, language } = await examine(given);
  const healthy = findings.every(({ level }) => level !== 'fail');
  if (given.json === true) {
    const told = findings.map(({ check, level, told: words, remedy }) => {
      return { check, level, message: words[language], ...(remedy === undefined ? {} : { remedy: remedy[language] }) };
    });
    process.stdout.write(`${JSON.stringify({ ok: healthy, findings: told }, null, 2)}\n`);
  } else {
    for (const { level, told, remedy } of findings) {
      const hint = remedy === undefined ? '' : `\n    → ${remedy[language]}`;
      process.stdout.write(`${MARKS[level]}${told[language]}${hint}\n`);
    }
  }
  return healthy ? 0 : 1;
}
