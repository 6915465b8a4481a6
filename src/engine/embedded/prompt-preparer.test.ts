import { afterEach, expect, test } from 'vitest'
import { talk } from '../../../test/harness/engine-request.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { openPromptPreparer, type PromptPreparer } from './prompt-preparer.ts'

/** Hangs at the text "hang", refuses the template "broken", and prepares everything else as one token. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  const outcomeOf = ({ type, model, conversation }) => {
    if (model?.chatTemplate === 'broken') return { type: 'model_refused', reason: 'broken' }
    if (type !== 'prepare') return { type: 'ready' }
    while (conversation.messages[0].content === 'hang');
    return { type: 'prepared', tokens: Uint32Array.of(7) }
  }
  parentPort.on('message', (job) => parentPort.postMessage({ type: 'result', value: outcomeOf(job) }))
  parentPort.postMessage({ type: 'ready' })
`)}`,
)
const model = { source: { gpu: false }, vocab: 1n, chatTemplate: 'good', contextTokens: 100 }
const never = new AbortController().signal
const prepared = { type: 'prepared', tokens: Uint32Array.of(7) }
const limitMs = 10_000

let preparer: PromptPreparer
afterEach(() => preparer.close())
const openChecked = async () => {
  const clock = createManualClock()
  preparer = openPromptPreparer({ clock, file })
  await preparer.check(model)
  return clock
}
const hang = (ownerId: string, signal = never) => preparer.prepare(talk('hang', { ownerId }), signal)
const prepare = (ownerId: string) => preparer.prepare(talk('hello', { ownerId }), never)

test('a prompt that takes too long is refused; meanwhile others are prepared', async () => {
  const clock = await openChecked()
  const endless = hang('a')
  expect(await prepare('b')).toEqual(prepared)
  const next = prepare('a')
  await clock.awaited(limitMs)
  clock.advance(limitMs)
  expect(await endless).toMatchObject({ type: 'template_refused', reason: expect.stringContaining(`${limitMs} ms`) })
  expect(await next).toEqual(prepared)
})

test('an owner with too many waiting prompts is busy, another one is not', async () => {
  await openChecked()
  const abort = new AbortController()
  const flood = Array.from({ length: 1025 }, () => hang('a', abort.signal).catch(() => 'aborted'))
  expect(await hang('a')).toEqual({ type: 'busy' })
  expect(await prepare('b')).toEqual(prepared)
  abort.abort()
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['aborted']))
})

test('a model whose template cannot be parsed is refused', async () => {
  preparer = openPromptPreparer({ clock: createManualClock(), file })
  await expect(preparer.check({ ...model, chatTemplate: 'broken' })).rejects.toThrow('broken')
})
