import { auth } from './en/auth.ts'
import { docs } from './en/docs.ts'
import { frame } from './en/frame.ts'
import { landing } from './en/landing.ts'
import { limits } from './en/limits.ts'
import { quickstart } from './en/quickstart.ts'
import { retries } from './en/retries.ts'

export const en = { frame, landing, auth, docs, quickstart, limits, retries } as const
