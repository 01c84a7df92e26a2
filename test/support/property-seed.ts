import fc from 'fast-check';

// A run that decides whether a change goes in looks at the same cases each time; everywhere else at new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120 });
