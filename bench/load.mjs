import autocannon from 'autocannon';

/** Loads an address for some seconds; returns requests a second, the median and 99 % latency in ms, and errors. */
export async function load({ url, headers = {}, seconds, connections = 10, request }) {
  const result = await autocannon({
    url,
    headers: { Accept: 'application/json', ...headers },
    connections,
    duration: seconds,
    ...(request === undefined ? {} : { requests: [request] }),
  });
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.timeouts + result.non2xx,
  };
}

/** The median of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
