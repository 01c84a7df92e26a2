import { useEffect, useState } from 'react';
import { bytes } from '../lib/format.ts';
import { say } from '../lib/say.ts';
import { localAddress } from '../lib/site.ts';
import { Button } from '../parts/button.tsx';
import { isWhole, type Point, type Size } from './crop.ts';
import { Crops, type CropTable } from './crops.tsx';
import { describedBy } from './field.tsx';
import { FocalPoint } from './focal-point.tsx';
import type { InputProps } from './inputs.tsx';

type Stored = {
  filename?: string | null;
  size?: number;
  download: string;
  'content-type'?: string;
  scales?: Record<string, { download: string }>;
  focal_point?: Point | null;
  width?: number;
  height?: number;
  crops?: CropTable | null;
};

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'download' in value && typeof value.download === 'string';

/** The address of a picture of a file that is about to be sent. */
function usePicture(value: unknown): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(value instanceof File) || !/^image\/(?!svg)/.test(value.type)) {
      setAddress(undefined);
      return undefined;
    }
    const made = URL.createObjectURL(value);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [value]);
  return isStored(value) ? wholePicture(value) : address;
}

/** The address of a stored picture that shows all of it: a small scale, or another one where a crop cuts that. */
function wholePicture({ scales = {}, download }: Stored): string | undefined {
  const all = Object.values(scales);
  if (all.length === 0) return undefined;
  const whole = [scales.preview, scales.mini, ...all].find((scale) => scale && isWhole(scale.download));
  return whole?.download ?? download;
}

/** The size of a stored picture in pixels; undefined for a file that the site could not measure. */
const sizeOf = ({ width, height }: Stored): Size | undefined => (width && height ? { width, height } : undefined);

/** A file of a field: the present one, and a way to send another one. */
export default function FileInput({ id, field, value, onChange, ...more }: InputProps) {
  const picture = usePicture(value);
  const size = isStored(value) ? sizeOf(value) : undefined;
  const file =
    value instanceof File
      ? { name: value.name, size: value.size }
      : isStored(value)
        ? { name: value.filename ?? '', size: value.size ?? 0 }
        : undefined;
  return (
    <div className="file-input">
      {picture !== undefined &&
        (isStored(value) && size && !value['content-type']?.includes('svg') ? (
          <>
            <FocalPoint
              id={id}
              picture={picture}
              size={size}
              point={value.focal_point ?? null}
              onChange={(point) => onChange({ ...value, focal_point: point })}
            />
            <Crops
              id={id}
              picture={picture}
              size={size}
              scales={Object.keys(value.scales ?? {})}
              crops={value.crops ?? {}}
              point={value.focal_point ?? null}
              onChange={(crops) => onChange({ ...value, crops })}
            />
          </>
        ) : (
          <img src={localAddress(picture)} alt="" />
        ))}
      {file && (
        <p>
          {file.name} <span className="soft">{bytes(file.size)}</span>{' '}
          {!more.isRequired && (
            <Button kind="quiet" onPress={() => onChange(null)}>
              {say('Remove the file')}
            </Button>
          )}
        </p>
      )}
      <input
        {...describedBy(id, more)}
        type="file"
        accept={field.factory === 'Image' ? 'image/*' : undefined}
        aria-label={say('Choose a file')}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) onChange(chosen);
        }}
      />
    </div>
  );
}
