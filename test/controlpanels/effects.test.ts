import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelStub, startModelStub } from '../ai/model-stub.ts';
import { quickestEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { AGENT_EFFECTS } from './effects/agent-effects.ts';
import { CACHING_EFFECTS } from './effects/caching-effects.ts';
import { CONTENT_EFFECTS } from './effects/content-effects.ts';
import { DISCUSSION_EFFECTS } from './effects/discussion-effects.ts';
import { effectSite } from './effects/effect.ts';
import { FORM_EFFECTS } from './effects/form-effects.ts';
import { modelEffects } from './effects/model-effects.ts';
import { PEOPLE_EFFECTS } from './effects/people-effects.ts';
import { RELEASE_EFFECTS } from './effects/release-effects.ts';
import { SITE_EFFECTS } from './effects/site-effects.ts';
import { UPLOAD_EFFECTS } from './effects/upload-effects.ts';

let stub: ModelStub;
const EFFECTS = {
  ...SITE_EFFECTS,
  ...CONTENT_EFFECTS,
  ...DISCUSSION_EFFECTS,
  ...FORM_EFFECTS,
  ...PEOPLE_EFFECTS,
  ...UPLOAD_EFFECTS,
  ...CACHING_EFFECTS,
  ...AGENT_EFFECTS,
  ...RELEASE_EFFECTS,
  ...modelEffects(() => stub),
};

describe('a setting that is offered', () => {
  beforeAll(async () => {
    stub = await startModelStub();
  });
  afterAll(() => stub?.close());
  const site = useTestSite(quickestEngine(), () => ({
    environment: { LLM_URL: stub.url, LLM_MODEL: 'test-model', WEBHOOK_PRIVATE_ADDRESSES: '1' },
  }));
  const context = effectSite(site);

  it('every setting of the control panels has a test of its effect', () => {
    const offered = site.kernel.panels
      .all()
      .filter(({ store }) => store === undefined)
      .flatMap(({ id, settings }) =>
        settings.filter(({ withoutEffect }) => !withoutEffect).map(({ name }) => `${id}.${name}`),
      );
    expect(Object.keys(EFFECTS).sort()).toEqual(offered.sort());
  });

  it.each(Object.entries(EFFECTS))('the setting %s has its effect', async (_name, effect) => {
    await effect(context);
  });
});
