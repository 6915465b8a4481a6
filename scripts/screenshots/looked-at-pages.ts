import { apiPages, guideDocuments, operateDocuments, publicPages } from '../../src/site-server/pages.ts'

/** Pages of one template each: in a browser these stand for the others. */
const representatives: readonly string[] = [
  '/docs/api/chat-completions',
  '/docs/api/keys',
  '/docs/guides/keys',
  '/docs/operate/config',
]
const alike: readonly string[] = [...apiPages, ...guideDocuments, ...operateDocuments]

/** The pages that can be read without an account, of those with the same template a few. */
export const lookedAtPages = publicPages.filter((path) => !alike.includes(path) || representatives.includes(path))
