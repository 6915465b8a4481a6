import { errorCode, errorMessage } from '../../../base/caught-error.ts'
import type { Clock } from '../../../base/clock.ts'
import { followSignal } from '../../../base/following-signal.ts'
import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { HookSetting } from '../../../config/hook-setting.ts'
import { signWebhook } from '../../../webhooks/sign-webhook.ts'
import { type Hook, type HookDecision, HookFailure } from './hook.ts'

type HttpHookSetting = Exclude<HookSetting, { url: null }>

/** Of its answer. */
const maxBytes = 16_777_216

/** Asks a server, which has until the deadline for all of its answer. */
export const createHttpHook = (
  { name, phases, onFailure, url, timeoutMs }: HttpHookSetting,
  clock: Clock,
  secrets: readonly string[],
): Hook => ({
  name,
  phases,
  onFailure,
  stream: null,
  async check(texts, phase, { requestId, organisationId, keyId, endpoint, model }, signal) {
    const request = { request_id: requestId, organisation_id: organisationId, key_id: keyId, endpoint, model }
    const deadline = followSignal(signal)
    const cancel = clock.after(timeoutMs, () => deadline.abort(new HookFailure('it did not answer in time')))
    try {
      const sent = texts.map(({ role, text }) => ({ role, text }))
      const body = JSON.stringify({ hook: name, phase, ...request, texts: sent })
      const id = `${requestId}_${phase}_${name}`
      const signed = secrets.length === 0 ? {} : signWebhook({ id, body }, secrets, clock.now())
      const answer = await post(url, body, signed, deadline.signal)
      return readDecision(answer, texts)
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : failureOf(error)
    } finally {
      cancel()
      deadline.release()
    }
  },
})

const post = async (
  url: string,
  body: string,
  signed: Record<string, string>,
  signal: AbortSignal,
): Promise<string> => {
  const headers = { ...signed, 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'helix' }
  // To follow a redirect would send the texts to another address.
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new HookFailure(`it answered with status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new HookFailure('its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** `fetch` says what happened in the cause. */
const failureOf = (error: unknown): unknown => {
  if (!(error instanceof TypeError)) return error
  return new HookFailure(`the connection failed (${errorCode(error.cause) || errorMessage(error.cause ?? error)})`, {
    cause: error,
  })
}

const parsed = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    throw new HookFailure('its answer is no JSON')
  }
}

const readDecision = (text: string, sent: readonly { text: string }[]): HookDecision => {
  const answer = parsed(text)
  if (!isRecord(answer)) throw new HookFailure('its answer is no object')
  const { action, texts } = answer
  if (action === 'allow' || action === 'block') return { type: action }
  if (action !== 'replace' || !isTexts(texts) || texts.length !== sent.length)
    throw new HookFailure('its answer has no known action, or another number of texts')
  // As of requests: half a surrogate pair is nothing that upstreams can read.
  const readable = texts.map((text) => text.toWellFormed())
  const count = readable.filter((text, index) => text !== sent[index]?.text).length
  return count === 0 ? { type: 'allow' } : { type: 'replace', action: 'replaced', texts: readable, count }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
