import { type Helix, modelName } from './start-helix.ts'

type Sent = { headers?: Record<string, string> }

/** POST /v1/responses, with the model and an input filled in. */
export const postResponses = (
  { baseUrl, authorized }: Pick<Helix, 'baseUrl' | 'authorized'>,
  body: Record<string, unknown>,
  { headers = {} }: Sent = {},
): Promise<Response> =>
  fetch(`${baseUrl}/responses`, {
    method: 'POST',
    headers: { ...authorized, ...headers },
    body: JSON.stringify({ model: modelName, input: 'Hi', ...body }),
  })
