import { embedderName } from './scripted-embedder.ts'
import type { Helix } from './start-helix.ts'

/** POST /v1/embeddings, with the model filled in. */
export const postEmbeddings = (
  { baseUrl, authorized }: Pick<Helix, 'baseUrl' | 'authorized'>,
  body: Record<string, unknown>,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: authorized,
    body: JSON.stringify({ model: embedderName, ...body }),
    ...init,
  })
