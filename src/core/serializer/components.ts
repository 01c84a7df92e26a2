import { type Static, type StaticDecode, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { JsonObject } from '../../lib/json-object.ts';
import { PartCheck } from '../../lib/schema/check-part.ts';
import { type ParameterParser, parameterParser } from '../../lib/schema/parse-parameters.ts';
import { problemsError } from '../../lib/schema/schema-problems.ts';
import { Slot } from '../../lib/slots.ts';
import type { Site } from '../configuration/site/site.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import { type RenderContext, urlOf } from './render-context.ts';

/** The content of any component. */
export type ComponentContent = JsonObject | JsonObject[];

/** A service of content that can be embedded in its representation. */
export type Component<Content = ComponentContent> = {
  name: string;
  /** The schema of its content. */
  schema?: TSchema;
  /** Says if an object has a link to the component when the request does not expand it; every object unless given. */
  isLinked?(site: Site, resolved: ResolvedNode): boolean;
  /** Says if objects of a site have the component; all sites unless given. Its own address serves the component in any case. */
  isOffered?(site: Site): boolean;
  /**
   * Says if the address of the component serves it to the caller. Representations for other callers have a link instead of its content, so that the
   * rest can be served.
   */
  mayExpand?(context: RenderContext, resolved: ResolvedNode): boolean;
  /** The options of requests for the component, `expand.<component>.<option>`, as `defineComponent` declares them. */
  options?: TObject;
  /** Returns the content of the component, for representations and for its own address. */
  expand(context: RenderContext, resolved: ResolvedNode): Promise<Content>;
};

/** A component as it is declared: `expand` gets the options that the schema `options` declares under their short names. */
type ComponentDeclaration<Properties extends TProperties, Content extends TSchema> = Omit<
  Component,
  'schema' | 'options' | 'expand'
> & {
  schema: Content;
  options?: TObject<Properties>;
  expand: (
    context: RenderContext,
    resolved: ResolvedNode,
    options: StaticDecode<TObject<Properties>>,
  ) => Promise<Static<NoInfer<Content>>>;
};

/**
 * Declares a component. Its `expand` returns the type of `schema`. Options are converted and checked like the query of a service: `expand` throws
 * BadRequest or ValidationFailed for options that do not fit. For an option that is no list, the last value counts.
 */
export function defineComponent<Properties extends TProperties, Content extends TSchema>(
  component: ComponentDeclaration<Properties, Content>,
): Component<Static<Content>> & { schema: Content } {
  const { name, options } = component;
  const parse: ParameterParser = options ? parameterParser(options) : () => ({});
  const check = new PartCheck<StaticDecode<TObject<Properties>>>(options, { others: 'left out' });
  const isList = (option: string): boolean => Type.IsArray(options?.properties[option]);
  return {
    ...component,
    expand: async (context, resolved) => {
      const given = parse((option) => {
        const values = context.expandOptions.get(`expand.${name}.${option}`) ?? [];
        return isList(option) ? values : values.slice(-1);
      });
      const checked = check.check(given);
      if (!('value' in checked)) throw problemsError(checked.problems);
      return component.expand(context, resolved, checked.value);
    },
  };
}

/** The components of a kernel by their names, in alphabetical order. */
export const COMPONENTS = new Slot<ReadonlyMap<string, Component>>('components');

/** Address of a component of an object. */
export const componentUrl = (context: RenderContext, { object }: ResolvedNode, name: string): string =>
  `${urlOf(context.base, object.path)}/@${name}`;

/** `@components` of an object: content for each component that the request expands, and a link for each other component. */
export async function renderComponents(
  context: RenderContext,
  resolved: ResolvedNode,
): Promise<Record<string, ComponentContent>> {
  const rendered: Record<string, ComponentContent> = {};
  const url = urlOf(context.base, resolved.object.path);
  for (const { name, isOffered, isLinked, mayExpand, expand } of context.kernel.slots.get(COMPONENTS).values()) {
    if (isOffered?.(context.site) === false) continue;
    const wanted = context.expand.has(name);
    if (wanted && mayExpand?.(context, resolved) !== false) rendered[name] = await expand(context, resolved);
    else if (wanted || isLinked?.(context.site, resolved) !== false) rendered[name] = { '@id': `${url}/@${name}` };
  }
  return rendered;
}
