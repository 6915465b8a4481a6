import type { Language } from '../../../languages/language.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Lede } from '../ledes/lede.ts'

/** A button beside the sentence. */
export type Action = { readonly text: string; readonly hasIcon?: boolean }

/** What a page says first. */
export type SaidFirst = {
  /** The sentence under its name. */
  readonly lede?: Lede
  /** The buttons beside it, where not everybody has them or not always; those that are always there are in the document. */
  readonly actions?: readonly Action[]
  /** What the page shows below it, as far as it is text that may be larger; the document's placeholder lines stand for the rest. */
  readonly below?: readonly ('lines' | Node)[]
}

type Say<PageWords> = (words: PageWords, language: Language) => SaidFirst

/** Asks what the first words of a page need, with the calls of the page itself, and returns what says them. */
export type Sight<PageWords> = (platform: Platform, now: number) => Promise<Say<PageWords>>
