import { createParser } from 'eventsource-parser'

/** Reads one stream in its own process; on request, reports the gaps between tokens since the last report. */
export type VictimStart = { url: string; key: string }

let gapsMs: number[] = []
let lastMs: number | null = null

const read = async ({ url, key }: VictimStart): Promise<void> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helix-v1', stream: true, messages: [{ role: 'user', content: 'steady' }] }),
  })
  if (!response.ok) throw new Error(`the victim was refused: ${await response.text()}`)
  const parser = createParser({
    onEvent({ data }) {
      if (!JSON.parse(data).choices[0]?.delta.content) return
      const nowMs = performance.now()
      if (lastMs !== null) gapsMs.push(nowMs - lastMs)
      lastMs = nowMs
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }))
  throw new Error('the stream of the victim ended')
}

process.on('message', (message: VictimStart | 'gaps') => {
  if (message !== 'gaps') return void read(message)
  process.send?.(gapsMs)
  gapsMs = []
})
process.on('disconnect', () => process.exit())
