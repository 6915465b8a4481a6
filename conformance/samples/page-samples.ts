import { renderDocument } from '../../site/public-pages/render-document.ts'
import { defaultLanguage, languages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { docsPaths } from '../../src/site-server/pages.ts'

/** The page and the place of a sample on it, and the program as it is copied. */
export type PageSample = { name: string; code: string }

const assets = {
  ...{ path: () => '', imports: () => [], view: () => ({ scripts: [], styles: [] }), picture: () => '' },
  ...{ font: '', beforePaintScript: '', card: '', docsIndex: '' },
}

/** The samples in one of the tabs of all pages of the documentation, each once. */
export const pageSamples = async (tab: string): Promise<PageSample[]> => {
  const language = languages.find(({ code }) => code === defaultLanguage)
  if (language === undefined) throw new Error(`no language ${defaultLanguage}`)
  const words = await readWords(language.code, 'public-pages')
  const found = docsPaths.flatMap((path) => {
    const { html: page } = renderDocument(path, { language, languages, words }, assets)
    const panels = page.matchAll(new RegExp(`<pre[^>]* data-panel="${tab}"[^>]*>(.*?)</pre>`, 'gs'))
    return [...panels].map(([, html = ''], index) => [asCopied(html), `${path} ${index + 1}`] as const)
  })
  return [...new Map(found.toReversed())].toReversed().map(([code, name]) => ({ name, code }))
}

const asCopied = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character)))
