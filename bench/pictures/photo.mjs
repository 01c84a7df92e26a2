import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { publishMade } from '../day/site.mjs';

const [WIDTH, HEIGHT] = [4000, 3000];

/** A photo of 12 megapixels: large shapes with noise, so that it compresses as photos do. */
export async function makePhoto() {
  const noise = (width, height, sigma) =>
    sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma } } })
      .png()
      .toBuffer();
  const shapes = await noise(WIDTH / 8, HEIGHT / 8, 60);
  return sharp(shapes)
    .resize(WIDTH, HEIGHT)
    .composite([{ input: await noise(WIDTH, HEIGHT, 12), blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Makes an object with the photo that visitors see, and returns it. Bytes behind the photo's end make it another file with the same pixels. */
export async function uploadPhoto(client, photo) {
  const bytes = Buffer.concat([photo, randomBytes(16)]);
  const image = {
    data: bytes.toString('base64'),
    encoding: 'base64',
    filename: 'photo.jpg',
    'content-type': 'image/jpeg',
  };
  const { body } = await client.send('POST', '/', { '@type': 'Image', title: 'Photo', image });
  await publishMade(client, body, 'Image');
  return body;
}
