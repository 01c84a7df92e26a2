import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../docs/.vitepress/links.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { documents } from './documents.ts';

const ROOT = packageFolder('.');
/** Milliseconds for a build of the site. */
const PATIENCE_MS = 300_000;

const pages = documents()
  .filter(({ path }) => path.startsWith('docs/'))
  .map(({ path }) => pageOf(posix.relative('docs', path)));

describe('the built site of the documentation', () => {
  let out: string;
  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), 'canopy-site-'));
    const { status, stdout, stderr } = spawnSync('npm', ['run', 'docs', '--', '--outDir', out], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    // A dead link ends the build.
    if (status !== 0) throw new Error(`The build ended with ${status}\n${stdout}\n${stderr}`);
  }, PATIENCE_MS);
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  const read = (path: string): string => readFileSync(join(out, path), 'utf8');
  const htmlOf = (page: string): string => page.replace(/\.md$/, '.html');

  it('each page is there as HTML and as Markdown, and the HTML names the Markdown', () => {
    for (const page of pages) {
      expect(read(htmlOf(page)), page).toContain(`<link rel="alternate" type="text/markdown" href="/${page}">`);
      expect(read(page), page).toMatch(/^# /);
    }
  });

  it('llms.txt leads to files of the site', () => {
    const targets = [...read('llms.txt').matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, target = '']) => target);
    const local = targets.filter((target) => !target.startsWith('https:'));
    expect(local).toHaveLength(pages.length - 1);
    expect(local.filter((target) => !existsSync(join(out, target)))).toEqual([]);
  });

  it('links between pages lead to a page and to an anchor that it has', () => {
    const dead = pages.flatMap((page) => {
      const html = read(htmlOf(page));
      const body = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      const hrefs = [...body.matchAll(/<a [^>]*?href="(?!https?:|mailto:)([^"]*)"/g)].map(([, href = '']) => href);
      return hrefs
        .filter((href) => {
          const [path = '', anchor] = decodeURIComponent(href).split('#');
          const target =
            path === '' ? htmlOf(page) : posix.join(path.startsWith('/') ? '.' : posix.dirname(page), path);
          const file = target.endsWith('/') ? `${target}index.html` : target;
          if (!existsSync(join(out, file))) return true;
          return anchor !== undefined && !read(file).includes(`id="${anchor}"`);
        })
        .map((href) => `${page}: ${href}`);
    });
    expect(dead).toEqual([]);
  });

  it('the search finds words of all pages', () => {
    const chunks = readdirSync(join(out, 'assets'), { recursive: true, encoding: 'utf8' });
    const index = chunks.filter((name) => /localSearchIndex.*\.js$/.test(name));
    expect(index).toHaveLength(1);
    const text = read(join('assets', index[0] ?? ''));
    expect(pages.filter((page) => !text.includes(htmlOf(page).replace(/index\.html$|\.html$/, '')))).toEqual([]);
  });
});
