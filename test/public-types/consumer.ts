// scripts/test-packages.mjs compiles this file against the declarations of the packed tarball: it has what packages may write, and
// what they
// may not.
import {
  BadRequest,
  type CanopyConfig,
  type Command,
  callers,
  componentUrl,
  createContent,
  created,
  customIndex,
  defineComponent,
  defineConfig,
  defineFeature,
  definePanel,
  defineService,
  type EventDescriptions,
  Extensible,
  type Feature,
  findContent,
  findContents,
  type JobAction,
  type Kernel,
  mailing,
  noContent,
  ok,
  panelSettings,
  queryContent,
  type RuleAction,
  type RuleCondition,
  type Site,
  say,
  settings,
  Type,
  urlOf,
} from 'canopy-server';
import { type RunningSite, startSite } from 'canopy-server/testing';

const panel = definePanel({
  id: 'shop',
  title: 'Shop',
  group: 'Content',
  settings: [
    settings.whole('shelves', { title: 'Shelves', description: '', default: 3, minimum: 1, maximum: 9 }),
    settings.flag('open', { title: 'Open', description: '', default: true }),
  ],
});

export const open = (site: Site): boolean => panelSettings(site, panel).open;
// @ts-expect-error a setting that the panel does not have
export const closed = (site: Site) => panelSettings(site, panel).closed;

const service = defineService({
  name: '@shop',
  method: 'POST',
  context: 'content',
  permission: null,
  summary: 'Buys.',
  rest: ['{article}'],
  query: Type.Object({ count: Type.Optional(Type.Integer()) }),
  body: Type.Object({ name: Type.String() }),
  responses: {
    200: {
      description: 'Bought.',
      schema: Type.Object({
        article: Type.String(),
        count: Type.Optional(Type.Integer()),
        total: Type.Integer(),
        page: Type.Optional(Type.String()),
        title: Type.Optional(Type.String()),
        url: Type.String(),
        here: Type.String(),
      }),
    },
  },
  async run({ params, query, body, kernel, db, site, caller, base, resolved }) {
    const article: string = params.article;
    const count: number | undefined = query.count;
    const name: string = body.name;
    // @ts-expect-error a number is no text
    const wrong: string = query.count;
    // @ts-expect-error the body has no such member
    if (wrong === body.price) throw new BadRequest('No.');
    const found = await findContent(kernel, '/news');
    const [page] = await findContents(db, { uids: [article] });
    const { total } = await queryContent({ db, site, caller }, { where: { portal_type: ['Page'] }, limit: 1 });
    // @ts-expect-error a query says how much it returns at most
    await queryContent({ db, site, caller }, {});
    const path = await createContent({ kernel }, { caller, container: '/', input: { '@type': 'Page', title: name } });
    return ok({
      article,
      ...(count === undefined ? {} : { count }),
      total,
      ...(page ? { page: page.object.uid } : {}),
      ...(found ? { title: found.object.title } : {}),
      url: urlOf(base, path),
      here: resolved.object.path,
    });
  },
});

// @ts-expect-error a service says under which permission it is
defineService({
  name: '@bad',
  method: 'GET',
  context: 'content',
  summary: 'Bad.',
  responses: { 204: { description: 'Done.' } },
  run: async () => noContent(),
});

const Shelf = Type.Object({ kind: Type.Literal('shelf'), boards: Type.Integer() });
const shelf = {
  name: '@shelf',
  method: 'GET',
  context: 'content',
  permission: null,
  summary: 'A shelf.',
  responses: { 200: { description: 'A shelf.', schema: Shelf } },
} as const;
export const shelves = [
  defineService({ ...shelf, run: async (_context) => ok({ kind: 'shelf', boards: 3 }) }),
  // @ts-expect-error a shelf has boards
  defineService({ ...shelf, run: async (_context) => ok({ kind: 'shelf' }) }),
  // @ts-expect-error the boards are a number
  defineService({ ...shelf, run: async (_context) => ok({ kind: 'shelf', boards: '3' }) }),
  // @ts-expect-error a shelf has no drawers
  defineService({ ...shelf, run: async (_context) => ok({ kind: 'shelf', boards: 3, drawers: 1 }) }),
  // @ts-expect-error the service does not declare 201
  defineService({ ...shelf, run: async (_context) => created({ kind: 'shelf', boards: 3 }) }),
];

