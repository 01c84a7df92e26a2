import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { describeQuickestEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** The types of `@plone/types` by the requests whose responses have them. */
const RECORDED: [type: string, path: string][] = [
  ['Content', '/page'],
  ['GetSearchResponse', '/@search?metadata_fields=_all'],
  ['BreadcrumbsResponse', '/page/@breadcrumbs'],
  ['NavigationResponse', '/@navigation'],
  ['ActionsResponse', '/page/@actions'],
  ['ContextNavigationResponse', '/page/@contextnavigation'],
  ['WorkflowResponse', '/page/@workflow'],
  ['GetTypesResponse', '/@types'],
  ['GetTypeResponse', '/@types/Document'],
  ['GetHistoryResponse', '/page/@history'],
  ['GetUsersResponse', '/@users'],
  ['GetCommentsResponse', '/page/@comments'],
  ['GetVocabulariesListResponse', '/@vocabularies'],
  ['GetVocabulariesResponse', '/@vocabularies/plone.app.vocabularies.ReallyUserFriendlyTypes'],
  ['GetAliasesResponse', '/page/@aliases'],
  ['GetSiteResponse', '/@site'],
  ['GetRolesResponse', '/@roles'],
];

/**
 * Components are compared one by one: as a whole they have the site in a form that neither Plone nor Canopy returns there. The other members are
 * not as the types have them in Plone, either: `{}` for no neighbour, the name of a version, a list of texts. Empty rights are null here.
 */
const PARTS: Record<string, string> = {
  Content: "Omit<Content, '@components' | 'next_item' | 'previous_item' | 'rights' | 'subjects' | 'version'>",
};

const withoutNull = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, value === null ? '' : value]));

const navigation = (body: Json): Json => ({ ...body, items: body.items.map(withoutNull) });

// Both members are lists in Plone, too.
const workflow = (body: Json): Json => ({ ...body, history: body.history[0], transitions: body.transitions[0] });

/** Takes away the differences between responses and types that Plone's own responses have, too, and those that `docs` name. */
const ADAPTED: Record<string, (body: Json) => Json> = {
  // Pages have `preview_caption_link` in Volto and in Plone.
  Content: (body) => ({ ...body, preview_caption: null }),
  // A date that is not set is null here (docs/differences-from-plone.md). The site has no workflow state, and `getIcon` is a truth value in Plone.
  GetSearchResponse: (body) => ({
    ...body,
    items: body.items.map(({ expires, effective, review_state, ...item }: Json) => ({
      ...item,
      ...withoutNull({ expires, effective, review_state }),
      getIcon: null,
    })),
  }),
  NavigationResponse: navigation,
  WorkflowResponse: workflow,
  // Plone has null for what somebody has not said about themselves.
  GetUsersResponse: (body) => body.map((user: Json) => ({ ...withoutNull(user), portrait: user.portrait })),
};

const CONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2023', module: 'preserve', types: [] },
    pretty: false,
  },
  include: ['*.ts'],
};

describeQuickestEngine('the types of Seven and Volto (@plone/types)', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  let folder: string | undefined;

  beforeAll(async () => {
    // Beside the sources, so that the compiler finds the packages of types.
    folder = await mkdtemp(join(packageFolder('test/client'), 'plone-types-'));
    const json = { '@type': 'Document', id: 'page', title: 'Page', subjects: ['one'], allow_discussion: true };
    await site.request('PATCH', '/@controlpanels/discussion', { json: { globally_enabled: true } });
    expect((await site.request('POST', '/', { json })).status).toBe(201);
    await site.request('PATCH', '/page', { json: { title: 'The page' } });
    await site.request('POST', '/page/@comments', { json: { text: 'A comment' } });
  });
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** The problems that the compiler has with a response of a type. */
  const problems = async (recorded: Map<string, Json>): Promise<string[]> => {
    if (folder === undefined) throw new Error('There is no folder.');
    const program = [...recorded].map(([type, body], at) => {
      const value = JSON.stringify(body, null, 1).replace(/("@type": "[^"]*")/g, '$1 as const');
      return `const r${at} = ${value};\nexport const ${type}_: ${PARTS[type] ?? type} = r${at};`;
    });
    const names = [...recorded.keys()].join(', ');
    await writeFile(
      join(folder, 'recorded.ts'),
      `import type { ${names} } from '@plone/types';\n${program.join('\n')}\n`,
    );
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    const compiler = packageFolder('node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    return stdout.split(/\n(?=\S)/).filter((line) => line.trim() !== '');
  };

  it('Responses of the server have the types, apart from those that Plone itself does not have.', async () => {
    const recorded = new Map<string, Json>();
    for (const [type, path] of RECORDED) {
      const { status, body } = await site.request('GET', path);
      expect(status, path).toBe(200);
      recorded.set(type, ADAPTED[type]?.(body) ?? body);
    }
    const found = await problems(recorded);
    expect(found).toEqual([]);
  });
});
