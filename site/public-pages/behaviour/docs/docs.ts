import { createPageCredentials, createPlatform } from '../../../platform/platform.ts'
import { startCopyPage } from './copy-page.ts'
import { startDocsSearch } from './docs-search.ts'
import { startOwnValues } from './own-values.ts'
import { startSectionLinks } from './section-links.ts'

/** What only the documentation needs. */
export const startDocs = (): void => {
  const platform = createPlatform(createPageCredentials())
  startDocsSearch()
  startCopyPage()
  showCurrentPage()
  startSectionLinks()
  void startOwnValues(platform)
  for (const panel of document.querySelectorAll<HTMLDetailsElement>('details[data-try-it]')) {
    const start = (): void => void import('./try-it.ts').then(({ startTryIt }) => startTryIt(panel, platform))
    // It may have been opened before this script was there.
    if (panel.open) start()
    else panel.addEventListener('toggle', start, { once: true })
  }
}

/** Where the lists do not fit, the current page is scrolled into sight: in lines on a phone, in the column at the left on wide screens. */
const showCurrentPage = (): void => {
  for (const list of document.querySelectorAll<HTMLElement>('.docs .docs-groups, .docs .docs-pages')) {
    const current = list.querySelector<HTMLElement>('[aria-current]')
    if (current !== null)
      list.scrollLeft = current.offsetLeft - list.offsetLeft + current.offsetWidth - list.clientWidth
  }
  const list = document.querySelector<HTMLElement>('.docs .docs-pages')
  const current = list?.querySelector<HTMLElement>('[aria-current="page"]') ?? null
  if (list === null || current === null) return
  const below = current.getBoundingClientRect().top - list.getBoundingClientRect().top
  if (below > list.clientHeight * 0.7) list.scrollTop = below - list.clientHeight / 3
}
