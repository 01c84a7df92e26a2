import { beforeAll, expect, it } from 'vitest';
import { picture } from '../images/pictures.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';
import { metadata, TUS } from '../uploads/tus.ts';
import { create, disposition, publish, upload } from './file-content.ts';

/** The first bytes of an MPEG-4 file. */
const VIDEO = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(5000, 7)]);

describeEachEngine('videos', (engine) => {
  const site = useTestSite(engine);
  let folder: string;
  let video: string;
  beforeAll(async () => {
    folder = (await create(site, '/', { '@type': 'Folder', title: 'Videos' })).path;
    await publish(site, folder);
    const poster = upload(await picture(40, 30).png().toBuffer(), 'poster.png', 'image/png');
    const file = upload(VIDEO, 'trip.mp4', 'video/mp4');
    video = (await create(site, folder, { '@type': 'Video', preview_image: poster, video: file })).path;
  });
  const get = (path: string, headers: Record<string, string> = {}, as: 'admin' | 'anonymous' = 'anonymous') =>
    site.request('GET', path, { as, headers: { Accept: '*/*', ...headers } });

  it('a video gets its title from its file, and has a poster', async () => {
    expect((await site.request('GET', video)).body).toMatchObject({
      '@type': 'Video',
      id: 'trip.mp4',
      title: 'trip.mp4',
      video: {
        filename: 'trip.mp4',
        'content-type': 'video/mp4',
        size: VIDEO.length,
        download: `${site.url}${video}/@@download/video`,
      },
      preview_image: { filename: 'poster.png', width: 40 },
    });
    const { body } = await site.request('GET', '/@search?portal_type=Video&metadata_fields=_all');
    expect(body.items).toMatchObject([
      { '@type': 'Video', mime_type: 'video/mp4', getObjSize: '5 KB', image_field: 'preview_image' },
    ]);
  });

  it.each(['@@videos', '@@download'])(
    'a video is sent by %s, in parts as well, as an attachment unless inline',
    async (service) => {
      const whole = await get(`${video}/${service}/video`);
      expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
        200,
        'video/mp4',
        'bytes',
      ]);
      expect(whole.bytes.equals(VIDEO)).toBe(true);
      expect(disposition(whole)).toMatch(/^attachment; filename="trip\.mp4"/);
      const etag = whole.headers.get('etag') ?? '';
      const part = await get(`${video}/${service}/video?disposition=inline`, { Range: 'bytes=4-11', 'If-Range': etag });
      expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
        206,
        'ftypisom',
        `bytes 4-11/${VIDEO.length}`,
      ]);
      expect(disposition(part)).toMatch(/^inline; filename="trip\.mp4"/);
      expect((await get(`${video}/${service}/video`, { Range: 'bytes=4-11', 'If-Range': '"other"' })).status).toBe(200);
      expect((await get(`${video}/${service}/video`, { Range: 'bytes=9999-' })).status).toBe(416);
      expect((await get(`${video}/${service}/title`)).status).toBe(404);
    },
  );

  it('@@videos needs the permission to view, and does not send a page that claims to be a video', async () => {
    const hidden = (await create(site, '/', { '@type': 'Folder', title: 'Hidden' })).path;
    const { path } = await create(site, hidden, { '@type': 'Video', video: upload(VIDEO, 'a.mp4', 'video/mp4') });
    expect((await get(`${path}/@@videos/video`)).status).toBe(401);
    const page = upload('<html><script>alert(1)</script>', 'a.mp4', 'video/mp4');
    const refused = await site.request('POST', folder, { json: { '@type': 'Video', video: page } });
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, 'video']);
    const text = upload('text', 'a.txt', 'text/plain');
    expect((await site.request('PATCH', video, { json: { video: text } })).status).toBe(400);
  });

  it('an uploaded video becomes a Video', async () => {
    const opened = await site.request('POST', `${folder}/@tus-upload`, {
      headers: {
        ...TUS,
        'Upload-Length': String(VIDEO.length),
        'Upload-Metadata': metadata({ filename: 'upload.mp4' }),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(VIDEO),
    });
    expect(opened.status, opened.text).toBe(201);
    const path = String(opened.headers.get('content-location')).slice(site.url.length);
    expect((await site.request('GET', path)).body).toMatchObject({
      '@type': 'Video',
      video: { 'content-type': 'video/mp4' },
    });
  });
});
