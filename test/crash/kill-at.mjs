// Loaded before a program (`node --import`): kills it with SIGKILL before the message to the database whose number is TEST_KILL_AT, or writes
// how many there were into the file TEST_COUNT when it ends.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

const at = Number(process.env.TEST_KILL_AT);
let sent = 0;

/** Counts the calls of a method. The last one is sent half of the times, so that kills also come while the database works. */
function count(prototype, method) {
  const original = prototype[method];
  prototype[method] = function (...args) {
    sent += 1;
    if (sent === at && at % 2 === 0) process.kill(process.pid, 'SIGKILL');
    const result = original.apply(this, args);
    if (sent === at) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
    return result;
  };
}

count(pg.Client.prototype, 'query');
// The package has a class for modules, which the sources load, and one for CommonJS, which the built program loads.
for (const { prototype } of [PGlite, createRequire(import.meta.url)('@electric-sql/pglite').PGlite])
  count(
    Object.hasOwn(prototype, 'execProtocolRawStream') ? prototype : Object.getPrototypeOf(prototype),
    'execProtocolRawStream',
  );
process.on('exit', () => {
  if (process.env.TEST_COUNT) writeFileSync(process.env.TEST_COUNT, String(sent));
});
