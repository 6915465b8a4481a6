import type { PublicWords } from '../words.ts'
import { auth } from './public-pages/auth.ts'
import { docs } from './public-pages/docs.ts'
import { documents } from './public-pages/documents.ts'
import { frame } from './public-pages/frame.ts'
import { agents } from './public-pages/guides/agents.ts'
import { embeddings } from './public-pages/guides/embeddings.ts'
import { reasoning } from './public-pages/guides/reasoning.ts'
import { streaming } from './public-pages/guides/streaming.ts'
import { structuredOutput } from './public-pages/guides/structured-output.ts'
import { tools } from './public-pages/guides/tools.ts'
import { landing } from './public-pages/landing.ts'
import { limits } from './public-pages/limits.ts'
import { quickstart } from './public-pages/quickstart.ts'
import { reference } from './public-pages/reference.ts'
import { retries } from './public-pages/retries.ts'

const guides = { agents, embeddings, reasoning, streaming, structuredOutput, tools }

export const words: PublicWords = {
  frame,
  landing,
  auth,
  docs,
  quickstart,
  limits,
  retries,
  reference,
  documents,
  guides,
}
