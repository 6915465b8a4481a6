import type { Shape } from '../words.ts'
import type { en } from './en.ts'

export type AuthWords = Shape<typeof en>
