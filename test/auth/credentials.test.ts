import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCredentials } from '../../src/core/people/credentials.ts';

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
const get = (authorization?: string, cookie?: string) => parseCredentials({ method: 'GET', authorization, cookie });

test('Basic is read in UTF-8, the password may hold colons or be empty, the scheme is in any case', () => {
  expect(get(basic('jürgen:pä:ss:'))).toEqual({ kind: 'basic', login: 'jürgen', password: 'pä:ss:' });
  expect(get(basic('joe:'))).toEqual({ kind: 'basic', login: 'joe', password: '' });
  expect(get(basic('joe:x').replace('Basic ', 'bASIC   '))).toMatchObject({ login: 'joe' });
});

test.each([
  ['no value', 'Basic'],
  ['an empty value', 'Basic '],
  ['not base64', 'Basic !!!'],
  ['base64 with something behind', `${basic('joe:x')} y`],
  ['no colon', basic('no colon')],
  ['no login', basic(':secret')],
  ['not UTF-8', basic(Buffer.from([0x6a, 0xff, 0x3a, 0x78]))],
  ['an empty bearer', 'Bearer '],
  ['another scheme', 'Digest username="joe"'],
  ['an empty header', ''],
])('a malformed header is no credentials: %s', (_name, header) => {
  expect(get(header)).toBeNull();
});

test('the credentials of Bearer are a token', () => {
  expect(get('Bearer a.b.c')).toEqual({ kind: 'token', token: 'a.b.c' });
  expect(parseCredentials({ method: 'POST', authorization: 'bearer a.b.c' })).toEqual({
    kind: 'token',
    token: 'a.b.c',
  });
});

describe('the cookie auth_token', () => {
  const cookie = 'I18N_LANGUAGE="en"; xauth_token=no; auth_token=a.b.c; auth_token=second';
  test.each(['GET', 'HEAD'])('the cookie auth_token counts for %s', (method) => {
    expect(parseCredentials({ method, cookie })).toEqual({ kind: 'token', token: 'a.b.c' });
  });
  test.each(['POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'get'])(
    'the cookie auth_token does not count for %s',
    (method) => {
      expect(parseCredentials({ method, cookie })).toBeNull();
    },
  );
  test('an Authorization header, even a malformed one, goes before the cookie auth_token', () => {
    expect(get('Bearer x.y.z', cookie)).toEqual({ kind: 'token', token: 'x.y.z' });
    expect(get('Basic !!!', cookie)).toBeNull();
  });
  test('the cookie auth_token may be quoted; an empty one and the cookie __ac are ignored', () => {
    expect(get(undefined, 'auth_token="a.b.c"')).toEqual({ kind: 'token', token: 'a.b.c' });
    expect(get(undefined, 'auth_token=')).toBeNull();
    expect(get(undefined, '__ac=a.b.c; auth_token')).toBeNull();
  });
});

test('parsing credentials never throws, whatever the headers and cookies', () => {
  fc.assert(
    fc.property(
      fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      fc.string({ unit: 'binary' }),
      (authorization, cookie) => {
        get(authorization, cookie);
        get(`Basic ${authorization}`);
      },
    ),
  );
});

test('every login and password comes through Basic as it is', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      text.filter((login) => login !== '' && !login.includes(':')),
      text,
      (login, password) => {
        expect(get(basic(`${login}:${password}`))).toEqual({ kind: 'basic', login, password });
      },
    ),
  );
});
