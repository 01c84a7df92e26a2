import { Type } from 'typebox';
import { defineService, isStoredFile, noContent, ok, type RequestContext, schemas, VIEW } from '#core';
import { bodyOfForm, MAX_VALUES } from './form-body.ts';
import { maxAttachmentBytes, requireRoom, submitForm } from './submit.ts';

/** Largest body in bytes: the largest files as base64, and the other values. */
const BODY_LIMIT = 15 * 1024 * 1024;
/** Longest id of a block, in characters. */
const MAX_BLOCK_ID = 200;

const BODY = {
  block_id: schemas.Text({
    description: 'The id of the block.',
    minLength: 1,
    maxLength: MAX_BLOCK_ID,
    message: { required: 'Is required.' },
  }),
  data: Type.Union([schemas.AnyObject(), Type.Array(Type.Unknown())], {
    description:
      'Values by the ids of their fields, or a list of `{field_id, value}`. A file is `{data, encoding, filename, content-type}`.',
    message: { required: 'Is required.', other: 'must be an object, or a list of objects' },
  }),
  attachments: Type.Optional(
    schemas.Nullable(schemas.AnyObject({ description: 'Files by their fields, or by any name with a `field_id`.' })),
  ),
  captcha: Type.Optional(
    schemas.Nullable(schemas.AnyObject({ description: 'What the captcha of the form asks for.' })),
  ),
};

/** Front ends send further members of their forms, such as the address of the sender. */
const OTHERS = { additionalProperties: true, description: 'Further members are left out.' };

const FORM = { before: requireRoom, maxFileBytes: maxAttachmentBytes, bodyOf: bodyOfForm };

const RESPONSES = {
  400: {
    description:
      'A problem for each value that does not fit; or the page has no such form, or the captcha was not solved.',
  },
  413: { description: `The body, its files or its values (${MAX_VALUES}) are too many.` },
  429: { description: 'The form was sent too often from this network.' },
};

const submit = (
  { kernel, caller, clientAddress, site, resolved }: RequestContext,
  body: { block_id: string; data: unknown; attachments?: unknown; captcha?: unknown },
) => {
  const { block_id: block, data, attachments, captcha } = body;
  return submitForm({ kernel, caller, clientAddress, site, resolved, block, data, attachments, captcha });
};

/** POST `@schemaform-data`: submits a form (Nick, volto-form-block). Callers who may view the page may submit it. */
export const postSchemaformData = defineService({
  name: '@schemaform-data',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Sends what was filled into a form block: it is checked, kept and mailed as the block says.',
  body: Type.Object(BODY, { ...OTHERS, examples: [{ block_id: 'c1d2', data: { name: 'Ann' } }] }),
  bodyLimit: BODY_LIMIT,
  maxValues: MAX_VALUES,
  form: FORM,
  responses: { 204: { description: 'Taken.' }, ...RESPONSES },
  async run(context) {
    await submit(context, context.body);
    return noContent();
  },
});

/** POST `@submit-form`: submits a form for clients of collective.volto.formsupport, which read the accepted values. */
export const postSubmitForm = defineService({
  name: '@submit-form',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Sends what was filled into a form block, and returns what was taken.',
  tag: 'schemaform-data',
  body: Type.Object(BODY, { ...OTHERS, examples: [{ block_id: 'c1d2', data: [{ field_id: 'name', value: 'Ann' }] }] }),
  bodyLimit: BODY_LIMIT,
  maxValues: MAX_VALUES,
  form: FORM,
  responses: {
    200: {
      description: 'Taken.',
      schema: Type.Object({ data: Type.Array(Type.Object({ field_id: Type.String(), value: Type.Unknown() })) }),
    },
    ...RESPONSES,
  },
  async run(context) {
    const values = await submit(context, context.body);
    const data = [...values]
      .filter(([, value]) => !(Array.isArray(value) && value.some(isStoredFile)))
      .map(([field_id, value]) => ({ field_id, value }));
    return ok({ data });
  },
});
