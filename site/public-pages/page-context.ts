import type { DocumentName, Language } from '../../src/site-server/pages.ts'
import type { PublicWords } from '../words/public/public-words.ts'

/** What a template is given: for whom it writes. */
export type PageContext = { name: DocumentName; language: Language; words: PublicWords }
