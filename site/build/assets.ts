import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageCode } from '../../languages/language.ts'
import { parseJsonText } from '../../src/base/parse-json-text.ts'
import type { PageAssets, PageEntry } from '../public-pages/page-assets.ts'
import { entries } from './vite-config.ts'

/** One entry of Vite's manifest, as far as we read it. */
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; assets?: string[] }
type Manifest = Record<string, Chunk>

type Assets = PageAssets & { manifest: Manifest }

export const readAssets = async (
  files: string,
  rootFiles: Pick<PageAssets, 'beforePaintScript' | 'card' | 'picture'>,
): Promise<Assets> => {
  const manifest = readManifest(await readFile(join(files, 'manifest.json'), 'utf8'))
  const findChunk = (entry: PageEntry): Chunk => {
    const chunk = manifest[entries[entry]]
    if (chunk === undefined) throw new Error(`the build has no ${entries[entry]}`)
    return chunk
  }
  const findFont = (name: string): string => {
    const found = Object.values(manifest).flatMap(({ file, assets = [] }) => [file, ...assets])
    return `/${found.find((file) => file.includes(name)) ?? ''}`
  }
  return {
    manifest,
    path: (entry) => `/${findChunk(entry).file}`,
    imports: (entry, language) =>
      [entries[entry], ...wordFiles(entry, language)]
        .flatMap((name) => staticImports(manifest, name))
        .concat(wordFiles(entry, language).flatMap((name) => manifest[name]?.file ?? []))
        .filter((file, index, all) => all.indexOf(file) === index)
        .map((file) => `/${file}`),
    view(modules) {
      const names = modules.flatMap((name) => [name, ...staticNames(manifest, name)])
      const chunks = [...new Set(names)].flatMap((name) => manifest[name] ?? [])
      return {
        scripts: chunks.map(({ file }) => `/${file}`),
        styles: [...new Set(chunks.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
      }
    },
    font: findFont('instrument-sans'),
    ...rootFiles,
    docsIndex: '',
  }
}

/** Scripts load the words of the page's language as soon as they run. */
const wordFiles = (entry: PageEntry, language: LanguageCode): string[] => {
  if (entry === 'app') return [`../languages/${language}/first.ts`]
  return entry === 'auth' ? [`../languages/${language}/auth.ts`] : []
}

/** The files of all scripts that come with an entry before it runs, without its own. */
const staticImports = (manifest: Manifest, entry: string): string[] =>
  staticNames(manifest, entry).flatMap((name) => manifest[name]?.file ?? [])

const staticNames = (manifest: Manifest, entry: string): string[] => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    for (const next of manifest[name]?.imports ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      visit(next)
    }
  }
  visit(entry)
  return [...seen]
}

/** Vite has just written it. */
const readManifest = (text: string): Manifest => parseJsonText(text) as Manifest
