import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import type { PageEntry } from '../public-pages/page-assets.ts'
import { operationTablePlugin } from './operation-table.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The scripts and styles that documents name, by the names that the build's manifest has them under. */
export const entries = {
  app: 'app/main.tsx',
  pages: 'public-pages/behaviour/pages.ts',
  auth: 'public-pages/behaviour/auth.ts',
  siteStyle: 'styles/site.css',
  publicStyle: 'styles/public.css',
  appStyle: 'styles/app.css',
} as const satisfies Record<PageEntry, string>

export const viteConfig = (outDir: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  clearScreen: false,
  publicDir: false,
  plugins: [react(), operationTablePlugin()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    manifest: 'manifest.json',
    // A data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    // Browsers that run this script know modulepreload by themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: Object.values(entries).map((entry) => `${root}${entry}`) },
  },
})
