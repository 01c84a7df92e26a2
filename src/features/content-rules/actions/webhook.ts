import { type contentRules, message, siteAddress } from '#core';
import { BadRequest } from '#lib/errors';
import { addressProblem } from '#lib/http/outgoing-request';
import { isJsonObject, mapItems, mapValues, textOf } from '#lib/json-object';
import { area, elementSchema, line } from '../element-schema.ts';
import { queueWebhook, WEBHOOK_METHODS, type WebhookRequest } from '../webhook-request.ts';

/** Returns JSON in which `change` has replaced each text. */
async function withTexts(value: unknown, change: (text: string) => Promise<string>): Promise<unknown> {
  const texts = new Set<string>();
  const collect = (part: unknown): unknown => {
    if (typeof part === 'string') texts.add(part);
    else if (Array.isArray(part)) part.forEach(collect);
    else if (isJsonObject(part)) Object.values(part).forEach(collect);
    return part;
  };
  collect(value);
  const changed = new Map<string, string>();
  for (const text of texts) changed.set(text, await change(text));
  const replace = (part: unknown): unknown => {
    if (typeof part === 'string') return changed.get(part) ?? part;
    if (Array.isArray(part)) return mapItems(part, replace);
    return isJsonObject(part) ? mapValues(part, replace) : part;
  };
  return replace(value);
}

/** The JSON of a text; undefined for a text of another kind. */
function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The body of a request when the action has no body of its own. */
function plainBody({ kernel, site, rule, event, content: { object }, actor }: contentRules.ActionContext): object {
  return {
    event: event.name,
    rule: rule.id,
    '@id': siteAddress.ofContent(kernel, site, object.path),
    '@type': object.type,
    UID: object.uid,
    path: object.path,
    title: object.title,
    review_state: object.reviewState,
    user: actor.id,
    at: new Date().toISOString(),
    ...(event.comment ? { comment: event.comment.id } : {}),
    ...(event.user === undefined ? {} : { subject: event.user }),
  };
}

/** Sends a request to another system, after the commit. */
export const webhook: contentRules.Action = {
  name: 'webhook',
  title: 'Call another system',
  description: 'Send a request with JSON to an address, once the change is stored',
  schema: elementSchema(
    {
      url: line('Address', 'Where to, such as https://hooks.example.org/content.', { maxLength: 2000 }),
      method: {
        title: 'Method',
        description: 'The method of the request.',
        type: 'string',
        factory: 'Choice',
        choices: WEBHOOK_METHODS.map((method) => [method, method]),
        default: 'POST',
      },
      body: area(
        'Body',
        'JSON. Its texts may contain the same places for values as mails. Empty sends the event with the address, type, title and state of the content.',
      ),
    },
    ['url', 'method'],
  ),
  check({ url, body }) {
    const problem = addressProblem(textOf(url));
    return [
      ...(problem === undefined ? [] : [{ field: 'url', message: problem }]),
      ...(textOf(body).trim() === '' || parseJson(textOf(body)) ? [] : [{ field: 'body', message: 'Is no JSON.' }]),
    ];
  },
  summary: ({ method, url }) => message(`Send ${textOf(method)} to ${textOf(url)}`),
  async run(context) {
    const { tx, rule, content, values, substitute } = context;
    const own = parseJson(textOf(values.body));
    const body = own ? await withTexts(own.value, substitute) : plainBody(context);
    const request: WebhookRequest = {
      url: textOf(values.url),
      method: textOf(values.method),
      body: JSON.stringify(body),
    };
    if (!(await queueWebhook(tx, { rule: rule.id, path: content.object.path, request })))
      throw new BadRequest('Too many requests wait to be sent: this one is not.');
  },
};
