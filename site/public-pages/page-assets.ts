import type { LanguageCode } from '../../languages/language.ts'

/** The scripts and styles that pages load. */
export type PageEntry = 'app' | 'pages' | 'auth' | 'siteStyle' | 'publicStyle' | 'appStyle'

/** The pictures that pages show. */
export type PagePictures = {
  /** The playground with answers, in a theme and a language, on a phone or a desk: pictures are as wide as the page was, in pixels. */
  picture(theme: 'light' | 'dark', language: LanguageCode, width: 375 | 1440): string
}

/** Where the built files are, for the pages that load them. */
export type PageAssets = PagePictures & {
  /** The path of an entry. */
  path(entry: PageEntry): string
  /** The paths of what a script imports, to be preloaded, with the words that it says in this language. */
  imports(entry: PageEntry, language: LanguageCode): string[]
  /** What a view of the app loads besides, once it is known which one it is. */
  view(modules: readonly string[]): { scripts: string[]; styles: string[] }
  /** The font of body text, preloaded because it is needed before its style sheet has been read. */
  font: string
  /** Runs before the page is painted. */
  beforePaintScript: string
  /** The picture shown with a shared link. */
  card: string
  /** What the search of the documentation reads; empty while that is being written. */
  docsIndex: string
}
