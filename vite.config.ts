import { defineConfig } from 'vite';

/** The pages: one build for all of them. The development server never leaves this computer (F150). */
export default defineConfig({
  root: 'src/web',
  base: '/',
  publicDir: 'public',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // A data: URL would need a wider content security policy than the daemon sends.
    assetsInlineLimit: 0,
  },
  server: { host: '127.0.0.1', strictPort: false },
  preview: { host: '127.0.0.1' },
});
