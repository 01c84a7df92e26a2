import { expect } from 'vitest';
import { hangs, type ModelStub, says } from '../../ai/model-stub.ts';
import type { EffectSite, Effects } from './effect.ts';

const ask = ({ site }: EffectSite) => site.request('POST', '/@generate', { json: { prompt: 'When does it open?' } });

/** The effects of the settings of questions to a language model, which is the stub. */
export const modelEffects = (stub: () => ModelStub): Effects => ({
  'ai.enabled': async (context) => {
    stub().reply = says('At nine.');
    expect((await ask(context)).status).toBe(200);
    await context.set('ai', { enabled: false });
    const { status, body } = await ask(context);
    expect([status, body.message]).toEqual([400, expect.stringContaining('AI is disabled')]);
    await context.set('ai', { enabled: true });
  },
  'ai.instructions': async (context) => {
    stub().reply = says('At nine.');
    await context.set('ai', { instructions: 'Answer in rhymes.' });
    await ask(context);
    expect(stub().asked.at(-1)?.text).toContain('Answer in rhymes.');
    await context.set('ai', { instructions: '' });
    await ask(context);
    expect(stub().asked.at(-1)?.text).not.toContain('Answer in rhymes.');
  },
  'ai.max_tokens': async (context) => {
    stub().reply = says('At nine.');
    await context.set('ai', { max_tokens: 50 });
    await ask(context);
    expect(stub().asked.at(-1)?.body.max_tokens).toBe(50);
    await context.set('ai', { max_tokens: 1000 });
  },
  'ai.timeout': async (context) => {
    stub().reply = hangs;
    await context.set('ai', { timeout: 1 });
    expect((await ask(context)).status).toBe(504);
    await context.set('ai', { timeout: 120 });
  },
  'ai.requests_per_hour': async (context) => {
    stub().reply = says('At nine.');
    await context.set('ai', { requests_per_hour: 1 });
    expect((await ask(context)).status).toBe(429);
    await context.set('ai', { requests_per_hour: 60 });
    expect((await ask(context)).status).toBe(200);
  },
});
