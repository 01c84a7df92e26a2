import { definePanel, settings } from '#core';

/** The longest time for an answer, in seconds: connections are cut after 300. */
export const MAX_ANSWER_SECONDS = 280;

/** Questions to the language model. The model is chosen by the environment of the process (`LLM_URL`, `LLM_MODEL`). */
export const modelPanel = definePanel({
  id: 'ai',
  title: 'Language model',
  group: 'Content',
  settings: [
    settings.flag('enabled', {
      title: 'Answer questions',
      description: 'Whether questions are passed on to the language model. The server has to be configured for one.',
      default: true,
      record: 'canopy.ai.enabled',
    }),
    settings.lines('instructions', {
      title: 'Instructions',
      description: 'Instructions that the model gets with each question, such as the tone of its answers.',
      default: '',
      maxLength: 4000,
      record: 'canopy.ai.instructions',
    }),
    settings.whole('requests_per_hour', {
      title: 'Questions in an hour',
      description: 'Of each user.',
      default: 60,
      minimum: 1,
      maximum: 1000,
      record: 'canopy.ai.requests_per_hour',
    }),
    settings.whole('max_tokens', {
      title: 'Length of an answer',
      description: 'In tokens of the model; four are about three words.',
      default: 1000,
      minimum: 16,
      maximum: 32_000,
      record: 'canopy.ai.max_tokens',
    }),
    settings.whole('timeout', {
      title: 'Time for an answer',
      description: 'In seconds. A question that takes longer is given up.',
      default: 120,
      minimum: 1,
      maximum: MAX_ANSWER_SECONDS,
      record: 'canopy.ai.timeout',
    }),
  ],
});
