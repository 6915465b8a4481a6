import { expect, test } from 'vitest'
import { postChat } from '../harness/post-chat.ts'
import { openScratchStore } from '../harness/scratch-store.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, usageEvent } from '../harness/scripted-upstream.ts'
import { startProgram } from '../harness/start-program.ts'

// Two starts of the program: on a machine with twelve times as much work as cores, all of it took 113 seconds.
test('requests that a killed server left open are settled at the next startup, and settled ones are unchanged', async () => {
  const bothRun = Promise.withResolvers<void>()
  let running = 0
  const upstream = await startUpstream((response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(pieceEvent('Hel'))
    // A slow start may be followed by a probe, which has no messages.
    if (!JSON.stringify(body).includes('for ever'))
      return response.end(pieceEvent('lo') + finishEvent() + usageEvent(7, 2) + doneEvent)
    running += 1
    if (running === 2) bothRun.resolve()
  })
  const env = { HELIX_UPSTREAM_URL: upstream.baseUrl, HELIX_UPSTREAM_MODEL: 'theirs', HELIX_MODEL_NAME: 'ours' }
  const first = await startProgram({ env })
  const key = await first.createKey()
  await (await postChat({ url: first.url, key }, 'Hi', { model: 'ours' })).text()
  const streaming = { model: 'ours', stream: true, max_tokens: 9 }
  const cut = await postChat({ url: first.url, key }, 'for ever', streaming)
  expect(cut.status).toBe(200)
  const waiting = postChat({ url: first.url, key }, 'for ever', { ...streaming, stream: false }).catch(() => null)
  await bothRun.promise
  // An upstream may be asked while the reservation is being written. A request that is settled was written after both.
  await (await postChat({ url: first.url, key }, 'Hi', { model: 'ours' })).text()
  expect(await first.stop('SIGKILL')).toBeNull()
  await waiting

  const second = await startProgram({ env, dataDir: first.dataDir })
  expect(await second.logged({ event: 'ledger_recovered' })).toMatchObject({ level: 'warn', requests: 2 })
  expect(await second.stop()).toBe(0)
  await using store = await openScratchStore(first.dataDir)
  const rows = await store.ledger.list({ organisationId: null, before: null, limit: 10 })
  expect(rows.map(({ stream, settlement }) => ({ stream, ...settlement }))).toMatchObject([
    { stream: false, outcome: 'completed', promptTokens: 7, completionTokens: 2 },
    { stream: false, outcome: 'server_died', completionTokens: 0 },
    { stream: true, outcome: 'server_died', error: null, finishReason: null },
    { stream: false, outcome: 'completed', promptTokens: 7, completionTokens: 2 },
  ])
  // One piece was sent; whether it had a checkpoint by then is a matter of half a second.
  expect(rows[2]?.settlement?.completionTokens).toBeLessThanOrEqual(1)
  expect(await store.usage.verify()).toMatchObject({ checkedRequests: 4, differences: [] })
}, 300_000)
