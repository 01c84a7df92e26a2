/** How bright the page is: as the system says, unless the reader has chosen. */
export type Theme = 'system' | 'light' | 'dark';

const STORED_AT = 'canopy.theme';

const isTheme = (value: string | null): value is Theme => value === 'light' || value === 'dark' || value === 'system';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED_AT);
  return isTheme(stored) ? stored : 'system';
}

/** Shows a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED_AT, theme);
  showTheme();
}

/** Shows the theme that was chosen. */
export function showTheme(): void {
  document.documentElement.dataset.theme = chosenTheme();
}

/** Says if the page is dark now. */
export const isDark = (): boolean => {
  const theme = chosenTheme();
  return theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
};
