import type { PublicWords } from '../words.ts'
import { auth } from './public-pages/auth.ts'
import { docs } from './public-pages/docs.ts'
import { frame } from './public-pages/frame.ts'
import { landing } from './public-pages/landing.ts'
import { limits } from './public-pages/limits.ts'
import { quickstart } from './public-pages/quickstart.ts'
import { retries } from './public-pages/retries.ts'

export const words: PublicWords = { frame, landing, auth, docs, quickstart, limits, retries }
