import { auth } from './ja/auth.ts'
import { docs } from './ja/docs.ts'
import { frame } from './ja/frame.ts'
import { landing } from './ja/landing.ts'
import { limits } from './ja/limits.ts'
import { quickstart } from './ja/quickstart.ts'
import { retries } from './ja/retries.ts'
import type { PublicWords } from './public-words.ts'

export const ja: PublicWords = { frame, landing, auth, docs, quickstart, limits, retries }
