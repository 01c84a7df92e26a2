import { expect, test } from 'vitest';
import { clientNetwork } from '../../src/core/people/credentials.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::5:6:7:8', '2001:db8:0:0::/64'],
  ['2001:db8::4:5:6:7:8', '2001:db8:0:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1:2:3::192.0.2.1', '1:2:3:0::/64'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('the client address %s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test('a malformed client address is shortened and can be stored', () => {
  expect(clientNetwork(`a\0${'x'.repeat(500)}`)).toBe(`a${'x'.repeat(63)}`);
});
