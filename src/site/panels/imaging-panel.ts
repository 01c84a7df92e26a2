import { DEFAULT_SCALES, parseScaleLine } from '../../images/image-scales.ts';
import { definePanel } from '../panel.ts';
import { list, textsOf } from './setting-forms.ts';

const MAX_SCALES = 50;

/** The scales of pictures. */
export const imagingPanel = definePanel({
  id: 'imaging',
  title: 'Image Handling',
  group: 'Content',
  settings: [
    list('allowed_sizes', {
      title: 'Scales',
      description: 'Largest width and height in pixels, one scale a line: <name> <width>:<height>. 65536 is no limit.',
      default: Object.entries(DEFAULT_SCALES).map(([name, [width, height]]) => `${name} ${width}:${height}`),
      problem: (text) =>
        parseScaleLine(text)
          ? undefined
          : `"${text}" must have the form <name> <width>:<height>, such as large 800:65536.`,
    }),
  ],
  check({ allowed_sizes: sizes }) {
    const names = textsOf(sizes).map((text) => parseScaleLine(text)?.name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    return [
      ...(twice === undefined ? [] : [{ field: 'allowed_sizes', message: `There are two scales "${twice}".` }]),
      ...(names.length > MAX_SCALES
        ? [{ field: 'allowed_sizes', message: `There may be ${MAX_SCALES} scales at most.` }]
        : []),
    ];
  },
});
