// Locks a data folder and holds it until it is killed.
import { lockDataDir } from '../../../dist/journal/lock.js';

const [dir] = process.argv.slice(2);
const lock = lockDataDir(dir);
console.log(lock.ok ? 'locked' : lock.error.code);
if (lock.ok) setTimeout(() => {}, 30_000);
