import fc from 'fast-check';

// In continuous integration each run checks the same cases, so that it cannot fail by chance. Other runs check new ones.
if (process.env.CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120 });
