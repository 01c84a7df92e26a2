import { anchorOf } from '../../../docs/.vitepress/links.ts';
import { closestForm, isServiceName, partsOf } from '../../../src/core/services/address-forms.ts';
import type { Service } from '../../../src/core/services/service.ts';
import type { Document } from '../documents.ts';
import { fencedBlocks } from '../fenced-blocks.ts';

/** A request of an example that the tests run, with the section that it stands in. */
type Example = { method: string; segments: string[]; title: string; address: string };

const DOCUMENTED = 'localhost:8080';

function methodOf(command: string): string {
  const [, method] = /-X (\w+)/.exec(command) ?? [];
  if (method !== undefined) return method;
  return /--json|--data|-F |-T /.test(command) ? 'POST' : 'GET';
}

/** The segments of the addresses that a command asks. */
function addressesIn(command: string): string[][] {
  return [...command.matchAll(/localhost:8080([^\s'"?\\]*)/g)].map(([, path = '']) =>
    path.split('/').filter((segment) => segment !== '' && segment !== '++api++'),
  );
}

/** The requests of the examples of documents, in their order. */
function requestsIn(documents: readonly Document[]): Example[] {
  return documents.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    const [, title = path] = /^# (.*)$/m.exec(text) ?? [];
    return fencedBlocks(text)
      .filter(({ language, flags }) => language === 'sh' && !flags.includes('no-test'))
      .flatMap(({ line, text: commands }) => {
        const heading = lines
          .slice(0, line)
          .findLast((one) => /^##+ /.test(one))
          ?.replace(/^#+ /, '');
        const place = `${path.replace('docs/', '../')}${heading === undefined ? '' : `#${anchorOf(heading)}`}`;
        return commands
          .split(/\bcurl\b/)
          .filter((command) => command.includes(DOCUMENTED))
          .flatMap((command) =>
            addressesIn(command).map((segments) => ({
              method: methodOf(command),
              segments,
              title: heading === undefined ? title : `${title}, ${heading}`,
              address: place,
            })),
          );
      });
  });
}

/** Says how closely a service fits a request: the smallest text is the closest; undefined where it does not. */
function fitOf({ name, method, context, rest = [''] }: Service, example: Example): string | undefined {
  if (method !== example.method) return undefined;
  const at = example.segments.findIndex((segment, i) => isServiceName(segment, i === 0));
  if (name === '') return at === -1 ? '' : undefined;
  if (example.segments[at] !== name || (context === 'site' && at > 0)) return undefined;
  const fit = closestForm(rest.map(partsOf), example.segments.slice(at + 1))?.fit;
  return fit === undefined ? undefined : `${context === 'site' ? 0 : 1}${fit}`;
}

/** The first example of each service. */
export function examplesOf(services: readonly Service[], documents: readonly Document[]): Map<Service, Example> {
  const found = new Map<Service, Example>();
  for (const example of requestsIn(documents)) {
    const fits = services.flatMap((service) => {
      const fit = fitOf(service, example);
      return fit === undefined ? [] : [{ service, fit }];
    });
    const [closest] = fits.sort((a, b) => (a.fit < b.fit ? -1 : 1));
    if (closest && !found.has(closest.service)) found.set(closest.service, example);
  }
  return found;
}
