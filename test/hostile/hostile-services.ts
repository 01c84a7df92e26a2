import { CONTAINER, get, type HostileGroup, type HostileRequest, LOOSE, VICTIM, withBody } from './hostile-request.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';

/** Services that take a body, as `METHOD path`, with bodies that fit none of them. */
const SERVICES = [
  'POST /@login-renew',
  `POST ${LOOSE}/@move`,
  `POST ${LOOSE}/@copy`,
  `POST ${LOOSE}/@lock`,
  `POST ${LOOSE}/@unlock`,
  `DELETE ${LOOSE}/@lock`,
  `POST ${LOOSE}/@sharing`,
  `POST ${LOOSE}/@workflow/publish`,
  `POST ${LOOSE}/@workflow/no-such-transition`,
  `PATCH ${LOOSE}/@history`,
  `POST ${LOOSE}/@comments`,
  `POST ${LOOSE}/@comments/no-such-comment`,
  `PATCH ${LOOSE}/@comments/no-such-comment`,
  `POST ${LOOSE}/@comments/no-such-comment/@workflow/publish`,
  `POST ${LOOSE}/@aliases`,
  `DELETE ${LOOSE}/@aliases`,
  'POST /@aliases',
  'POST /@users',
  'PATCH /@users/no-such-user',
  'POST /@users/no-such-user/reset-password',
  'POST /@groups',
  'PATCH /@groups/no-such-group',
  'POST /@types',
  'PATCH /@types/No%20Such%20Type',
  'POST /@types/Page',
  'PATCH /@types/Page',
  'PUT /@types/No%20Such%20Type',
  'PATCH /@types/Page/title',
  'DELETE /@types/Page/title',
  'POST /@controlpanels/dexterity-types',
  'PATCH /@controlpanels/dexterity-types/Page',
  'PATCH /@controlpanels/no-such-panel',
  'PATCH /@controlpanels/language',
  'PATCH /@registry',
  'PATCH /@permissions',
  'POST /@roles',
  'PATCH /@roles/No%20Such%20Role',
  'DELETE /@roles/No%20Such%20Role',
  `POST ${LOOSE}/@translations`,
  `DELETE ${LOOSE}/@translations`,
  'POST /@querystring-search',
  'POST /@search',
  'POST /@email-send',
  'POST /@email-notification',
  `POST ${CONTAINER}/@tus-upload`,
  'POST /@content-rules',
  'PATCH /@content-rules',
  'DELETE /@content-rules',
  'POST /@controlpanels/content-rules',
  'PATCH /@controlpanels/content-rules/no-such-rule',
  'POST /@controlpanels/content-rules/no-such-rule/action',
  'PATCH /@controlpanels/content-rules/no-such-rule/condition/0',
  `POST ${LOOSE}/@content-rules/x`,
  'POST /@upgrade',
  'POST /@replace',
  'POST /@chat',
  'POST /@generate',
  `POST ${LOOSE}/@chat`,
  `POST ${LOOSE}/@generate`,
  `POST ${LOOSE}/@form`,
  `POST ${LOOSE}/@schemaform-data`,
  `POST ${LOOSE}/@submit-form`,
  `POST ${LOOSE}/@validate-email-address`,
  `POST ${LOOSE}/@validate-email-token`,
  `DELETE ${LOOSE}/@form-data-clear`,
  `DELETE ${LOOSE}/@form-data/no-such-submission`,
  `POST ${LOOSE}/@working-copy`,
  'POST /@recyclebin',
  'POST /@recyclebin/no-such-item/restore',
  'POST /@logout-none',
  'DELETE /@sessions/no-such-session',
  'DELETE /@sessions/%00',
  'PUT /@site',
  'PATCH /@database',
];

const BODIES = [
  'null',
  '[]',
  '5',
  '"text"',
  '[null,5,{}]',
  '{"data":5,"items":5,"entries":5,"query":5,"source":5,"id":5,"title":5,"username":5,"dry_run":"maybe"}',
];

