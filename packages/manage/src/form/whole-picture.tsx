import { localAddress } from '../lib/site.ts';
import type { Size } from './crop.ts';

type WholePictureProps = {
  /** The address of the picture in any size. */
  picture: string;
  /** The size of the picture in pixels. */
  size: Size;
};

/** Largest side in pixels, that of the scale that most often shows the picture, and largest height in rem, as in `.file-input img`. */
const LARGEST = 400;
const HIGHEST = 14;

/**
 * A whole picture to point at. It has one size whichever scale shows it: after a crop was saved, another scale may, and a frame that is about to be
 * dragged must not move.
 */
export function WholePicture({ picture, size: { width, height } }: WholePictureProps) {
  const shown = width * Math.min(1, LARGEST / width, LARGEST / height);
  return (
    <img
      src={localAddress(picture)}
      alt=""
      style={{ width: `min(${shown}px, ${(HIGHEST * width) / height}rem)`, aspectRatio: `${width} / ${height}` }}
    />
  );
}
