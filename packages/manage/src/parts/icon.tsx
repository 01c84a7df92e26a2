/** Icons as single paths on a grid of 24. They are decoration: the text beside them says everything. */
const PATHS = {
  home: 'M4 11 12 4l8 7M6 10v9h12v-9',
  content: 'M4 6h6l2 2h8v11H4z',
  bin: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v6M14 11v6',
  users:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 20c0-4 2.500-6 6-6s6 2 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500M17 14.500c2.500.500 4 2.500 4 5.500',
  groups: 'M8 8h8v8H8zM4 4h5v5H4zM15 15h5v5h-5z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  jobs: 'M12 7v5l3.500 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  audit: 'M7 4h10v16H7zM10 8h4M10 12h4M10 16h2',
  webhooks: 'M4 12h9M10 8l4 4-4 4M15 5h5v14h-5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20c0-4 3-6 7-6s7 2 7 6',
  key: 'M14 10a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM13 12l8 7M17 15.500l2-2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M17 10.500a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0ZM15.500 15.500 20 20',
  out: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  plus: 'M12 5v14M5 12h14',
  back: 'M9 5 4 10l5 5M4 10h9a6 6 0 0 1 0 12h-2',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  warning: 'M12 4 2.500 20h19zM12 10v5M12 17.500v.500',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
