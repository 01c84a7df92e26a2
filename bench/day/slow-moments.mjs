/** The most moments that are returned. */
const MAX_MOMENTS = 8;

/** How many there are of each name, the most frequent first: `page (8), search (2)`. */
function countsOf(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ');
}

/**
 * The moments at which a site was slow, in the order of their time, the longest if there are many: requests of `limitMs` and more that waited
 * at the same time are one moment, as they have one cause. Returns `{ from, to, longest, names }`: moments in milliseconds of the process,
 * the milliseconds of the slowest request and its name, and how many late requests there were of each name.
 *
 * @param {{ name: string, due: number, ms: number }[]} requests
 */
export function slowMoments(requests, limitMs) {
  const late = requests.filter(({ ms }) => ms >= limitMs).sort((a, b) => a.due - b.due);
  const moments = [];
  for (const request of late) {
    const last = moments.at(-1);
    if (last !== undefined && request.due < last.to) {
      last.requests.push(request);
      last.to = Math.max(last.to, request.due + request.ms);
    } else moments.push({ from: request.due, to: request.due + request.ms, requests: [request] });
  }
  return moments
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MAX_MOMENTS)
    .sort((a, b) => a.from - b.from)
    .map(({ requests: all, from, to }) => ({
      ...{ from, to, names: countsOf(all.map(({ name }) => name)) },
      longest: all.reduce((longest, request) => (request.ms > longest.ms ? request : longest)),
    }));
}
