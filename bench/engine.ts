import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { loadavg } from 'node:os'
import { loadConfig } from '../src/config/load-config.ts'
import { readModel } from '../src/engine/model-folder.ts'
import { launchHelix } from './launch-helix.ts'
import { median, report, spreadOf, tokensPerSecond } from './measure.ts'
import { askChat, type ChatServer, readTexts } from './stream-chat.ts'

/**
 * Decoding speed and time to first token over HTTP at several widths, alternating with `llama-server` if
 * LLAMA_SERVER_BIN names one; otherwise ours alone. Prompts differ in their first word so that none is cached, except
 * in the last measurement, which repeats a prompt.
 */
const rounds = 5
const widths = [1, 4, 8, 16]
const maxTokens = 128
const limitMs = 3_000_000
const slots = Math.max(...widths)

const signal = AbortSignal.timeout(limitMs)
const config = loadConfig({ flags: {}, environment: {}, configFile: null })
let asked = 0
const newPrompt = (): string => {
  asked += 1
  return `${asked}: retell this in your own words. ${'The history of the railway began with wooden wagonways in mines. '.repeat(38)}`
}

type Measure = { tokensPerSecond: number; firstTokenMs: number }

const measureStream = async (
  server: ChatServer,
  content: string,
): Promise<{ arrivalsMs: number[]; firstMs: number }> => {
  const startedMs = performance.now()
  const arrivalsMs: number[] = []
  for await (const _ of readTexts(await askChat(server, { content, maxTokens }, signal)))
    arrivalsMs.push(performance.now())
  return { arrivalsMs, firstMs: (arrivalsMs[0] ?? Number.NaN) - startedMs }
}

const measure = async (server: ChatServer, streams: number): Promise<Measure> => {
  const prompts = Array.from({ length: streams }, newPrompt)
  const answers = await Promise.all(prompts.map((content) => measureStream(server, content)))
  return {
    tokensPerSecond: tokensPerSecond(answers.map(({ arrivalsMs }) => arrivalsMs)),
    firstTokenMs: median(answers.map(({ firstMs }) => firstMs)),
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const launchReference = async (program: string): Promise<ChatServer & { close(): Promise<void>; flags: string }> => {
  const { weightsPath, served } = await readModel(config.model)
  const port = await freePort()
  const flags = `-np ${slots} -c ${slots * served.contextTokens} -t ${config.engineThreads} --no-webui`
  const server = spawn(program, ['-m', weightsPath, '--port', String(port), ...flags.split(' ')], {
    signal,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) if (server.exitCode !== null) throw new Error('llama-server stopped before it was ready')
  return {
    ...{ url, key: '', model: served.id, flags },
    async close() {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

const program = process.env.LLAMA_SERVER_BIN
if (program === undefined)
  console.error('LLAMA_SERVER_BIN is not set: there is no reference, and the ratio compares ours with itself.')
const helix = await launchHelix(signal, { HELIX_ENGINE_SLOTS: String(slots) })
const reference = program === undefined ? null : await launchReference(program)
try {
  await helix.reachedMs('engine_ready')
  const servers = { helix, ...(reference ? { reference } : {}) }
  const figures: Record<string, unknown> = { flags: reference?.flags ?? null, loadAverage: loadavg() }
  const ratios: number[] = []
  for (const server of Object.values(servers)) await measure(server, 1)
  for (const streams of widths) {
    const results = new Map<string, Measure[]>()
    for (let round = 0; round < rounds; round += 1)
      for (const [name, server] of Object.entries(servers))
        results.set(name, [...(results.get(name) ?? []), await measure(server, streams)])
    const speeds = (name: string) => (results.get(name) ?? []).map(({ tokensPerSecond }) => tokensPerSecond)
    ratios.push(median(speeds('helix')) / median(speeds(reference ? 'reference' : 'helix')))
    for (const [name, measures] of results)
      figures[`${name}For${streams}`] = {
        tokensPerSecond: spreadOf(measures.map(({ tokensPerSecond }) => tokensPerSecond)),
        firstTokenMs: spreadOf(
          measures.map(({ firstTokenMs }) => firstTokenMs),
          0,
        ),
      }
  }
  for (const [name, server] of Object.entries(servers)) {
    const again = newPrompt()
    const firstMs: number[] = []
    for (let round = 0; round <= rounds; round += 1) firstMs.push((await measureStream(server, again)).firstMs)
    figures[`${name}SamePromptAgain`] = { firstTokenMs: spreadOf(firstMs.slice(1), 0) }
  }
  const ratio = spreadOf(ratios)
  const isMeasured = reference !== null
  report({
    bench: 'engine',
    ratio,
    target: '≥ 0.95 at every width',
    met: isMeasured ? ratio.min >= 0.95 : null,
    rounds,
    figures,
  })
} finally {
  await reference?.close()
  await helix.close()
}
