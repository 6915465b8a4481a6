import { startDocsSearch } from './docs-search.ts'
import { startOwnValues } from './own-values.ts'
import { startSectionLinks } from './section-links.ts'

/** What only the documentation needs. */
export const startDocs = (): void => {
  startDocsSearch()
  startSectionLinks()
  void startOwnValues()
  for (const panel of document.querySelectorAll<HTMLDetailsElement>('details[data-try-it]'))
    panel.addEventListener('toggle', () => void import('./try-it.ts').then(({ startTryIt }) => startTryIt(panel)), {
      once: true,
    })
}
