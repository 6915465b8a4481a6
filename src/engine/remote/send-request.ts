import { ApiError } from '../../base/api-error.ts'
import type { Asked } from './accepted-request.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { messagesBody } from './messages/messages-body.ts'
import { responsesBody } from './responses/responses-body.ts'
import { rawPromptBody, upstreamBody } from './upstream-body.ts'
import type { UpstreamCall } from './upstream-call.ts'
import { callerHeaders } from './upstream-tls.ts'
import type { LongBody } from './write-in-turns.ts'

/** Sends a request in the form that the upstream expects. */
export const sendRequest = (
  upstream: AnsweringUpstream,
  { conversation, sampling, native }: Asked,
  stream: boolean,
  signal: AbortSignal,
): UpstreamCall | Promise<UpstreamCall> => {
  const { client, name, model, dialect, fields, rawPromptFields, isNode } = upstream
  const { rawPrompt, ownerId, cacheScope: scope, trace } = conversation
  const options = { model, dialect, fields, stream, tenant: ownerId }
  const named = isNode ? { headers: callerHeaders(conversation) } : {}
  const posting = { stream, signal, tenant: ownerId, trace, ...named }
  if (dialect.wire === 'messages') {
    if (rawPrompt !== undefined) throw ApiError.of('raw_prompt_unsupported', { model: name }, { param: 'model' })
    return client.post('/messages', messagesBody(conversation, sampling, options), posting)
  }
  const chatPath = native === null ? '/chat/completions' : '/responses'
  const path = rawPrompt === undefined ? chatPath : '/completions'
  const post = (body: string | LongBody): UpstreamCall => client.post(path, body, posting)
  const chatBody = () =>
    native === null
      ? upstreamBody(conversation, sampling, options)
      : responsesBody(native, sampling, { ...options, scope, sendsReasoning: dialect.sendsReasoning })
  const body =
    rawPrompt === undefined ? chatBody() : rawPromptBody(rawPrompt, sampling, { ...options, fields: rawPromptFields })
  return body instanceof Promise ? body.then(post) : post(body)
}