export const component = defineComponent({
  name: 'shelf',
  schema: Extensible({ '@id': Type.String() }),
  expand: async (context, resolved) => ({ '@id': componentUrl(context, resolved, 'shelf'), boards: 3 }),
});
// @ts-expect-error a component returns what its schema says
defineComponent({ name: 'shelf', schema: Shelf, expand: async (_context) => ({ boards: '3' }) });

declare module 'canopy-server' {
  interface PackageEvents {
    'shop.sold': { oid: number; count: number };
  }
}

const events: EventDescriptions<'shop.sold'> = {
  'shop.sold': {
    record: { entry: ({ oid, count }) => ({ action: 'shop.sold', content: oid, data: { count } }) },
    rules: null,
    caches: null,
    changes: null,
  },
};

export async function sell(kernel: Kernel, site: Site): Promise<void> {
  await kernel.db.transaction(async (tx) => {
    await kernel.events.emit('shop.sold', { oid: 1, count: 2 }, { tx, caller: callers.ADMINISTRATOR });
    // @ts-expect-error an event has the data that its type says
    await kernel.events.emit('shop.sold', { oid: 1 }, { tx, caller: callers.ADMINISTRATOR });
    const to = [{ name: '', address: 'shop@example.org' }];
    if (mailing.hostOf(kernel, site)) await mailing.queue(tx, { to, subject: say(site, 'Sold'), text: 'Two.' });
  });
}

const job: JobAction = {
  name: 'tidy',
  title: 'Tidy',
  description: '',
  schema: { fieldsets: [], properties: {}, required: [] },
  exclusive: true,
  run: async ({ kernel, signal }) => ({
    paths: (await kernel.db.query({ text: 'select 1' })).length,
    over: signal.aborted,
  }),
};

const command: Command = {
  name: 'tidy',
  summary: 'tidy up',
  example: 'tidy',
  run: async ({ open: openSite }) => ((await openSite()) ? 0 : 1),
};

export const feature: Feature = defineFeature({
  name: 'shop',
  events,
  services: [service],
  panels: [panel],
  jobActions: [job],
  schedules: [{ id: 'shop-tidy', title: 'Tidy', action: 'tidy', schedule: '0 3 * * *' }],
  guardConditions: [
    {
      name: 'shop.sold',
      passes: () => true,
      refuse: async (_tx, { oids }) => new Map(oids.map((oid) => [oid, 'No.'])),
    },
  ],
  profile: {
    title: 'Shop',
    version: '1',
    installed: async ({ kernel, tx, caller }) =>
      void (await createContent({ kernel, tx }, { caller, container: '/', input: {} })),
  },
  commands: [command],
  indexes: [customIndex('shelf', 'number', ({ fields }) => fields.shelf)],
  permissions: { 'Shop: Buy': ['Authenticated'] },
  subscribe({ events }: Kernel) {
    events.on('content.created', async ({ oid }, { tx }) => {
      await tx.query({ text: 'select $1::bigint', values: [oid] });
    });
    // @ts-expect-error there is no such event
    events.on('content.sold', () => {});
  },
});

// @ts-expect-error features have no such key
defineFeature({ name: 'shop', endpoints: [] });

export const config: CanopyConfig = defineConfig({
  features: ['./shop', ['./shelf', { size: 3 }], feature],
  settings: { PORT: 80 },
});
// @ts-expect-error there is no such setting
defineConfig({ settings: { PROT: 80 } });

export const site: Promise<RunningSite> = startSite({ features: [feature], profile: 'plone' });

export const expensive: RuleCondition = {
  name: 'shop-expensive',
  title: 'Expensive',
  description: '',
  schema: { fieldsets: [], properties: {}, required: [] },
  summary: ({ least }) => `At least ${least}`,
  passes: ({ content, values }) => Number(content.object.fields.price) >= Number(values.least),
};

export const order: RuleAction = {
  name: 'shop-order',
  title: 'Order',
  description: '',
  schema: { fieldsets: [], properties: {}, required: [] },
  summary: () => 'Order',
  async run({ tx, caller, content, substitute }) {
    const text: string = await substitute(content.object.title);
    // @ts-expect-error a text is no number
    const wrong: number = text;
    await tx.query({ text: 'select $1', values: [caller.id, wrong] });
  },
};

// @ts-expect-error an action has to do something
export const idle: RuleAction = { ...order, run: undefined };
