import { Type } from 'typebox';
import { FieldError, type FieldKind } from '../../types/field-kind.ts';
import { checkText } from '../../types/fields/text.ts';
import { textLimits } from '../../types/value-shapes.ts';
import { collectUids } from '../blocks/resolve-uid.ts';
import { serveLink } from '../blocks/serve-link.ts';

/** Schemes whose addresses a browser runs as code. */
const UNSAFE = /^[\s\p{Cc}]*(?:javascript|data|vbscript)[\s\p{Cc}]*:/iu;

/** An address, such as that of a Link: an internal address is stored by UID and follows its target (plone.restapi, S20). */
export const linkUrl: FieldKind = {
  factories: [{ name: 'URL', tokens: ['URL'], property: { type: 'string', widget: 'url' }, forUsers: true }],
  widgets: ['internal_url'],
  // Listings and links to content lead to the field of this name.
  fieldNames: ['remoteUrl'],
  limits: 'length',
  missing: null,
  shape: (field) => ({ read: Type.String(), write: Type.String({ ...textLimits(field), format: 'uri-reference' }) }),
  links: (value) => (typeof value === 'string' ? [value.trim()] : []),
  deserialize(value, field, context) {
    const url = checkText(value, field).trim();
    if (/[\n\r\t]/.test(url)) throw new FieldError('Must be a single line.');
    if (UNSAFE.test(url)) throw new FieldError('Must not be a javascript:, data: or vbscript: address.');
    return url === '' ? null : context.resolveLink(url);
  },
  uids: (stored) => collectUids(stored),
  serialize: (stored, _field, context) => (typeof stored === 'string' ? serveLink(stored, context.target) : stored),
  rewrite: (stored, _field, { address }) => (typeof stored === 'string' ? address(stored) : stored),
};
