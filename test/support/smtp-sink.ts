import { createServer, type Socket } from 'node:net';

/** A mail that the sink has accepted. */
type SunkMail = {
  envelope: { from: string; to: string[] };
  headers: Record<string, string>;
  subject: string;
  text: string;
  raw: string;
};

/** A mail server of one test. */
export type SmtpSink = {
  port: number;
  url: string;
  mails: SunkMail[];
  /** Rejects the next `count` mails with this status. */
  reject(status: number, times: number): void;
  /** The mails to an address, once there are `count` of them. Fails after ten seconds. */
  arrived(to: string, count?: number): Promise<SunkMail[]>;
  close(): Promise<void>;
};

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const headerText = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?[^?]+\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quotedPrintable(text.replace(/_/g, ' ')),
    );

function parse(raw: string, envelope: SunkMail['envelope']): SunkMail {
  const cut = raw.indexOf('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of raw
    .slice(0, cut)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const at = line.indexOf(':');
    headers[line.slice(0, at).toLowerCase()] = headerText(line.slice(at + 1).trim());
  }
  const body = raw.slice(cut + 4);
  const encoding = headers['content-transfer-encoding'];
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body)
        : Buffer.from(body, 'latin1').toString('utf8');
  return { envelope, headers, subject: headers.subject ?? '', text, raw };
}

/** Starts a mail server on a free port of this machine. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const mails: SunkMail[] = [];
  const sockets = new Set<Socket>();
  let refusal = { status: 0, times: 0 };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.setEncoding('latin1');
    let pending = '';
    let data: string[] | undefined;
    let envelope = { from: '', to: [] as string[] };
    const say = (line: string) => socket.write(`${line}\r\n`);
    const finish = (lines: string[]) => {
      data = undefined;
      if (refusal.times > 0) {
        refusal.times -= 1;
        say(`${refusal.status} not now`);
      } else {
        mails.push(parse(lines.join('\r\n'), envelope));
        say('250 kept');
      }
      envelope = { from: '', to: [] };
    };
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase();
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (verb === 'MAIL') envelope.from = address;
      if (verb === 'RCPT') envelope.to.push(address);
      if (verb === 'DATA') {
        data = [];
        say('354 go ahead');
      } else if (verb === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    };
    say('220 sink ESMTP');
    socket.on('data', (chunk) => {
      pending += chunk;
      for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (!data) command(line);
        else if (line === '.') finish(data);
        else data.push(line.startsWith('.') ? line.slice(1) : line);
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    reject(status, times) {
      refusal = { status, times };
    },
    async arrived(to, count = 1) {
      const found = () => mails.filter(({ envelope }) => envelope.to.includes(to));
      for (let tries = 0; tries < 200 && found().length < count; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      if (found().length !== count) throw new Error(`${found().length} mails to ${to} instead of ${count}`);
      return found();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
