// A program of a project that uses the client: its types need no others. `scripts/test-packages.mjs` compiles it.
import { type AnyContent, ChangedError, createClient, type ImageAttributes } from '@canopy-server/client';

const canopy = createClient('https://example.org', { onToken: (token) => console.log(token) });

export async function pictures(path: string): Promise<(ImageAttributes | undefined)[]> {
  const all: (ImageAttributes | undefined)[] = [];
  for await (const child of canopy.at(path).children({ size: 10 })) all.push(canopy.images(child));
  return all;
}

export async function rename(path: string, title: string): Promise<AnyContent | undefined> {
  try {
    return await canopy.at(path).update({ title });
  } catch (error) {
    if (error instanceof ChangedError) return undefined;
    throw error;
  }
}
