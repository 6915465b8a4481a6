import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { PlaygroundCall } from '../../../../src/platform/contract/playground.ts'
import type { Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { explainRefusal } from './explain-refusal.ts'
import { type PrepareRequest, prepareWithKey } from './prepare-with-key.ts'
import { createReasoningReader } from './reasoning-reader.ts'
import { createThoughtPart, type ThoughtPart } from './thought-part.ts'

/** Longer answers are cut: this is a sample, and the playground shows whole ones. */
const maxShown = 200_000

/** What a panel of the page can call. */
const calls = [
  'completeInPlayground',
  'respondInPlayground',
  'messageInPlayground',
  'continueInPlayground',
  'embedInPlayground',
  'rerankInPlayground',
  'scoreInPlayground',
  'listModelsInPlayground',
] as const satisfies readonly PlaygroundCall[]

/**
 * Sends the body in the field for the signed-in reader, through a route of the playground, which needs no key; where there
 * is no such route, with the key that the reader types. A stream is shown as it arrives, event by event.
 */
export const startTryIt = (panel: HTMLElement, platform: Platform): void => {
  const field = panel.querySelector('textarea')
  const output = panel.querySelector('output')
  const refusal = panel.querySelector<HTMLElement>('.refusal')
  const [send, stop] = panel.querySelectorAll('button')
  const state = panel.querySelector<HTMLElement>('[role="status"]')
  const link = panel.querySelector<HTMLAnchorElement>('.request')
  const thought = panel.querySelector<HTMLElement>('.thought')
  if (!output || !refusal || !send || !stop || !state) return
  const readBody = (): unknown => (field === null ? null : readJson(field, state))
  const prepare = prepareInSession(panel, platform, readBody) ?? prepareWithKey(panel, state, readBody)
  if (prepare === null) return
  let running: AbortController | null = null
  const run = async (): Promise<void> => {
    const sendPrepared = prepare()
    if (sendPrepared === null) return
    running = new AbortController()
    const { signal } = running
    output.textContent = ''
    if (thought !== null) thought.hidden = true
    refusal.replaceChildren()
    state.textContent = state.dataset.sending ?? ''
    if (link !== null) link.hidden = true
    send.disabled = true
    stop.hidden = false
    // Only calls of the model are in the request log.
    const showSentRequest = (id: string | null): void => (field === null ? undefined : showRequest(link, id))
    try {
      const response = await sendPrepared(signal)
      showSentRequest(response.headers.get('x-request-id'))
      state.textContent = `${response.status} ${response.headers.get('content-type') ?? ''}`
      await showAnswer(response, output, thought === null ? null : createThoughtPart(thought))
    } catch (error) {
      if (error instanceof PlatformError) {
        showSentRequest(error.requestId)
        state.textContent = `${error.status === 0 ? '' : error.status} ${error.code}`.trim()
        const explained = await explainRefusal(error, platform).catch(() => null)
        if (explained === null) output.textContent = error.message
        else refusal.replaceChildren(...explained)
      } else state.textContent = state.dataset.stopped ?? ''
    } finally {
      send.disabled = false
      stop.hidden = true
      running = null
    }
  }
  send.addEventListener('click', () => void run())
  stop.addEventListener('click', () => running?.abort())
  send.disabled = false
}

/** For the signed-in reader. Null if there is no such route. */
const prepareInSession = (panel: HTMLElement, platform: Platform, readBody: () => unknown): PrepareRequest | null => {
  const { tryIt: name = '', kind = 'chat' } = panel.dataset
  const call = calls.find((each) => each === name)
  if (call === undefined) return null
  const field = panel.querySelector('textarea')
  if (field !== null) void nameModel(platform, field, kind).catch(() => {})
  return () => {
    const body = readBody()
    return body === undefined ? null : (signal) => platform[call]({ body, signal })
  }
}

/** A JSON document is indented once it is complete. What the model reasons also stands on its own, folded. */
const showAnswer = async (response: Response, output: HTMLElement, thought: ThoughtPart | null): Promise<void> => {
  const reasoning = createReasoningReader()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (text.length >= maxShown) continue
    text += part.value
    output.append(part.value)
    thought?.show(reasoning.add(part.value), performance.now())
  }
  if (text.length < maxShown && response.headers.get('content-type')?.startsWith('application/json'))
    output.textContent = JSON.stringify(parseJsonText(text), null, 2)
}

/** The server may serve no model of the name in the sample. What was typed in the meantime stays. */
const nameModel = async (platform: Platform, field: HTMLTextAreaElement, kind: string): Promise<void> => {
  const model = (await platform.showSession()).models.find((each) => each.kind === kind)
  if (model === undefined || field.value !== field.defaultValue) return
  field.value = field.value.replace('"helix-v1"', () => JSON.stringify(model.id))
}

const readJson = (field: HTMLTextAreaElement, state: HTMLElement): unknown => {
  try {
    const body = parseJsonText(field.value)
    field.removeAttribute('aria-invalid')
    return body
  } catch (error) {
    field.setAttribute('aria-invalid', 'true')
    state.textContent = `${state.dataset.invalid} ${error instanceof Error ? error.message : ''}`
    field.focus()
    return undefined
  }
}

const showRequest = (link: HTMLAnchorElement | null, id: string | null): void => {
  if (link === null || id === null) return
  link.hidden = false
  link.href = `/requests/${encodeURIComponent(id)}`
}
