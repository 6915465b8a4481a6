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

/** On a phone the list of pages is a line that does not fit: the current page is scrolled into sight. */
const showCurrentPage = (): void => {
  const current = document.querySelector<HTMLElement>('.docs .side nav [aria-current="page"]')
  const list = current?.closest('nav')
  if (current && list) list.scrollLeft = current.offsetLeft - list.offsetLeft + current.offsetWidth - list.clientWidth
}
