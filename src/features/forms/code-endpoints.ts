import { Type } from 'typebox';
import { defineService, mailing, noContent, type RequestContext, requestLimits, requests, schemas, VIEW } from '#core';
import { BadRequest, TooManyRequests } from '#lib/errors';
import { HOUR_MS } from '#lib/time/milliseconds';
import { codePlace, findCode, queueCode } from './email-codes.ts';
import { findForm } from './form-block.ts';

/** Maximum number of codes in an hour to one address, and for one network. */
const MAX_PER_ADDRESS = 5;
const MAX_PER_NETWORK = 30;

const PLACE = {
  email: Type.Refine(
    schemas.Text({ description: 'The address to be verified.', minLength: 1, maxLength: 320 }),
    (text) => mailing.isPlausibleAddress(text.trim()),
    () => 'Is not an e-mail address.',
  ),
  uid: schemas.Text({ description: 'The id of the block of the form.', minLength: 1, maxLength: 200 }),
};

/** Throws BadRequest unless the page has such a form, and the form asks for codes. */
function requireVerifyingForm({ site, resolved }: RequestContext, block: string): void {
  const form = findForm(site, resolved.object, block);
  if (!form) throw new BadRequest('This page has no form with this block_id.');
  if (!form.verifiesAddresses) throw new BadRequest('This form does not verify addresses.');
}

/** POST `@validate-email-address`: mails a code to an address (collective.volto.formsupport, collective.volto.otp). */
export const postEmailAddress = defineService({
  name: '@validate-email-address',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Mails a code to an address, for a form that verifies addresses.',
  tag: 'schemaform-data',
  body: Type.Object(PLACE, { examples: [{ email: 'ann@example.org', uid: 'c1d2' }] }),
  responses: {
    204: { description: 'The code is on its way.' },
    400: { description: 'No address, no such form, or no mail server.' },
    429: { description: 'Too many codes for the address, or from the network.' },
  },
  async run(context) {
    const { kernel, site, resolved, clientAddress, body } = context;
    requireVerifyingForm(context, body.uid);
    if (!mailing.hostOf(kernel, site)) throw new BadRequest(mailing.NO_HOST);
    const place = codePlace(resolved.object.uid, body.uid, body.email);
    const times = { at: new Date(), since: new Date(Date.now() - HOUR_MS) };
    await kernel.db.transaction(async (tx) => {
      const network = { kind: 'form-code-network', sender: requests.networkOf(clientAddress), ...times };
      if (!(await requestLimits.record(tx, network, MAX_PER_NETWORK)))
        throw new TooManyRequests('Your network has asked for too many codes. Try again in an hour.', HOUR_MS / 1000);
      const address = { kind: 'form-code', sender: place.address, ...times };
      if (!(await requestLimits.record(tx, address, MAX_PER_ADDRESS)))
        throw new TooManyRequests('Too many mails go to this address. Try again in an hour.', HOUR_MS / 1000);
      await queueCode(tx, place);
    });
    return noContent();
  },
});

/** POST `@validate-email-token`: says if a code is right. The code stays valid until the form is sent. */
export const postEmailToken = defineService({
  name: '@validate-email-token',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Tells whether the code is the one that was mailed to the address.',
  tag: 'schemaform-data',
  body: Type.Object(
    {
      ...PLACE,
      otp: Type.Optional(schemas.Text({ description: 'The code.', minLength: 1, maxLength: 100 })),
      token: Type.Optional(schemas.Text({ description: 'The code, by the name of older front ends.', maxLength: 100 })),
    },
    { examples: [{ email: 'ann@example.org', uid: 'c1d2', otp: '12345678' }] },
  ),
  check: (_context, { body }) =>
    body.otp === undefined && body.token === undefined ? [{ field: 'otp', message: 'Is required.' }] : [],
  responses: { 204: { description: 'It is.' }, 400: { description: 'It is not, or its time is over.' } },
  async run(context) {
    const { kernel, resolved, body } = context;
    requireVerifyingForm(context, body.uid);
    const place = codePlace(resolved.object.uid, body.uid, body.email);
    if ((await findCode(kernel.db, place, body.otp ?? body.token ?? '')) === undefined)
      throw new BadRequest('The code is wrong, or its time is over.');
    return noContent();
  },
});
