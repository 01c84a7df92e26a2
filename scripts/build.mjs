// Builds dist: npm run build
import { build } from './lib/build.mjs';

try {
  build();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
