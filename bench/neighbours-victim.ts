import { createParser } from 'eventsource-parser'

/**
 * Reads one stream in its own process, and sends a short request every so often. When asked, reports the gaps between the tokens
 * of the stream and the times to the first token of the short requests since the last report.
 */
export type VictimStart = { url: string; key: string }
export type VictimReport = { gapsMs: number[]; firstTokensMs: number[] }

const askEveryMs = 50

let report: VictimReport = { gapsMs: [], firstTokensMs: [] }

/** Calls `onToken` for each token of an answer. */
const read = async ({ url, key }: VictimStart, content: string, onToken: () => void): Promise<void> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helix-v1', stream: true, messages: [{ role: 'user', content }] }),
  })
  if (!response.ok) throw new Error(`the victim was refused: ${await response.text()}`)
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]' && JSON.parse(data).choices[0]?.delta.content) onToken()
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }))
}

/** One answer after the other: with an upstream of unknown context, each ends at the tokens reserved for it. */
const readSteady = async (start: VictimStart): Promise<never> => {
  for (;;) {
    let lastMs: number | null = null
    await read(start, 'steady', () => {
      const nowMs = performance.now()
      if (lastMs !== null) report.gapsMs.push(nowMs - lastMs)
      lastMs = nowMs
    })
  }
}

const askOften = async (start: VictimStart): Promise<never> => {
  for (;;) {
    const sentMs = performance.now()
    await read(start, 'short', () => report.firstTokensMs.push(performance.now() - sentMs))
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
}

process.on('message', (message: VictimStart | 'report') => {
  if (message !== 'report') return void Promise.all([readSteady(message), askOften(message)])
  process.send?.(report)
  report = { gapsMs: [], firstTokensMs: [] }
})
process.on('disconnect', () => process.exit())
