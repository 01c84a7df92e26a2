import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

/** Pages are made for each request, so that a change in Canopy is seen at once. PORT and HOST are settings of the server. */
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  devToolbar: { enabled: false },
});
