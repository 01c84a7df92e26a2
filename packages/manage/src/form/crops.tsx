import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useData } from '../lib/data.ts';
import { say } from '../lib/say.ts';
import { ask, localAddress } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/select.tsx';
import { type Crop, FIRST_CROP, moved, type Point, partOf, proportionsOf, resized, type Size } from './crop.ts';
import { WholePicture } from './whole-picture.tsx';

export type CropTable = Readonly<Record<string, Crop>>;

type CropsProps = {
  id: string;
  /** The address of the whole picture in any size. */
  picture: string;
  /** The size of the picture in pixels. */
  size: Size;
  scales: readonly string[];
  crops: CropTable;
  point: Point | null;
  onChange: (crops: CropTable | null) => void;
};

/** Share that a key moves a crop. */
const STEP = 0.01;
/** Largest side of a preview in pixels. */
const PREVIEW = 200;

const DIRECTIONS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const percent = (share: number): number => Math.round(share * 1000) / 10;

/** The crops of the scales of a picture: one is chosen, and its frame is dragged or moved by keys. */
export function Crops({ id, picture, size, scales, crops, point, onChange }: CropsProps) {
  const [scale, setScale] = useState('');
  const crop = crops[scale];
  const set = (next: Crop): void => onChange({ ...crops, [scale]: next });
  const remove = (): void => {
    const { [scale]: _removed, ...others } = crops;
    onChange(Object.keys(others).length > 0 ? others : null);
  };
  return (
    <div className="focal">
      <Select
        label={say('Crop of the scale')}
        value={scale}
        onChange={setScale}
        options={[
          ['', say('Choose a scale')],
          ...scales.map((name) => [name, name in crops ? say('{name} (with a crop)', { name }) : name] as const),
        ]}
      />
      {scale !== '' && crop === undefined && <Button onPress={() => set(FIRST_CROP)}>{say('Set a crop')}</Button>}
      {crop !== undefined && (
        <>
          <Frame id={id} scale={scale} picture={picture} size={size} crop={crop} onChange={set} />
          <Preview scale={scale} picture={picture} size={size} crop={crop} point={point} />
          <Button kind="quiet" onPress={remove}>
            {say('Remove the crop')}
          </Button>
        </>
      )}
    </div>
  );
}

type PartProps = { scale: string; picture: string; size: Size; crop: Crop };

/** The whole picture with the frame of a crop on it. */
function Frame({
  id,
  scale,
  picture,
  size,
  crop,
  onChange,
}: PartProps & { id: string; onChange: (crop: Crop) => void }) {
  const drag = useRef<{ x: number; y: number; crop: Crop; box: DOMRect; isSize: boolean }>(undefined);
  const start = ({ currentTarget, target, pointerId, clientX, clientY }: PointerEvent): void => {
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (!box) return;
    currentTarget.setPointerCapture(pointerId);
    drag.current = { x: clientX, y: clientY, crop, box, isSize: target !== currentTarget };
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    if (!drag.current) return;
    const { x, y, box, isSize, crop: from } = drag.current;
    const right = (clientX - x) / box.width;
    const down = (clientY - y) / box.height;
    onChange(isSize ? resized(from, right, down, size) : moved(from, right, down));
  };
  const end = (): void => {
    drag.current = undefined;
  };
  const press = (event: KeyboardEvent): void => {
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    onChange(event.shiftKey ? resized(crop, ...direction, size) : moved(crop, ...direction));
  };
  const [x, y, width, height] = [crop.x, crop.y, crop.width, crop.height].map(percent);
  return (
    <>
      <div className="focal-picture">
        <WholePicture picture={picture} size={size} />
        <button
          type="button"
          className="crop-frame"
          style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
          aria-label={say('Crop of {name}', { name: scale })}
          aria-describedby={`${id}-crop ${id}-crop-help`}
          onPointerDown={start}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
          onKeyDown={press}
        >
          <span className="crop-corner" />
        </button>
      </div>
      <output id={`${id}-crop`}>
        {say('From the left {x} %, from above {y} %, width {width} %, height {height} %', {
          ...{ x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 },
        })}
      </output>
      <p className="help" id={`${id}-crop-help`}>
        {say('Drag the frame or its corner, or use the arrow keys: with Shift they change the size.')}
      </p>
    </>
  );
}

/** The scale as it will be. */
function Preview({ scale, picture, size, crop, point }: PartProps & { point: Point | null }) {
  const site = useData('scales', (signal) => ask<{ 'plone.allowed_sizes': string[] }>('GET', '@site', { signal }));
  const lines = site.data?.['plone.allowed_sizes'];
  if (lines === undefined) return null;
  const { x, y, width, height } = partOf(crop, size, proportionsOf(lines, scale), point);
  const ratio = PREVIEW / Math.max(width, height);
  return (
    <svg
      className="crop-preview"
      role="img"
      aria-label={say('Preview of {name}', { name: scale })}
      viewBox={`${x} ${y} ${width} ${height}`}
      width={width * ratio}
      height={height * ratio}
    >
      <image href={localAddress(picture)} width={size.width} height={size.height} preserveAspectRatio="none" />
    </svg>
  );
}
