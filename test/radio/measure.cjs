// `NODE_OPTIONS='--require …/measure.cjs' MEASURES=FOLDER`: a program and its children, as they are, can be asked what they
// hold: on SIGUSR2 each collects its garbage and writes <FOLDER>/<pid>.json.
const { mkdirSync, readdirSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const folder = process.env.MEASURES;
const warnings = [];

if (isMainThread && folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  v8.setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('warning', ({ name }) => warnings.push(name));
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const handles = readdirSync('/proc/self/fd').length;
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, rss, handles, warnings }));
    renameSync(`${file}.new`, file);
  });
}
