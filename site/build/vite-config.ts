import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import type { PageEntry } from '../public-pages/page-assets.ts'
import { operationTablePlugin } from './operation-table.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Matches the modules of these folders of the repository. */
function partOf(...folders: string[]): (id: string) => boolean {
  const repository = fileURLToPath(new URL('../../', import.meta.url))
  const pattern = new RegExp(`^(${folders.join('|')})`)
  // The packages may be elsewhere, behind a link.
  const place = /^.*\/(?=node_modules\/)/
  return (id) => pattern.test(id.replace(repository, '').replaceAll('\\', '/').replace(place, ''))
}

/** The scripts and styles that documents name, by the names that the build's manifest has them under. */
export const entries = {
  app: 'app/main.tsx',
  pages: 'public-pages/behaviour/pages.ts',
  auth: 'public-pages/behaviour/auth.ts',
  siteStyle: 'styles/site.css',
  publicStyle: 'styles/public.css',
  appStyle: 'styles/app.css',
} as const satisfies Record<PageEntry, string>

/**
 * What the console starts with, once the first sight of a page is on its way: an entry, so that `core` has all of it. Documents
 * name what says the first words too.
 */
const laterEntries = ['app/start-app.tsx', 'app/first-sight/sights.ts', 'app/first-sight/admin-sights.ts']

/**
 * Dozens of small scripts would be as many requests. What the console starts with is one file, what at least so many of its
 * pages need another; public pages take part in neither, so they stay without React. Every group has all that its modules
 * import, or what a group before it has: files that import each other in a circle would run before what they import.
 */
const sharedByPages = 6
const sharedByAnswers = 4
const groups = [
  {
    name: 'site',
    test: partOf('site/preferences/(theme|language)', 'site/words/languages', '.*preload-helper'),
    priority: 5,
  },
  {
    name: 'platform',
    test: partOf(
      'site/(platform|words)/(?!passkeys)',
      'site/app/(figures|model-choices|time/moments|components/waves|first-sight/draw-first|pages/limits/limit-words)',
      'site/app/(notices/notice-lines|first-day/first-steps|leave-when-signed-out)',
      'src/',
    ),
    priority: 4,
    tags: ['$initial' as const],
  },
  // What pages say first runs before the core is there, and must not need it.
  {
    name: 'usage',
    test: partOf('site/app/(ledes/usage-lede|pages/usage/(usage-parameters|day-words)|chart/grid-step)'),
    priority: 3.5,
  },
  { name: 'sights', test: partOf('site/app/(first-sight/sights|ledes/(?!admin))'), priority: 3 },
  { name: 'admin-ledes', test: partOf('site/app/(ledes/admin|pages/overview/problem-text)'), priority: 3 },
  {
    name: 'core',
    test: partOf('node_modules/', 'site/app/(?!main|first-sight)'),
    priority: 2,
    tags: ['$initial' as const],
  },
  // Two icons of the playground and a test of its keys that other pages have too: each would be a file.
  {
    name: 'icons',
    test: partOf('node_modules/lucide-react/.*/(square|bookmark)\\.', 'site/words/is-composing'),
    priority: 1.5,
  },
  {
    name: 'common',
    test: partOf(
      'node_modules/(?!eventsource-parser)',
      'site/app/(?!main|answer/(?!token-marks)|pages/playground/)',
      'src/',
    ),
    priority: 1,
    minShareCount: sharedByPages,
  },
  // What pages with answers share: most pages have none, and do without it.
  {
    name: 'answers',
    test: partOf('node_modules/eventsource-parser', 'site/app/(answer|pages/playground)/'),
    priority: 0.5,
    minShareCount: sharedByAnswers,
  },
]

/** Calls back for each of our modules that is read, and each file that is written. */
const countFiles = (onFile: () => void): Plugin => ({
  name: 'count-files',
  load: {
    filter: { id: { exclude: /\/node_modules\// } },
    handler() {
      onFile()
      return null
    },
  },
  writeBundle(_, bundle) {
    for (const _file in bundle) onFile()
  },
})

export const viteConfig = (outDir: string, onFile: () => void = () => {}): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  clearScreen: false,
  publicDir: false,
  plugins: [react(), countFiles(onFile), operationTablePlugin()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    manifest: 'manifest.json',
    // A data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    // Browsers that run this script know modulepreload by themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [...Object.values(entries), ...laterEntries].map((entry) => `${root}${entry}`),
      output: { codeSplitting: { groups } },
    },
  },
})
