import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { SharedSite } from '../support/use-site.ts';

/** The revisions of the protocol: the present one without a handshake, and the one before with one. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

/** An agent that speaks the protocol with its own client. */
export class Agent {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** Connects an agent with a token, or one of a visitor. */
  static async connect(
    site: Pick<SharedSite, 'url'>,
    token: string | null,
    revision: Revision = '2026-07-28',
    path = '/@mcp',
  ): Promise<Agent> {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
    );
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(path, site.url), { requestInit: { headers } }));
    return new Agent(client);
  }

  /** The names of the tools. */
  async tools(): Promise<string[]> {
    const { tools } = await this.client.listTools();
    return tools.map(({ name }) => name);
  }

  /** The text of a tool's result, and if it is an error. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; failed: boolean }> {
    const { content, isError = false } = await this.client.callTool({ name, arguments: args });
    const text = Array.isArray(content)
      ? content.map((part) => ('text' in part ? String(part.text) : '')).join('')
      : '';
    return { text, failed: isError === true };
  }

  /** The JSON between the marks of a result. Throws for an error. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  async json(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const { text, failed } = await this.call(name, args);
    if (failed) throw new Error(text);
    return JSON.parse(dataIn(text));
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The data between the marks of a result. */
export function dataIn(text: string): string {
  const [, mark = ''] = /^Content of the site, from mark (\S+) to mark/.exec(text) ?? [];
  const begin = text.indexOf(`<${mark}>\n`) + mark.length + 3;
  return text.slice(begin, text.indexOf(`\n</${mark}>`));
}
