import { posix } from 'node:path'
import type { DocsPage } from '../../../src/site-server/pages.ts'
import { documentFiles } from './document-files.ts'

/** Documents whose content is on pages that are written for the site. */
const others: readonly (readonly [file: string, page: DocsPage])[] = [
  ['errors.md', '/docs/errors'],
  ['compatibility.md', '/docs/compatibility'],
  ['../CHANGELOG.md', '/docs/changelog'],
]

const pages: ReadonlyMap<string, string> = new Map([
  ...Object.entries(documentFiles).map(([page, { name }]) => [name, page] as const),
  ...others,
])

/** Where a link in a document leads on the site; null if what it names is not there. */
export const documentLink = (href: string, from: string): string | null => {
  if (/^https?:|^#/.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const page = pages.get(posix.join(posix.dirname(from), path))
  if (page === undefined) return null
  const isOwn = others.every(([, other]) => other !== page)
  return isOwn && fragment !== undefined ? `${page}#${fragment}` : page
}
