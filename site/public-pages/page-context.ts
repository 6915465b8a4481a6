import type { Language } from '../../languages/language.ts'
import type { PublicWords } from '../../languages/words.ts'
import type { DocumentName } from '../../src/site-server/pages.ts'

/** What a template is given: for whom it writes, and in which languages the page can be read. */
export type PageContext = PageReader & { name: DocumentName }

export type PageReader = { language: Language; languages: readonly Language[]; words: PublicWords }
