import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openRemoteEngine } from '../../src/engine/remote/remote-engine.ts'
import { openTokenCounters } from '../../src/engine/remote/tokenizer/token-counters.ts'
import { createLogCatcher } from '../harness/log-catcher.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { postMessages } from '../harness/post-messages.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const { log } = createLogCatcher({ clock: systemClock, format: 'json' })

const withoutUsage = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(pieceEvent('the') + pieceEvent(' the the') + finishEvent() + doneEvent)
}
const prompt = {
  messages: [
    { role: 'system', content: 'Answer briefly.' },
    { role: 'user', content: '日本の首都はどこですか。 The capital, please.' },
  ],
}

test('an upstream without usage is billed what the embedded engine counts with the same GGUF file', async () => {
  const embedded = await openTinyEngine('tiny-chat')
  await embedded.firstLoad
  const direct = await startHelix({ startEngine: () => embedded })
  await (await direct.chat({ ...prompt, model: embedded.model.id, max_tokens: 1 })).text()
  const [known] = await readLedger(direct)
  const promptTokens = known?.settlement?.promptTokens ?? 0

  const upstream = await startUpstream(withoutUsage)
  // On a manual clock a busy machine has all the time it needs to count.
  const counters = openTokenCounters({ clock: createManualClock(), log })
  onTestFinished(() => counters.close())
  const path = writeTinyModel(scratchPath(), 'tiny-chat')
  expect(await counters.check(path)).toBe(null)
  const engine = openRemoteEngine({
    ...{ baseUrl: upstream.baseUrl, key: null, upstreamModel: 'theirs', name: modelName, contextTokens: null },
    ...{ slots: 4, created: 0, log, capabilities: [], counter: counters.of(path) },
  })
  const helix = await startHelix({ startEngine: () => engine })
  const answer: unknown = await (await helix.chat({ ...prompt, max_tokens: 20 })).json()
  expect(answer).toMatchObject({ usage: { prompt_tokens: promptTokens, completion_tokens: 4 } })
  const input = await postMessages(helix, prompt, { path: '/count_tokens' })
  expect(await input.json()).toEqual({ input_tokens: promptTokens })
  const [row] = await readLedger(helix)
  expect(promptTokens).toBeGreaterThan(40)
  expect(row?.reservedTokens).toBe(promptTokens + 20)
  expect(row?.settlement).toMatchObject({ promptTokens, completionTokens: 4 })
  expect(row?.settlement?.isEstimated ?? false).toBe(false)
})
