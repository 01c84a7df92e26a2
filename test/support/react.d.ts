// Stands for React in the types of `@plone/client`, of which the tests use what needs no React: its own types declare elements of browsers.
export {};
