import type { words as admin } from './en/admin.ts'
import type { words as auth } from './en/auth.ts'
import type { words as console } from './en/console.ts'
import type { words as first } from './en/first.ts'
import type { words as litellmImport } from './en/litellm-import.ts'
import type { words as publicPages } from './en/public-pages.ts'
import type { words as screenshots } from './en/screenshots.ts'
import type { words as server } from './en/server.ts'
import type { words as settings } from './en/settings.ts'

/**
 * The shape of the English words: those of every other language have the same names, so one that is missing does not
 * compile.
 */
type Shape<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends string
    ? string
    : Part[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Shape<Part[Name]>
}

/** The words of the console. */
export type Words = Shape<typeof console>

/** Those that the frame of the console and the playground show. */
export type FirstWords = Shape<typeof first>

/** The words of the pages for administrators, which other pages do without. */
export type AdminWords = Shape<typeof admin>

/** What the import of a LiteLLM configuration leaves out. */
export type LitellmImportWords = Shape<typeof litellmImport>

/** What the scripts of the forms for signing in say; the rest stands in the pages. */
export type AuthWords = Shape<typeof auth>

/** The words of the public pages. They are read at build time only: no script carries them. */
export type PublicWords = Shape<typeof publicPages>

/** What the server itself says: its mails, and the page that it shows before the site is built. */
export type ServerWords = Shape<typeof server>

export type ScreenshotWords = Shape<typeof screenshots>

/** The table of settings, which `npm run docs` writes. */
export type SettingsWords = Shape<typeof settings>

/** The files in which each language has its words. Each exports `words`. */
export type WordFiles = {
  console: Words
  first: FirstWords
  admin: AdminWords
  auth: AuthWords
  'litellm-import': LitellmImportWords
  'public-pages': PublicWords
  server: ServerWords
  screenshots: ScreenshotWords
  settings: SettingsWords
}
