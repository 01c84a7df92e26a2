import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendMail } from '../../src/core/queue/mail/send-mail.ts';
import { testMailHost } from '../support/mail-host.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

describe('the delivery of a mail', () => {
  let sink: SmtpSink;
  beforeAll(async () => {
    sink = await startSmtpSink();
  });
  afterAll(() => sink.close());

  /** Sends a mail with these settings of the panel; returns the log. */
  async function logOf(panel: Record<string, unknown>): Promise<string> {
    const written: string[] = [];
    const log = pino({}, { write: (line: string) => written.push(line) });
    const host = testMailHost(undefined, { smtp_host: '127.0.0.1', smtp_port: sink.port, ...panel });
    if (!host) throw new Error('There is no mail server');
    const to = [{ name: '', address: 'a@example.org' }];
    await sendMail(
      host,
      { to, subject: 'About something', text: 'The token is 4711.' },
      { log, openBlob: async () => Readable.from([]) },
    );
    return written.join('');
  }

  it('the delivery of a mail is logged without its contents when the site enables that', async () => {
    const log = await logOf({ debug: true });
    expect(log).toContain('RCPT TO:<a@example.org>');
    expect(log).not.toMatch(/4711|About something/);
  });

  it('the delivery of a mail is not logged by default', async () => {
    expect(await logOf({})).toBe('');
  });
});
