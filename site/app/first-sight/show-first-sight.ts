import type { FirstWords } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
import { createPageCredentials, createPlatform, type Fetch, type Platform } from '../../platform/platform.ts'
import { pageLanguage } from '../../words/languages.ts'
import { loadWords } from '../../words/load-words.ts'
import { drawActions, drawLede } from './draw-first-words.ts'
import { findNotices } from './find-notices.ts'
import { playgroundSight } from './playground-sight.ts'
import type { SaidFirst, Sight } from './sight.ts'

/**
 * Writes what the page says first into the document, as soon as its words and its answers are there: the notices, the sentence,
 * and what may be larger than it. The largest text of a page is then painted before React is there. The app draws the same a
 * moment later. Resolves once it is painted, or will not be; what is missing or refused is left to the app.
 */
export const showFirstSight = async (fetchUrl: Fetch): Promise<void> => {
  const frame = document.querySelector<HTMLElement>('[data-frame]')
  const main = frame?.querySelector('main')
  // Strangers are about to leave.
  if (!frame || !main || !('signedIn' in document.documentElement.dataset)) return
  const language = pageLanguage()
  const platform = createPlatform(createPageCredentials(), fetchUrl)
  const loaded = loadWords(language.code, 'first')
  const [words, drawNotices, said] = await Promise.all([
    loaded.catch(() => null),
    findNotices(platform).catch(() => null),
    findFirstWords(frame.dataset.sight, platform, loaded).catch((): SaidFirst => ({})),
  ])
  const notices = words === null ? null : drawNotices?.(words, language)
  const { lede, actions, below } = said
  if (!main.isConnected || (!notices && lede === undefined && below === undefined)) return
  // What is new where it stands has not been moved there by what is above it.
  const drawn = asMain(main.cloneNode(true))
  if (notices) drawn.prepend(notices)
  if (lede !== undefined) drawn.querySelector('.lede')?.replaceChildren(...drawLede(lede))
  if (actions !== undefined) drawn.querySelector('.page-head')?.append(drawActions(actions))
  const lines = drawn.querySelector('[data-below]')
  if (below !== undefined) lines?.replaceWith(...below.map((part) => (part === 'lines' ? lines.cloneNode(true) : part)))
  main.replaceWith(drawn)
  // What leaves the document before the second frame may never have been on the screen.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
}

/** `kind` is what the document says of its page: which words it needs first. */
const findFirstWords = async (
  kind: string | undefined,
  platform: Platform,
  first: Promise<FirstWords>,
): Promise<SaidFirst> => {
  // What follows the address changes what the page shows.
  if (location.search !== '') return {}
  const language = pageLanguage()
  /** Asks while the words are on their way. */
  const say = async <PageWords>(
    words: Promise<PageWords>,
    findSight: () => Promise<Sight<PageWords> | undefined>,
  ): Promise<SaidFirst> => {
    const ask = async () => (await findSight())?.(platform, Date.now())
    const [said, spoken] = await Promise.all([ask(), words])
    return said?.(spoken, language) ?? {}
  }
  const page = asPage(location.pathname)
  if (kind === 'playground') return say(first, async () => playgroundSight)
  if (kind === 'console')
    return say(loadWords(language.code, 'console'), async () => (await import('./sights.ts')).sights[page])
  if (kind !== 'admin') return {}
  const words = Promise.all([first, loadWords(language.code, 'admin')]).then(([all, own]) => ({ ...all, ...own }))
  return say(words, async () => (await import('./admin-sights.ts')).adminSights[page])
}

/** Sound because only paths that are pages have a sight. */
const asPage = (path: string): AppPage => path as AppPage

/** Sound because it is a copy of one. */
const asMain = (copy: Node): HTMLElement => copy as HTMLElement
