import type { Language } from '../../../languages/language.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Lede } from '../ledes/lede.ts'

/** What a page says first: the sentence under its name, and why there is nothing below it, if so. */
export type SaidFirst = { readonly lede?: Lede; readonly empty?: { readonly title: string; readonly text: string } }

type Say<PageWords> = (words: PageWords, language: Language) => SaidFirst

/** Asks what the first words of a page need, with the calls of the page itself, and returns what says them. */
export type Sight<PageWords> = (platform: Platform, now: number) => Promise<Say<PageWords>>
