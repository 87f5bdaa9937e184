// The baseline of start and memory: a process that imports what a daemon of this kind is made of, opens its database and
// listens. It does nothing else.
import { createServer } from 'node:http';
import { Aedes } from 'aedes';
import express from 'express';
import Database from 'libsql';
import mqtt from 'mqtt';
import { SerialPort } from 'serialport';
import { WebSocketServer } from 'ws';
import { memory } from './memory.mjs';

const [port, file] = process.argv.slice(2);
const database = new Database(file);
database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS records (seq INTEGER PRIMARY KEY, body TEXT)');
const aedes = await Aedes.createBroker();
const app = express();
app.get('/readyz', (_request, response) => response.json({ ready: true }));
const server = createServer(app);
const sockets = new WebSocketServer({ server });
server.listen(Number(port), '127.0.0.1');
// Kept, so that no import is left out.
export const parts = [mqtt, SerialPort, aedes, sockets, database];
process.on('message', () => process.send?.(memory()));
process.on('disconnect', () => process.exit(0));
