import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { LanguageCode } from '../../languages/language.ts'
import { defaultLanguage, languageCodes } from '../../src/languages/languages.ts'
import type { DocsPage } from '../../src/site-server/pages.ts'
import type { DocsIndex } from '../public-pages/docs-entry.ts'
import type { PageAssets } from '../public-pages/page-assets.ts'
import { docsIndex } from './docs-index.ts'

/** Files whose names are fixed by convention, or by the file that names them. */
const namedFiles = [
  'favicon.svg',
  'robots.txt',
  'site.webmanifest',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
]

const from = (path: string): URL => new URL(`../${path}`, import.meta.url)

const pictureFile = (code: LanguageCode, kind: string): URL =>
  from(`public-pages/files/pictures/playground-${code}-${kind}.webp`)

const pictureKinds = ['light-1440', 'dark-1440', 'light-375', 'dark-375']

/** Files that Vite does not build: those with fixed names, and the script that runs before the first paint. */
export const writeRootFiles = async (
  folder: string,
): Promise<Pick<PageAssets, 'beforePaintScript' | 'card' | 'picture'>> => {
  for (const name of namedFiles) await copyFile(from(`public-pages/files/${name}`), join(folder, name))
  await copyFile(new URL('../../LICENSE', import.meta.url), join(folder, 'licence.txt'))
  await mkdir(join(folder, 'assets'), { recursive: true })
  const script = stripTypeScriptTypes(await readFile(from('public-pages/behaviour/before-paint.ts'), 'utf8'))
  const pictures = new Map<string, string>()
  for (const code of languageCodes)
    for (const kind of pictureKinds) {
      // A language that was just added has none yet.
      const file = [code, defaultLanguage].map((each) => pictureFile(each, kind)).find((each) => existsSync(each))
      if (file === undefined)
        throw new Error(`there is no picture of the console, ${kind}: npm run screenshots -- --kept`)
      pictures.set(
        `${code}-${kind}`,
        await writeHashed(folder, `console-${code}-${kind}`, '.webp', await readFile(file)),
      )
    }
  return {
    picture: (theme, language, width) => pictures.get(`${language}-${theme}-${width}`) ?? '',
    // As a plain script it blocks painting, which is what it is for; a module never does.
    beforePaintScript: await writeHashed(
      folder,
      'before-paint',
      '.js',
      Buffer.from(`{${script.replace('export {}', '')}}`),
    ),
    card: await writeHashed(folder, 'card', '.png', await readFile(from('public-pages/files/card.png'))),
  }
}

/** What the search of the documentation reads when it is used first, in one language. */
export const writeDocsIndex = (
  folder: string,
  code: LanguageCode,
  synonyms: DocsIndex['synonyms'],
  render: (path: DocsPage) => string,
): Promise<string> => {
  const index: DocsIndex = { entries: docsIndex(render), synonyms }
  return writeHashed(folder, `docs-${code}`, '.json', Buffer.from(JSON.stringify(index)))
}

const writeHashed = async (folder: string, name: string, extension: string, content: Buffer): Promise<string> => {
  const hash = createHash('sha256').update(content).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)
  const path = `/assets/${name}-${hash}${extension}`
  await writeFile(join(folder, path), content)
  return path
}
