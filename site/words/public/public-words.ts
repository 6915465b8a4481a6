import type { Shape } from '../words.ts'
import type { en } from './en.ts'

/** The words of the public pages. They are read at build time only: no script carries them. */
export type PublicWords = Shape<typeof en>
