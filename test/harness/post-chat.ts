/** `POST /v1/chat/completions` with one question, or with the fields that `body` overrides. */
export const postChat = (
  { url, key }: { url: string; key: string },
  content: string,
  body: Record<string, unknown> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helix-v1', messages: [{ role: 'user', content }], ...body }),
    signal,
  })
