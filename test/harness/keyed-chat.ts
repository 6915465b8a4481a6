import type { Helix } from './start-helix.ts'

/** POST /v1/chat/completions with an Idempotency-Key, optionally resuming after an event. */
export const keyedChat = (
  helix: Pick<Helix, 'chat' | 'authorized'>,
  key: string,
  body: Record<string, unknown> = {},
  { lastEventId, ...init }: RequestInit & { lastEventId?: string } = {},
): Promise<Response> =>
  helix.chat(body, {
    headers: {
      ...helix.authorized,
      'idempotency-key': key,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    ...init,
  })
