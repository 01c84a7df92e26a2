import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ApiDocument } from './document.ts';
import { type MayUse, siteSchemas } from './type-schemas.ts';
import { REFERENCE, usedSchemas } from './used-schemas.ts';

/** Bodies of content, by method: the component that replaces the general body. */
const BODIES: Readonly<Record<string, string>> = { post: 'ContentCreate', patch: 'ContentChange' };
/** The addresses of content itself. */
const CONTENT = ['/', '/{path}'];

/** The schema of the index names, which stays in the document although nothing refers to it: the parameters of searches are open. */
const INDEXES = { $ref: `${REFERENCE}SearchIndex` };

/** An operation on content whose body has the schemas of the types. */
function withTypedBody(operation: unknown, component: string): unknown {
  if (!isJsonObject(operation) || !isJsonObject(operation.requestBody)) return operation;
  const { requestBody } = operation;
  const content = isJsonObject(requestBody.content) ? requestBody.content : {};
  const json = { schema: { $ref: `${REFERENCE}${component}` } };
  return { ...operation, requestBody: { ...requestBody, content: { ...content, 'application/json': json } } };
}

function withTypedBodies(paths: JsonObject): JsonObject {
  const typed: JsonObject = { ...paths };
  for (const template of CONTENT) {
    const item = paths[template];
    if (!isJsonObject(item)) continue;
    typed[template] = Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const component = BODIES[method];
        return [method, component === undefined ? operation : withTypedBody(operation, component)];
      }),
    );
  }
  return typed;
}

/**
 * A document with a schema for each content type of a site and each direction, with `@type` as the discriminator, in place of the general schemas.
 * Schemas without a reference are then left out, as are fields whose permission fails `mayUse`.
 */
export function withTypes(document: ApiDocument, kernel: Kernel, site: Site, mayUse: MayUse): ApiDocument {
  const { schemas: general, ...components } = document.components;
  const schemas = { ...(isJsonObject(general) ? general : {}), ...siteSchemas(kernel, site, mayUse) };
  const paths = withTypedBodies(document.paths);
  return {
    ...document,
    paths,
    components: { ...components, schemas: usedSchemas(schemas, [paths, components, INDEXES]) },
  };
}
