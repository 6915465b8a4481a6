import type { PublicWords } from '../words.ts'
import { auth } from './public-pages/auth.ts'
import { docs } from './public-pages/docs.ts'
import { documents } from './public-pages/documents.ts'
import { frame } from './public-pages/frame.ts'
import { agents } from './public-pages/guides/agents.ts'
import { embeddings } from './public-pages/guides/embeddings.ts'
import { migration } from './public-pages/guides/migration.ts'
import { reasoning } from './public-pages/guides/reasoning.ts'
import { streaming } from './public-pages/guides/streaming.ts'
import { structuredOutput } from './public-pages/guides/structured-output.ts'
import { tools } from './public-pages/guides/tools.ts'
import { troubleshooting } from './public-pages/guides/troubleshooting.ts'
import { landing } from './public-pages/landing.ts'
import { limits } from './public-pages/limits.ts'
import { quickstart } from './public-pages/quickstart.ts'
import { reference } from './public-pages/reference.ts'
import { retries } from './public-pages/retries.ts'
import { searchSynonyms } from './public-pages/search-synonyms.ts'

const guides = { agents, embeddings, migration, reasoning, streaming, structuredOutput, tools, troubleshooting }

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
  searchSynonyms,
}
