import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED_ERRORS } from '../../src/core/services/openapi/responses.ts';
import * as catalogue from '../../src/lib/errors.ts';
import { packageFolder } from '../../src/lib/process/process.ts';

/** One error of each class of the catalogue. */
const ERRORS: Record<string, catalogue.ClientError> = {
  BadRequest: new catalogue.BadRequest(''),
  ValidationFailed: new catalogue.ValidationFailed([]),
  Unauthorized: new catalogue.Unauthorized(),
  Forbidden: new catalogue.Forbidden(),
  NotFound: new catalogue.NotFound('/'),
  MethodNotAllowed: new catalogue.MethodNotAllowed(''),
  NotAcceptable: new catalogue.NotAcceptable(),
  RequestTimeout: new catalogue.RequestTimeout(),
  Conflict: new catalogue.Conflict(''),
  Gone: new catalogue.Gone(''),
  PreconditionFailed: new catalogue.PreconditionFailed('', {}),
  PayloadTooLarge: new catalogue.PayloadTooLarge(0),
  UnsupportedMediaType: new catalogue.UnsupportedMediaType(''),
  RangeNotSatisfiable: new catalogue.RangeNotSatisfiable(0),
  IdempotencyKeyReused: new catalogue.IdempotencyKeyReused(''),
  ChecksumMismatch: new catalogue.ChecksumMismatch(),
  TooManyRequests: new catalogue.TooManyRequests('', 0),
  BadGateway: new catalogue.BadGateway(''),
  ServiceUnavailable: new catalogue.ServiceUnavailable('', 0),
  GatewayTimeout: new catalogue.GatewayTimeout(''),
  InsufficientStorage: new catalogue.InsufficientStorage(''),
};

describe('the errors of the catalogue', () => {
  it('this test knows all errors of the catalogue', () => {
    const classes = Object.keys(catalogue).filter((name) => /^[A-Z]/.test(name) && name !== 'ClientError');
    expect(Object.keys(ERRORS).sort()).toEqual(classes.sort());
  });

  it('all errors are in the table of the documentation with their status', () => {
    const page = readFileSync(join(packageFolder('docs'), 'api.md'), 'utf8').replace(/ +/g, ' ');
    const rows = Object.values(ERRORS).map(({ status, type }) => `| ${status} | \`${type}\``);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  it('errors are shared responses of the description, except those of single services', () => {
    const shared = new Map(Object.entries(SHARED_ERRORS).map(([status, { name }]) => [Number(status), name]));
    const missing = Object.values(ERRORS).filter(({ status, type }) => shared.get(status) !== type);
    expect(missing.map(({ type }) => type).sort()).toEqual([
      'BadGateway',
      'ChecksumMismatch',
      'GatewayTimeout',
      'Gone',
      'NotAcceptable',
      'PreconditionFailed',
      'RangeNotSatisfiable',
    ]);
  });
});
