import { say } from '../lib/say.ts';
import type { Workflow } from './workflow.ts';

/** Sizes in units of the picture, which grows and shrinks with the window. */
const BOX = { width: 150, height: 44 };
const GAP = { x: 210, y: 120 };
const MARGIN = 24;
/** How far a line bends to its side: two states may lead to each other. */
const BEND = 46;
/** How far along its line the title of a transition stands: beside the state that it leads out of. */
const TITLE_AT = 0.4;

type Point = { x: number; y: number };

/** The steps from the first state to each state; states that nothing leads to come last. */
function depths({ states, transitions, initial_state: first }: Workflow): Map<string, number> {
  const found = new Map<string, number>(first in states ? [[first, 0]] : []);
  const waiting = [...found.keys()];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
    for (const name of states[id]?.transitions ?? []) {
      const next = transitions[name]?.new_state;
      if (next === undefined || !(next in states) || found.has(next)) continue;
      found.set(next, (found.get(id) ?? 0) + 1);
      waiting.push(next);
    }
  const last = Math.max(-1, ...found.values()) + 1;
  for (const id of Object.keys(states)) if (!found.has(id)) found.set(id, last);
  return found;
}

/** The middle of the box of each state: a column for each step. */
function places(workflow: Workflow): Map<string, Point> {
  const columns = new Map<number, number>();
  return new Map(
    [...depths(workflow)].map(([id, depth]) => {
      const row = columns.get(depth) ?? 0;
      columns.set(depth, row + 1);
      return [
        id,
        {
          x: MARGIN + BOX.width / 2 + depth * (BOX.width + GAP.x),
          y: MARGIN + BOX.height / 2 + row * (BOX.height + GAP.y),
        },
      ];
    }),
  );
}

/** Where a line from the middle of a box towards a point leaves the box. */
function edge(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const part = Math.min(BOX.width / 2 / Math.abs(dx || 1e-9), BOX.height / 2 / Math.abs(dy || 1e-9));
  return { x: from.x + dx * part, y: from.y + dy * part };
}

type Line = { from: string; to: string; titles: string[] };

/** A line for each pair of states, with all transitions that lead there. */
function lines({ states, transitions }: Workflow): Line[] {
  const found = new Map<string, Line>();
  for (const [from, state] of Object.entries(states))
    for (const name of state.transitions ?? []) {
      const transition = transitions[name];
      if (!transition || transition.new_state === from || !(transition.new_state in states)) continue;
      const key = JSON.stringify([from, transition.new_state]);
      const line = found.get(key) ?? { from, to: transition.new_state, titles: [] };
      line.titles.push(transition.title || name);
      found.set(key, line);
    }
  return [...found.values()];
}

/** The point of a line at which its title stands. */
function onCurve(start: Point, control: Point, end: Point): Point {
  const [first, middle, last] = [(1 - TITLE_AT) ** 2, 2 * TITLE_AT * (1 - TITLE_AT), TITLE_AT ** 2];
  return {
    x: first * start.x + middle * control.x + last * end.x,
    y: first * start.y + middle * control.y + last * end.y,
  };
}

function Arrow({ a, b, title }: { a: Point; b: Point; title: string }) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const bend = { x: ((b.y - a.y) / length) * BEND, y: (-(b.x - a.x) / length) * BEND };
  const control = { x: (a.x + b.x) / 2 + bend.x, y: (a.y + b.y) / 2 + bend.y };
  const [start, end] = [edge(a, control), edge(b, control)];
  const at = onCurve(start, control, end);
  return (
    <g>
      <path
        className="arrow"
        d={`M${start.x} ${start.y}Q${control.x} ${control.y} ${end.x} ${end.y}`}
        markerEnd="url(#workflow-arrow)"
      />
      <text x={at.x} y={at.y + 4}>
        {title}
      </text>
    </g>
  );
}

/** The states of a workflow as boxes, and its transitions as arrows between them. The tables below have the same as text. */
export function WorkflowPicture({ workflow }: { workflow: Workflow }) {
  const at = places(workflow);
  const width = Math.max(0, ...[...at.values()].map(({ x }) => x)) + BOX.width / 2 + MARGIN;
  const height = Math.max(0, ...[...at.values()].map(({ y }) => y)) + BOX.height / 2 + MARGIN;
  return (
    <svg
      className="workflow"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      role="img"
      aria-label={say('The states and the transitions between them')}
    >
      <defs>
        <marker id="workflow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {lines(workflow).map(({ from, to, titles }) => {
        const [a, b] = [at.get(from), at.get(to)];
        return a && b && <Arrow key={`${from} ${to}`} a={a} b={b} title={titles.join(', ')} />;
      })}
      {[...at].map(([id, { x, y }]) => (
        <g key={id} className={id === workflow.initial_state ? 'state first' : 'state'}>
          <rect x={x - BOX.width / 2} y={y - BOX.height / 2} width={BOX.width} height={BOX.height} rx="6" />
          <text x={x} y={y + 5}>
            {workflow.states[id]?.title || id}
          </text>
        </g>
      ))}
    </svg>
  );
}
