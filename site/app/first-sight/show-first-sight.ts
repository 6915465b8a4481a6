import type { AppPage } from '../../../src/site-server/pages.ts'
import { createPageCredentials, createPlatform, type Fetch } from '../../platform/platform.ts'
import { pageLanguage } from '../../words/languages.ts'
import { loadWords } from '../../words/load-words.ts'
import type { Lede } from '../ledes/lede.ts'
import { adminSights, sights } from './sights.ts'

/**
 * Writes the sentence under the page's name into the document, as soon as its words and its answer are there: the largest text of
 * most pages is then painted before React is there. The app draws the same a moment later. Resolves once it is painted, or will
 * not be; what is missing or refused is left to the app.
 */
export const showFirstSight = async (fetchUrl: Fetch): Promise<void> => {
  const place = document.querySelector('[data-frame] .lede')
  // What follows the address changes what the page shows, and strangers are about to leave.
  if (place === null || location.search !== '' || !('signedIn' in document.documentElement.dataset)) return
  const lede = await findLede(asPage(location.pathname), fetchUrl).catch((): Lede => [])
  if (lede.length === 0 || !place.isConnected) return
  place.replaceChildren(...lede.map(toNode))
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

const findLede = async (page: AppPage, fetchUrl: Fetch): Promise<Lede> => {
  const language = pageLanguage()
  const platform = createPlatform(createPageCredentials(), fetchUrl)
  const { [page]: sight } = sights
  const { [page]: adminSight } = adminSights
  const now = Date.now()
  if (sight !== undefined) {
    const [say, words] = await Promise.all([sight(platform, now), loadWords(language.code, 'console')])
    return say(words, language)
  }
  if (adminSight === undefined) return []
  const [say, words] = await Promise.all([adminSight(platform, now), loadWords(language.code, 'admin')])
  return say(words, language)
}

const toNode = (part: Lede[number]): Node => {
  if (typeof part === 'string') return document.createTextNode(part)
  const element = document.createElement('strong' in part ? 'b' : 'span')
  if ('muted' in part) element.className = 'muted'
  element.textContent = 'strong' in part ? part.strong : part.muted
  return element
}

/** Sound because only paths that are pages have a sight. */
const asPage = (path: string): AppPage => path as AppPage
