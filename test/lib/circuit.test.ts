import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Attempt, Circuit, Circuits } from '../../src/lib/http/circuit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function begun(circuit: Circuit): Attempt {
  const attempt = circuit.begin();
  if ('retryAfter' in attempt) throw new Error(`The service rests for ${attempt.retryAfter} seconds`);
  return attempt;
}

it('a service that says nothing is not asked for two seconds, then by one request at a time', () => {
  const circuit = new Circuit();
  circuit.failed(begun(circuit), 'silent');
  expect(circuit.begin()).toEqual({ retryAfter: 2 });
  vi.advanceTimersByTime(2001);
  const trial = begun(circuit);
  expect(circuit.begin()).toEqual({ retryAfter: 1 });
  circuit.worked(trial);
  expect([circuit.rests, circuit.retryAfter]).toEqual([false, 0]);
  begun(circuit);
  begun(circuit);
});

it('a service that goes on failing rests twice as long each time, a minute at most', () => {
  const circuit = new Circuit();
  const rests = Array.from({ length: 8 }, () => {
    circuit.failed(begun(circuit), 'silent');
    const { retryAfter } = circuit;
    vi.advanceTimersByTime(60_001);
    return retryAfter;
  });
  expect(rests).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

it('of requests that fail together only the first makes a service rest', () => {
  const circuit = new Circuit();
  const together = [begun(circuit), begun(circuit), begun(circuit)];
  vi.advanceTimersByTime(10_000);
  for (const attempt of together) circuit.failed(attempt, 'silent');
  expect(circuit.retryAfter).toBe(2);
});

it('a connection that is cut once changes nothing, and the third one in a row makes a service rest', () => {
  const circuit = new Circuit();
  circuit.failed(begun(circuit), 'quick');
  circuit.failed(begun(circuit), 'quick');
  circuit.worked(begun(circuit));
  circuit.failed(begun(circuit), 'quick');
  circuit.failed(begun(circuit), 'quick');
  expect(circuit.rests).toBe(false);
  circuit.failed(begun(circuit), 'quick');
  expect(circuit.rests).toBe(true);
});

it('a service whose work may be long rests after several that were not answered in time', () => {
  const circuit = new Circuit(3);
  circuit.failed(begun(circuit), 'silent');
  circuit.failed(begun(circuit), 'silent');
  expect(circuit.rests).toBe(false);
  circuit.failed(begun(circuit), 'silent');
  expect(circuit.rests).toBe(true);
});

it('a client that leaves during the trial of a service lets the next one try it', () => {
  const circuit = new Circuit();
  circuit.failed(begun(circuit), 'silent');
  vi.advanceTimersByTime(2001);
  circuit.abandoned(begun(circuit));
  expect(begun(circuit).isTrial).toBe(true);
});

it('services have circuits of their own, as many as are remembered', () => {
  const circuits = new Circuits();
  const first = circuits.of('http://one.example');
  first.failed(begun(first), 'silent');
  expect([circuits.of('http://one.example').rests, circuits.of('http://two.example').rests]).toEqual([true, false]);
  for (let n = 0; n < 1000; n += 1) circuits.of(`http://${n}.example`);
  expect(circuits.of('http://one.example').rests).toBe(false);
});
