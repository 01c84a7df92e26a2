// Builds dist when it is missing or older than the sources: npm runs it before "npm start".
import { buildIfStale } from './lib/build.mjs';

try {
  buildIfStale();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
