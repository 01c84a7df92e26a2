import { type TSchema, Type } from 'typebox';
import { VIEW } from '../security/permissions.ts';
import { actions, offeredActions } from '../serializer/components/actions.ts';
import { breadcrumbs, inherit, navroot } from '../serializer/components/ancestors.ts';
import { catalog } from '../serializer/components/catalog.ts';
import { contextnavigation } from '../serializer/components/context-navigation.ts';
import { navigation } from '../serializer/components/navigation.ts';
import type { Component, ComponentContent } from '../serializer/components.ts';
import { ok } from './response.ts';
import { defineService, type Service } from './service.ts';

/** The options of a component under the names that they have in a query, `expand.<component>.<option>`. */
const optionsQuery = ({ name, options }: Component) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(options?.properties ?? {}).map(([option, schema]) => [
        `expand.${name}.${option}`,
        Type.Optional(schema),
      ]),
    ),
  );

/** GET `@<component>`: the content that a component embeds in representations, at an address of its own. */
const componentService = (
  component: Component & { schema: TSchema },
  { summary, cacheable, description }: Pick<Service, 'cacheable' | 'summary'> & { description: string },
): Service =>
  defineService({
    name: `@${component.name}`,
    method: 'GET',
    ...(cacheable ? { cacheable, ignoresOtherParameters: true } : {}),
    context: 'content',
    permission: VIEW,
    summary,
    ...(component.options ? { query: optionsQuery(component) } : {}),
    // The type of the content is checked where the component makes it.
    responses: { 200: { description, schema: Type.Unsafe<ComponentContent>(component.schema) } },
    run: async (context) => ok(await component.expand(context, context.resolved)),
  });

/** GET `@actions`: the entries of menus for the caller. */
const getActions = defineService({
  name: '@actions',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The entries of menus that the caller is offered on the content, by category.',
  query: Type.Object({
    categories: Type.Array(Type.String(), { description: 'Categories; all unless given.', default: [] }),
  }),
  responses: {
    200: { description: 'The entries by category.', schema: actions.schema },
  },
  async run(context) {
    const { categories } = context.query;
    return ok(offeredActions(context, context.resolved, categories.length === 0 ? undefined : categories));
  },
});

/** The components that have addresses of their own. */
export const componentServices: Service[] = [
  getActions,
  componentService(breadcrumbs, {
    cacheable: true,
    summary: 'The way from the navigation root to the content.',
    description: 'The way, from the top.',
  }),
  componentService(catalog, {
    summary: 'The columns that listings can show of the content.',
    description: 'The columns.',
  }),
  componentService(contextnavigation, {
    cacheable: true,
    summary: 'The tree of the section that the content is in.',
    description: 'The tree.',
  }),
  componentService(inherit, {
    cacheable: true,
    summary: 'Values of behaviors from the nearest object at or above the content that has them.',
    description: 'For each behavior: where it comes from, and its fields.',
  }),
  componentService(navigation, {
    cacheable: true,
    summary: 'The tree of content below the navigation root, as deep as expand.navigation.depth says.',
    description: 'The tree.',
  }),
  componentService(navroot, {
    cacheable: true,
    summary: 'The navigation root of the content, without its children.',
    description: 'The navigation root.',
  }),
];
