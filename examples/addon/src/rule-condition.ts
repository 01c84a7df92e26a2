import type { RuleCondition } from 'canopy-server';

/** The condition `example-effort` of content rules: whether something takes at least so many steps. */
export const effortCondition: RuleCondition = {
  name: 'example-effort',
  title: 'Number of steps',
  description: 'Apply only to instructions with many steps',
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['steps'] }],
    properties: { steps: { title: 'Steps', type: 'integer', factory: 'Integer', minimum: 1 } },
    required: ['steps'],
  },
  summary: ({ steps }) => `At least ${steps} steps`,
  passes({ content, values }) {
    const { steps } = content.object.fields;
    const lines = typeof steps === 'string' ? steps.split('\n').filter((line) => line.trim() !== '') : [];
    return lines.length >= Number(values.steps);
  },
};
