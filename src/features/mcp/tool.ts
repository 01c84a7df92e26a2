import type { Static, TObject } from 'typebox';
import type { callers } from '#core';
import type { SiteRequests } from './site-requests.ts';

/** The result of a tool: JSON, or text, of the site's content. */
export type ToolResult = unknown;

/** A tool of agents: requests of the API behind a name. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** The scope that the token of an agent needs; visitors have those of `read`. */
  scope: callers.AgentScope;
  input: TObject;
  /** Changes what is there already, rather than adding to it. */
  destructive?: true;
  run(site: SiteRequests, args: never): Promise<ToolResult>;
};

/** Declares a tool: `run` gets arguments that have passed the schema. */
export const defineTool = <Input extends TObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run(site: SiteRequests, args: Static<Input>): Promise<ToolResult>;
  },
): Tool => tool;
