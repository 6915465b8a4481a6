import type { Language } from '../../src/site-server/pages.ts'
import type { Words } from './words.ts'

/** Only the language that is read is loaded. */
export const loadWords = async (language: Language): Promise<Words> =>
  language === 'ja' ? (await import('./ja.ts')).ja : (await import('./en.ts')).en
