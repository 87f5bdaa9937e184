// The built worker, but its thread dies without a word at every seventh commit: before it, or after it unanswered.
import { parentPort } from 'node:worker_threads';

let commits = 0;
const answer = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = (message) => {
  if (commits === 7 && message.id !== undefined) process.exit(1);
  answer(message);
};
parentPort.on('message', (request) => {
  if (request.kind === 'commit') commits += 1;
  if (commits === 7 && request.id % 2 === 0) process.exit(1);
});
await import('../../../dist/journal/worker.js');
