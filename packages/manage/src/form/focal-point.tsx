import type { MouseEvent } from 'react';
import { say } from '../lib/say.ts';
import { Button } from '../parts/button.tsx';
import type { Point, Size } from './crop.ts';
import { WholePicture } from './whole-picture.tsx';

type FocalPointProps = {
  id: string;
  /** The address of the whole picture in any size. */
  picture: string;
  /** The size of the picture in pixels. */
  size: Size;
  /** Null while it is the middle. */
  point: Point | null;
  onChange: (point: Point | null) => void;
};

const MIDDLE: Point = { x: 0.5, y: 0.5 };
/** Steps of a share: a hundredth. */
const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 100) / 100;

/** A picture with the point that scales which crop must show: set by a click, or by two sliders. */
export function FocalPoint({ id, picture, size, point, onChange }: FocalPointProps) {
  const { x, y } = point ?? MIDDLE;
  const place = ({ currentTarget, clientX, clientY }: MouseEvent): void => {
    const box = currentTarget.getBoundingClientRect();
    onChange({ x: rounded((clientX - box.left) / box.width), y: rounded((clientY - box.top) / box.height) });
  };
  return (
    <div className="focal">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same for everybody */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the sliders below do the same for everybody */}
      <div className="focal-picture" onClick={place}>
        <WholePicture picture={picture} size={size} />
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className="focal-lines" d={`M${x * 100} 0V100M0 ${y * 100}H100`} />
        </svg>
      </div>
      <label htmlFor={`${id}-left`}>{say('Focal point, from the left')}</label>
      <input
        id={`${id}-left`}
        type="range"
        min={0}
        max={100}
        value={Math.round(x * 100)}
        onChange={({ target }) => onChange({ x: rounded(Number(target.value) / 100), y })}
      />
      <label htmlFor={`${id}-above`}>{say('Focal point, from above')}</label>
      <input
        id={`${id}-above`}
        type="range"
        min={0}
        max={100}
        value={Math.round(y * 100)}
        onChange={({ target }) => onChange({ x, y: rounded(Number(target.value) / 100) })}
      />
      {point !== null && (
        <Button kind="quiet" onPress={() => onChange(null)}>
          {say('Back to the middle')}
        </Button>
      )}
      <p className="help">{say('Scales that cut off a part of the picture always show this point.')}</p>
    </div>
  );
}