const BROKEN: [string, unknown][] = [
  [`${LOOSE}/@sharing`, { entries: [null, 5, {}, { id: {}, type: 'x', roles: 5 }] }],
  [
    `${LOOSE}/@sharing`,
    { entries: [{ id: 'admin', type: 'user', roles: { constructor: true, 'No Such Role': true } }], inherit: 'maybe' },
  ],
  [
    `${LOOSE}/@chat`,
    { prompt: 'x', messages: [null, 5, { role: {}, content: [] }], context: [{}], params: 5, stream: 'maybe' },
  ],
  [`${LOOSE}/@generate`, { prompt: '\ud800\u0000', params: { Site: {}, Page: [], Attachment: 'x' }, tools: [{}] }],
  [`${LOOSE}/@workflow/publish`, { comment: {}, effective: 'x', expires: [], include_children: 'maybe' }],
  [`${LOOSE}/@translations`, { id: ['/', {}, 5], language: 5 }],
  [`${LOOSE}/@translations`, { id: `/${'x'.repeat(5000)}` }],
  [`${LOOSE}/@lock`, { stealable: 'maybe', timeout: 'forever' }],
  [`${LOOSE}/@comments`, { text: { data: 5 }, in_reply_to: 'abc' }],
  [`${LOOSE}/@comments`, { text: '\ud800', author_name: {} }],
  [`${LOOSE}/@aliases`, { items: [{ path: '..' }, { path: 5 }, null, { path: '/', datetime: 'x' }] }],
  [
    '/@querystring-search',
    { query: [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: '..::x' }] },
  ],
  [
    '/@querystring-search',
    { query: [{ i: '__proto__', o: 'constructor', v: {} }], sort_on: {}, b_size: 'abc', limit: -1 },
  ],
  [
    '/@querystring-search',
    { query: [{ i: 'created', o: 'plone.app.querystring.operation.date.between', v: 'x' }], metadata_fields: 5 },
  ],
  [
    '/@querystring-search',
    {
      query: Array.from({ length: 2000 }, () => ({
        i: 'Title',
        o: 'plone.app.querystring.operation.string.contains',
        v: 'x',
      })),
    },
  ],
  ['/@users', { username: '../x', email: 'no address', password: 5, roles: 'Manager' }],
  ['/@users', { username: 'a\u0000b', email: 'a@b\r\nBcc: c@d', password: 'x'.repeat(5000), roles: ['No Such Role'] }],
  ['/@groups', { groupname: '', roles: {}, users: 5 }],
  [`${LOOSE}/@schemaform-data`, { block_id: '__proto__', data: { constructor: [] }, captcha: 5, attachments: [] }],
  [`${LOOSE}/@submit-form`, { block_id: 'x'.repeat(5000), data: [null, 5, { field_id: {} }] }],
  [`${LOOSE}/@validate-email-address`, { email: ['a@example.org'], uid: { $ne: 1 } }],
  [`${LOOSE}/@validate-email-token`, { email: 'a@example.org', uid: 'form', otp: 12345678, token: 'x'.repeat(5000) }],
  ['/@email-send', { to: ['a@example.org', null], from: { address: 'a@example.org' }, message: [], name: 5 }],
  ['/@email-send', { to: 'a@example.org\r\nBcc: b@example.org', from: 'a@example.org', message: 'x', subject: {} }],
  [
    '/@email-notification',
    { from: `${'a'.repeat(300)}@example.org`, message: '\ud800', name: '\u0000', subject: '\r\n' },
  ],
  ['/@users/admin/@email-notification', { from: '__proto__', message: { constructor: 1 } }],
];

