import { MANAGE_PORTAL } from '../../security/permissions.ts';
import { definePanel } from '../panel.ts';
import { flag, list, plainChoices, several, textsOf, whole } from './setting-forms.ts';

const METHODS = ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const DAY = 24 * 3600;

function originProblem(origin: string): string | undefined {
  const whole = URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin;
  return origin === '*' || whole ? undefined : `"${origin}" must be an origin such as https://www.example.org, or *.`;
}

const headerProblem = (name: string): string | undefined =>
  /^[A-Za-z0-9-]{1,100}$/.test(name) ? undefined : `"${name}" is not the name of a header.`;

/** Which pages of other origins may call the API. Who may change it could let any page act with the rights of its visitors. */
export const corsPanel = definePanel({
  id: 'cors',
  title: 'Cross-origin requests',
  group: 'Security',
  permission: MANAGE_PORTAL,
  settings: [
    list('allow_origin', {
      title: 'Origins',
      description: 'Whose pages may call the API, such as https://www.example.org; * for all.',
      default: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      record: 'canopy.cors.allow_origin',
      problem: originProblem,
    }),
    several('allow_methods', {
      title: 'Methods',
      description: 'What those pages may do.',
      default: METHODS,
      record: 'canopy.cors.allow_methods',
      choices: () => plainChoices(METHODS),
    }),
    list('allow_headers', {
      title: 'Request headers',
      description: 'Headers that those pages may send.',
      default: ['Accept', 'Authorization', 'Content-Type', 'Lock-Token', 'Prefer', 'X-Custom-Header'],
      record: 'canopy.cors.allow_headers',
      problem: headerProblem,
    }),
    list('expose_headers', {
      title: 'Response headers',
      description: 'Headers of answers that those pages may read.',
      default: ['Content-Length', 'Location', 'Content-Disposition'],
      record: 'canopy.cors.expose_headers',
      problem: headerProblem,
    }),
    flag('allow_credentials', {
      title: 'With credentials',
      description: 'Whether browsers send the cookies of the visitor along. Not for all origins.',
      default: false,
      record: 'canopy.cors.allow_credentials',
    }),
    whole('max_age', {
      title: 'Seconds to remember',
      description: 'How long browsers need not ask again.',
      default: 3600,
      minimum: 0,
      maximum: DAY,
      required: true,
      record: 'canopy.cors.max_age',
    }),
  ],
  check: ({ allow_origin: origins, allow_credentials: credentials }) =>
    credentials === true && textsOf(origins).includes('*')
      ? [{ field: 'allow_credentials', message: 'Is not possible with the origin *: name the origins.' }]
      : [],
});
