import { frame } from './ja/frame.ts'
import type { PublicWords } from './public-words.ts'

export const ja: PublicWords = { frame }
