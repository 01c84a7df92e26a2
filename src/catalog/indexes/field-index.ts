import { allOf, type CatalogIndex } from '../catalog-index.ts';
import type { Constraint, Range } from '../constraint.ts';
import { readText } from '../read-value.ts';
import type { SqlParameters } from '../sql-parameters.ts';

/** The condition that an expression lies in a range of texts. */
function within(expression: string, values: string[], range: Range, parameters: SqlParameters): string | undefined {
  const sorted = [...values].sort();
  const [least, greatest] = [sorted[0], sorted.at(-1)];
  return allOf([
    range !== 'max' ? `${expression} >= ${parameters.add(least)}::text` : undefined,
    range !== 'min' ? `${expression} <= ${parameters.add(greatest)}::text` : undefined,
  ]);
}

/** The condition of a constraint on a text. `read` turns a client's value into the texts that it stands for. */
function textsCondition(
  index: string,
  expression: string,
  { values, range, not }: Constraint,
  parameters: SqlParameters,
  read: (text: string) => readonly string[] = (text) => [text],
): string | undefined {
  const texts = (list: readonly unknown[]) => list.flatMap((value) => read(readText(index, value)));
  const one = () => `${expression} = any(${parameters.add(texts(values))}::text[])`;
  return allOf([
    values.length === 0 ? undefined : range ? within(expression, texts(values), range, parameters) : one(),
    not.length === 0 ? undefined : `coalesce(${expression} <> all(${parameters.add(texts(not))}::text[]), true)`,
  ]);
}

/** An index with one text for each object: `column` holds it. Repeated values are alternatives. */
export const fieldIndex = (name: string, column: string, read?: (text: string) => readonly string[]): CatalogIndex => ({
  name,
  condition: (constraint, parameters) => textsCondition(name, column, constraint, parameters, read),
  sort: () => column,
});
