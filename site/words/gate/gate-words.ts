import type { Shape } from '../words.ts'
import type { en } from './en.ts'

export type GateWords = Shape<typeof en>
