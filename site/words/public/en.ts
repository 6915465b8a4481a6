import { frame } from './en/frame.ts'

export const en = { frame } as const
