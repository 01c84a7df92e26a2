import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { measureImage } from '../../src/core/files/images/measure-image.ts';
import { animation, picture } from './pictures.ts';

// A separate folder for temporary files, because other programs use the common one at the same time.
const own = await mkdtemp(join(tmpdir(), 'canopy-measure-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', own);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(own, { recursive: true });
});

describe('measureImage', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)('the size of %s is measured', async (format) => {
    expect(await measureImage(await picture(60, 40)[format]().toBuffer())).toEqual({ width: 60, height: 40, format });
  });

  it('the size of a picture is measured after the rotation in its EXIF data', async () => {
    const turned = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await measureImage(turned)).toEqual({ width: 40, height: 60, format: 'jpeg' });
  });

  it('the size of an animation is that of one frame', async () => {
    expect(await measureImage(await animation(60, 40, 'gif'))).toEqual({ width: 60, height: 40, format: 'gif' });
  });

  it('a drawing is measured without rendering it', async () => {
    expect(await measureImage(Buffer.from('<svg viewBox="0 0 40 20"><script>1</script></svg>'))).toEqual({
      width: 40,
      height: 20,
      format: 'svg',
    });
    expect(await measureImage(Buffer.from('\ufeff<svg width="4" height="2"/>', 'utf16le'))).toEqual({
      width: 4,
      height: 2,
      format: 'svg',
    });
  });

  it('streams and files are measured without leaving a copy behind', async () => {
    const bytes = await picture(60, 40).png().toBuffer();
    await writeFile(join(own, 'picture'), bytes);
    expect(await measureImage(join(own, 'picture'))).toEqual({ width: 60, height: 40, format: 'png' });
    const stream = Readable.from([bytes.subarray(0, 50), bytes.subarray(50)]);
    expect(await measureImage(stream)).toEqual({ width: 60, height: 40, format: 'png' });
    expect(await readdir(own)).toEqual(['picture']);
  });

  it('bytes that are no picture or are damaged have no size', async () => {
    const png = await picture(60, 40).png().toBuffer();
    for (const bytes of [
      Buffer.from('this is no picture'),
      Buffer.alloc(0),
      png.subarray(0, 20),
      Buffer.from('%PDF-1.4'),
      Buffer.from('<html></html>'),
    ]) {
      expect(await measureImage(bytes)).toBeUndefined();
    }
  });

  it('a small file that claims more pixels than can be decoded has no size', async () => {
    expect(await measureImage(hugePng(5000, 5000))).toMatchObject({ width: 5000, height: 5000 });
    expect(await measureImage(hugePng(50_000, 50_000))).toBeUndefined();
  });

  it('measuring rejects when the source cannot be read', async () => {
    await expect(measureImage(join(tmpdir(), 'canopy-no-such-file'))).rejects.toThrow('ENOENT');
    const broken = new Readable({
      read() {
        this.destroy(new Error('connection lost'));
      },
    });
    await expect(measureImage(broken)).rejects.toThrow('connection lost');
  });
});

/** The beginning of a PNG with this size in its header; sharp reads the size before any checksum. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