const REFUSED: [string, string, unknown][] = [
  ['POST', `${CONTAINER}/@move`, { source: CONTAINER }],
  ['POST', `${VICTIM}/@move`, { source: '/' }],
  ['POST', `${CONTAINER}/@move`, { source: ['/no-such-page', 5, null, {}] }],
  ['POST', `${CONTAINER}/@move`, { source: '../../etc/passwd' }],
  ['POST', `${CONTAINER}/@copy`, { source: '/' }],
  ['POST', `${CONTAINER}/@copy`, { source: { '@id': VICTIM } }],
  ['POST', `${VICTIM}/@workflow/__proto__`, {}],
  ['POST', `${VICTIM}/@workflow/constructor`, {}],
  ['POST', `${VICTIM}/@comments`, { text: '\u0000' }],
  ['POST', `${VICTIM}/@comments/__proto__/@workflow/__proto__`, {}],
  ['PATCH', CONTAINER, { ordering: { obj_id: 'no-such-child', delta: 'top' } }],
  ['PATCH', CONTAINER, { ordering: { obj_id: 'victim', delta: 'sideways' } }],
  ['PATCH', CONTAINER, { ordering: { obj_id: {}, delta: {} } }],
  ['PATCH', CONTAINER, { ordering: { obj_id: 'victim', delta: 'top', subset_ids: 'victim' } }],
  ['POST', '/@content-rules/__proto__', {}],
  ['PATCH', '/@content-rules', { 'form.button.Enable': true, rule_ids: ['__proto__', 'constructor'] }],
  ['PATCH', '/@content-rules', { operation: 'move_up', rule_id: {} }],
  ['POST', '/@controlpanels/content-rules', { title: 'a\u0000b', event: 'onAfterAdd' }],
  ['POST', '/@controlpanels/content-rules', { title: '\ud800', event: '__proto__' }],
  ['POST', '/@controlpanels/content-rules', { title: 'x'.repeat(100_000), event: 'onAfterAdd', stop: {} }],
  ['POST', '/@controlpanels/content-rules/x/condition', { type: '__proto__' }],
  ['POST', '/@controlpanels/content-rules/x/action', { type: 'set_field', field: 'a\u0000', value: {} }],
  ['PATCH', '/@permissions', { __proto__: ['Manager'], constructor: { Manager: true }, View: { toString: true } }],
  ['PATCH', '/@permissions', { View: [null, {}], 'cmf.ManagePortal': 5, 'a\u0000': [] }],
  ['POST', '/@roles', { id: '__proto__', title: 'a\u0000b' }],
  ['POST', '/@roles', { id: {}, title: 'x'.repeat(100_000) }],
  ['PATCH', '/', { title: null }],
  ['DELETE', '/', {}],
  ['POST', '/', { '@type': 'Site', title: 'Second' }],
  ['POST', '/@types/Page', { factory: 'Integer', title: 'a\u0000b', id: 'constructor' }],
  ['POST', '/@types/Page', { factory: '__proto__', title: 'x'.repeat(100_000) }],
  ['PATCH', '/@types/Page', { properties: { a: { factory: 'Choice', title: 'A', choices: [null, {}, [[]]] } } }],
  ['PATCH', '/@types/Page', { properties: [], fieldsets: [null, { id: {}, fields: [{}] }], required: {}, layouts: 5 }],
  ['PUT', '/@types/Page', { properties: { a: 5, toString: {} }, fieldsets: { length: 5 }, required: [null] }],
  ['PATCH', '/@types/Site/title', { title: 'Not here' }],
  ['DELETE', '/@types/Site/constructor', {}],
  ['POST', '/@controlpanels/dexterity-types', { id: '../x', title: {}, hasOwnProperty: true }],
  ['PATCH', '/@controlpanels/dexterity-types/Page', { basic: 'no', __proto__: true, constructor: false }],
  ['PATCH', '/@controlpanels/dexterity-types/Site', { folderish: false }],
  ['DELETE', '/@controlpanels/dexterity-types/Site', {}],
];

// A Buffer replaces lone surrogates, which cannot be percent-encoded.
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Lists of terms: fixed ones, and those that are looked for in the database. */
const TERMS = [
  '/@vocabularies/types?title=',
  '/@vocabularies/users?title=',
  '/@vocabularies/subjects?token=',
  '/@vocabularies/plone.app.vocabularies.Catalog?title=',
  '/@vocabularies/plone.app.vocabularies.Catalog?tokens=x&tokens=',
  `${VICTIM}/@sources/language?type=`,
  `${VICTIM}/@querysources/relatedItems?query=`,
  '/@vocabularies/users?b_size=-99999999999999999999&b_start=',
];

/** Bodies in good JSON that the named services do not take, and texts that no term has. */
export function hostileServices(): HostileGroup[] {
  const mixed = SERVICES.flatMap((service) => {
    const [method = 'POST', path = '/'] = service.split(' ');
    return BODIES.map((body) => withBody(method, path, body, false));
  });
  const broken = BROKEN.map(([path, body]): HostileRequest => withBody('POST', path, JSON.stringify(body), false));
  const refused = REFUSED.map(([method, path, body]) => withBody(method, path, JSON.stringify(body), true));
  return [
    { title: 'bodies that no service takes', requests: mixed },
    { title: 'broken requests to services', requests: broken },
    { title: 'operations that cannot be done', requests: refused },
    {
      title: 'hostile terms',
      requests: TERMS.flatMap((address) => HOSTILE_STRINGS.map((text) => get(address + encoded(text)))),
    },
  ];
}
