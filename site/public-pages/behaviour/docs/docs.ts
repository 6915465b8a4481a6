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
  for (const panel of document.querySelectorAll<HTMLDetailsElement>('details[data-try-it]'))
    panel.addEventListener(
      'toggle',
      () => void import('./try-it.ts').then(({ startTryIt }) => startTryIt(panel, platform)),
      {
        once: true,
      },
    )
}

/** On a phone the lists of groups and pages are lines that may not fit: the current ones are scrolled into sight. */
const showCurrentPage = (): void => {
  for (const list of document.querySelectorAll<HTMLElement>('.docs .docs-groups, .docs .docs-pages')) {
    const current = list.querySelector<HTMLElement>('[aria-current]')
    if (current !== null)
      list.scrollLeft = current.offsetLeft - list.offsetLeft + current.offsetWidth - list.clientWidth
  }
}
