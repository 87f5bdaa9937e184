// Holds the journal's write lock for some milliseconds: BEGIN IMMEDIATE in another process.
import Database from 'libsql';

const [file, ms] = process.argv.slice(2);
const db = new Database(file, { timeout: 5000 });
db.exec('BEGIN IMMEDIATE');
console.log('held');
setTimeout(() => {
  db.exec('ROLLBACK');
  db.close();
}, Number(ms));
