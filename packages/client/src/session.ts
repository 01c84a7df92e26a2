import { isObject } from './json.ts';
import { unlessAborted } from './retry.ts';

/** A token is renewed when less than this part of its life is left. */
const RENEWED_PART = 0.25;

/** The times at which a token of a login was made and expires, in milliseconds since 1970. Undefined for other tokens, such as access tokens. */
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

  /** Replaces or removes the token. */
  set(token: string | undefined): void {
    this.#token = token;
    this.#onToken(token);
  }

  /** Milliseconds after which the next request renews the token. Undefined for a token that is not renewed, such as an expired token. */
  get renewInMs(): number | undefined {
    const life = this.#token === undefined ? undefined : lifeOf(this.#token);
    if (!life || life.to <= Date.now()) return undefined;
    return Math.max(0, life.to - (life.to - life.from) * RENEWED_PART - Date.now());
  }

  /**
   * Renews the token by `renew` when it is old; concurrent requests wait for the same renewal, each until its signal is aborted. If the renewal
   * fails, the old token stays, and the response to the request shows the error.
   */
  async refresh(renew: (token: string) => Promise<string | undefined>, signal: AbortSignal | undefined): Promise<void> {
    const old = this.#token;
    if (old === undefined || (!this.#renewing && this.renewInMs !== 0)) return;
    this.#renewing ??= renew(old)
      .then((token) => {
        // The user may have logged out or in meanwhile.
        if (token !== undefined && this.#token === old) this.set(token);
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    await unlessAborted(this.#renewing, signal);
  }
}
