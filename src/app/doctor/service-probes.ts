import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../core/configuration/environment/config.ts';
import type { LoginProvider } from '../../core/configuration/site/login-provider.ts';
import { openBlobStore } from '../../core/files/blobs/open-blob-store.ts';
import type { MailHost } from '../../core/queue/mail/mail-host.ts';
import { sendMail, tryMailHost } from '../../core/queue/mail/send-mail.ts';
import { askModel } from '../../features/ai/model-client.ts';
import { ProviderClients } from '../../features/openid/provider.ts';
import { embed } from '../../features/related/embedding-client.ts';
import { ClientError } from '../../lib/errors.ts';
import { OutsideService } from '../../lib/http/outside-service.ts';
import type { Log } from '../../lib/process/process.ts';
import { ok, type Probe, type ProbeResult, skipped } from './probe.ts';

/** Maximum length of the answer of a model, in tokens, which is enough to see that the model works. */
const MAX_TOKENS = 16;

/** Writes, reads and removes a file in the store. */
export function storageProbe({ dataDir, s3 }: Config): Probe {
  const folder = resolve(dataDir);
  return {
    name: 'storage',
    advice: s3
      ? 'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the keys, which need GetObject, PutObject, DeleteObject and ListBucket.'
      : `Let the user of the server write into ${folder}.`,
    async run() {
      const isThere = existsSync(folder);
      if (!s3 && !isThere) return skipped(`There is no folder ${folder} yet: canopy start makes it.`);
      // Uploads to S3 wait in a folder; the probe uses a temporary folder instead of making it.
      const temporary = isThere ? undefined : await mkdtemp(join(tmpdir(), 'canopy-doctor-'));
      try {
        const store = await openBlobStore({ dataDir: temporary ?? folder, ...(s3 ? { s3 } : {}) });
        await store.check();
      } finally {
        if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
      }
      return ok(`A file was written, read and removed ${s3 ? `in the bucket ${s3.bucket}` : `in ${folder}`}.`);
    },
  };
}

/** Connects to the mail server; sends a mail if an address is given. */
export function mailProbe(
  host: MailHost | undefined,
  { timeoutMs, sendTo, log }: { timeoutMs: number; sendTo: string | undefined; log: Log },
): Probe {
  return {
    name: 'mail',
    advice: 'Check host, port, encryption, user and password: SMTP_URL, or the control panel "mail" of the site.',
    async run() {
      if (!host)
        return sendTo === undefined
          ? skipped('No mail server is set (SMTP_URL).')
          : { status: 'failed', message: 'No mail server is set.', advice: 'Set SMTP_URL.' };
      const place = `${host.host}:${host.port}`;
      await tryMailHost(host, timeoutMs);
      const login = host.auth ? 'the login worked' : 'without a login';
      if (sendTo === undefined) return ok(`${place} answers, ${login}; no mail was sent.`);
      const text = 'Canopy can send mails. This one was sent by "canopy doctor --send-to".';
      const mail = { to: [{ name: '', address: sendTo }], subject: 'A mail to try the mail server', text };
      const openBlob = () => Promise.reject(new Error('The mail has no files'));
      await sendMail(host, mail, { log, openBlob });
      return ok(`${place} took a mail from ${host.from.address} to ${sendTo}.`);
    },
  };
}

/** Asks the language model for a word, and for a vector if a model for embeddings is configured. */
export function modelProbes({ llm }: Config, timeoutMs: number): Probe[] {
  const advice =
    'Check LLM_URL, LLM_API_KEY and LLM_MODEL: the service must offer the API of OpenAI and know the model.';
  const service = (name: string) => new OutsideService(name);
  return [
    {
      name: 'language model',
      advice,
      async run(signal) {
        if (llm?.model === undefined) return skipped('No language model is set (LLM_URL and LLM_MODEL).');
        const { url, model, apiKey } = llm;
        const request = {
          messages: [{ role: 'user' as const, content: 'Say "yes".' }],
          maxTokens: MAX_TOKENS,
          stream: false,
        };
        const to = { url, model, apiKey, service: service('The language model') };
        for await (const _part of askModel(to, request, { signal, timeoutMs, trace: undefined })) break;
        return ok(`${model} at ${url} answers.`);
      },
    },
    {
      name: 'embeddings',
      advice: 'Check LLM_URL, LLM_API_KEY and EMBEDDING_MODEL.',
      async run() {
        if (llm?.embeddingModel === undefined) return skipped('No model for embeddings is set (EMBEDDING_MODEL).');
        const { url, embeddingModel: model, apiKey } = llm;
        const [vector = []] = await embed({ url, model, apiKey, service: service('The service of embeddings') }, [
          'Canopy',
        ]);
        return ok(`${model} at ${url} returns vectors of ${vector.length} numbers.`);
      },
    },
  ];
}

/** Loads the addresses and keys of the providers that people log in with. */
export const providerProbes = (
  context: { log: Log; config: Config },
  providers: readonly (() => Promise<LoginProvider>)[],
): Probe[] =>
  providers.length === 0
    ? [{ name: 'login provider', advice: '', run: async () => skipped('No OpenID provider is set.') }]
    : providers.map((load): Probe => {
        const advice =
          'Check the issuer of the provider: its address and "/.well-known/openid-configuration" must lead to its description.';
        return {
          name: 'login provider',
          advice,
          async run() {
            const { id, issuer } = await load();
            try {
              const configuration = await new ProviderClients().configuration(context, await load());
              return ok(`"${id}" describes itself as ${configuration.serverMetadata().issuer}.`);
            } catch (error) {
              if (!(error instanceof ClientError)) throw error;
              return { status: 'failed', message: `"${id}" at ${issuer} does not answer as a provider does.`, advice };
            }
          },
        };
      });

/** True if the body is the health of a server of this kind. */
const isHealth = (type: string): boolean => /^application\/health\+json\b/i.test(type);

/** Requests the health of the site at its public address, like clients. */
export function addressProbe({ publicUrl, host, port, trustProxy }: Config): Probe {
  return {
    name: 'address',
    advice: 'Check PUBLIC_URL, the name in the DNS, the proxy, and that the server runs.',
    async run(signal): Promise<ProbeResult> {
      if (publicUrl === undefined) return skipped('PUBLIC_URL is not set: addresses are those of the requests.');
      let seen = '';
      // A front end may have the address, and pass on only requests below /++api++.
      for (const path of ['/@health', '/++api++/@health']) {
        const response = await fetch(`${publicUrl}${path}`, { redirect: 'manual', signal });
        const type = response.headers.get('content-type') ?? '';
        await response.body?.cancel();
        if (!isHealth(type)) {
          seen = `${path} is answered with ${response.status} ${type}`.trim();
          continue;
        }
        const message = `${publicUrl} leads to this kind of server (${path}: ${response.status}).`;
        const isDirect = new URL(publicUrl).host === `${host}:${port}`;
        if (isDirect || trustProxy !== undefined) return ok(message);
        return {
          status: 'warning',
          message: `${message} A proxy stands before it, and TRUST_PROXY is not set: all clients count as one.`,
          advice: 'Set TRUST_PROXY to the address of the proxy, and let it set X-Forwarded-For, -Proto and -Host.',
        };
      }
      return {
        status: 'failed',
        message: `${publicUrl} does not lead to Canopy: ${seen}.`,
        advice: 'Let the proxy pass on what is below PUBLIC_URL, or below /++api++ of it where a front end stands.',
      };
    },
  };
}
