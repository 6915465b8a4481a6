import type { WordFiles } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
import { createPageCredentials, createPlatform, type Fetch } from '../../platform/platform.ts'
import { pageLanguage } from '../../words/languages.ts'
import { loadWords } from '../../words/load-words.ts'
import { drawEmpty, drawLede } from './draw-first-words.ts'
import { playgroundSight } from './playground-sight.ts'
import type { SaidFirst, Sight } from './sight.ts'

/**
 * Writes what the page says first into the document, as soon as its words and its answers are there: the largest text of most
 * pages is then painted before React is there. The app draws the same a moment later. Resolves once it is painted, or will not
 * be; what is missing or refused is left to the app.
 */
export const showFirstSight = async (fetchUrl: Fetch): Promise<void> => {
  const frame = document.querySelector<HTMLElement>('[data-frame]')
  // What follows the address changes what the page shows, and strangers are about to leave.
  if (frame === null || location.search !== '' || !('signedIn' in document.documentElement.dataset)) return
  const said = await findFirstWords(location.pathname, frame.dataset.sight, fetchUrl).catch((): SaidFirst => ({}))
  if (!frame.isConnected) return
  const { lede, empty } = said
  if (lede === undefined && empty === undefined) return
  if (lede !== undefined) frame.querySelector('.lede')?.replaceChildren(...drawLede(lede))
  const below = frame.querySelector('[data-below]')
  // Lines that are new where they stand have not been moved there by what is above them.
  below?.replaceWith(empty === undefined ? below.cloneNode(true) : drawEmpty(empty))
  // What leaves the document before the second frame may never have been on the screen.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
}

/** `kind` is what the document says of its page: which words it needs first. */
const findFirstWords = async (path: string, kind: string | undefined, fetchUrl: Fetch): Promise<SaidFirst> => {
  const language = pageLanguage()
  const platform = createPlatform(createPageCredentials(), fetchUrl)
  /** Asks while the words are on their way. */
  const say = async <File extends 'first' | 'console' | 'admin'>(
    file: File,
    findSight: () => Promise<Sight<WordFiles[File]> | undefined>,
  ): Promise<SaidFirst> => {
    const ask = async () => (await findSight())?.(platform, Date.now())
    const [said, words] = await Promise.all([ask(), loadWords(language.code, file)])
    return said?.(words, language) ?? {}
  }
  const page = asPage(path)
  if (kind === 'playground') return say('first', async () => playgroundSight)
  if (kind === 'admin') return say('admin', async () => (await import('./admin-sights.ts')).adminSights[page])
  return kind === 'console' ? say('console', async () => (await import('./sights.ts')).sights[page]) : {}
}

/** Sound because only paths that are pages have a sight. */
const asPage = (path: string): AppPage => path as AppPage
