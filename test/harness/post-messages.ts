import { type Helix, modelName } from './start-helix.ts'

/** POST /v1/messages, with what every request needs filled in. */
export const postMessages = (
  { baseUrl, key }: Pick<Helix, 'baseUrl' | 'key'>,
  body: Record<string, unknown> = {},
  { path = '', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  fetch(`${baseUrl}/messages${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: modelName, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })
