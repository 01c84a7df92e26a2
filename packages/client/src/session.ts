import { isObject } from './json.ts';
import { unlessAborted } from './retry.ts';

/** A token is renewed when less than this part of its life is left. */
const RENEWED_PART = 0.25;

/** When a token of the login was made and when it expires, in milliseconds since 1970. Undefined for others, such as access tokens. */
function lifeOf(token: string): { from: number; to: number } | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (!isObject(claims) || typeof claims.iat !== 'number' || typeof claims.exp !== 'number') return undefined;
    return { from: claims.iat * 1000, to: claims.exp * 1000 };
  } catch {
    return undefined;
  }
}

/** The token of a client, which is renewed while it is used. */
export class Session {
  #token: string | undefined;
  #renewing: Promise<void> | undefined;
  readonly #onToken: (token: string | undefined) => void;

  constructor(token: string | undefined, onToken: ((token: string | undefined) => void) | undefined) {
    this.#token = token;
    this.#onToken = onToken ?? (() => {});
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Puts another token in place, or none. */
  set(token: string | undefined): void {
    this.#token = token;
    this.#onToken(token);
  }

  /**
   * Milliseconds until the token is renewed with the next request. Undefined for one that is not renewed, such as one that has expired.
   */
  get renewInMs(): number | undefined {
    const life = this.#token === undefined ? undefined : lifeOf(this.#token);
    if (!life || life.to <= Date.now()) return undefined;
    return Math.max(0, life.to - (life.to - life.from) * RENEWED_PART - Date.now());
  }

  /**
   * Renews the token by `renew` when it is old; requests at the same time wait for the one renewal, each until its signal ends it. Where
   * the renewal fails the old token stays, and the request shows what is wrong with it.
   */
  async refresh(renew: (token: string) => Promise<string | undefined>, signal: AbortSignal | undefined): Promise<void> {
    const old = this.#token;
    if (old === undefined || (!this.#renewing && this.renewInMs !== 0)) return;
    this.#renewing ??= renew(old)
      .then((token) => {
        // Somebody may have logged out or in meanwhile.
        if (token !== undefined && this.#token === old) this.set(token);
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    await unlessAborted(this.#renewing, signal);
  }
}
