/**
 * What the search of the documentation finds: a page, a part of it, or one field, error code or setting (`isName`). `names` are the
 * fields, codes and paths in it.
 */
export type DocsEntry = {
  page: string
  id: string
  heading: string
  text: string
  names: string
  isName?: boolean
}

/** `synonyms` are words that people search by, and those that the pages use for the same. */
export type DocsIndex = { entries: readonly DocsEntry[]; synonyms: Readonly<Record<string, string>> }
