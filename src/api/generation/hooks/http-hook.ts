import type { Clock } from '../../../base/clock.ts'
import { followSignal } from '../../../base/following-signal.ts'
import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { HookSetting } from '../../../config/hook-setting.ts'
import { signWebhook } from '../../../webhooks/sign-webhook.ts'
import type { Hook, HookDecision } from './hook.ts'

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
    const cancel = clock.after(timeoutMs, () => deadline.abort(new Error('it did not answer in time')))
    try {
      const body = JSON.stringify({ hook: name, phase, ...request, texts })
      const id = `${requestId}_${phase}_${name}`
      const signed = secrets.length === 0 ? {} : signWebhook({ id, body }, secrets, clock.now())
      const answer = await post(url, body, signed, deadline.signal)
      return readDecision(parseJsonText(answer), texts)
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : error
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
  // A redirect would send the texts to another address.
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error('its answer is too long')
    chunks.push(chunk)
  }
  if (!response.ok) throw new Error(`it answered with status ${response.status}`)
  return Buffer.concat(chunks).toString()
}

const readDecision = (answer: unknown, sent: readonly { text: string }[]): HookDecision => {
  if (!isRecord(answer)) throw new Error('its answer is no object')
  const { action, texts } = answer
  if (action === 'allow' || action === 'block') return { type: action }
  if (action !== 'replace' || !isTexts(texts) || texts.length !== sent.length)
    throw new Error('its answer has no known action, or another number of texts')
  const count = texts.filter((text, index) => text !== sent[index]?.text).length
  return count === 0 ? { type: 'allow' } : { type: 'replace', action: 'replaced', texts, count }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
