import type { RenderContext } from '../render-context.ts';

/**
 * The options of one component under their short names: `expand.navigation.depth=2` as `depth=2`. Of several values
 * the last one stays.
 */
export function componentOptions({ expandOptions }: RenderContext, component: string): URLSearchParams {
  const prefix = `expand.${component}.`;
  const options = new URLSearchParams();
  for (const [name, values] of expandOptions) {
    const value = values.at(-1);
    if (name.startsWith(prefix) && value !== undefined) options.set(name.slice(prefix.length), value);
  }
  return options;
}
