/** The icon of the pages in the tabs of browsers: a tree. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1f6f4a" d="M16 2c6 0 9 4 9 8 3 1 5 4 5 7 0 4-3 7-7 7H9c-4 0-7-3-7-7 0-3 2-6 5-7 0-4 3-8 9-8z"/><path fill="#8a5a2b" d="M14 18h4v12h-4z"/></svg>
`;
