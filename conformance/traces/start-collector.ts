import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseJsonText } from '../../src/base/parse-json-text.ts'
import { environment } from '../../src/config/load-config.ts'
import { runCommand } from '../run-command.ts'

/** What its receiver has accepted, as it writes it out again. */
export type AcceptedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  /** Absent if there are none. */
  attributes?: { key: string; value: Record<string, unknown> }[]
  events?: { name: string }[]
}
type Accepted = {
  resourceSpans: {
    scopeSpans: { spans: AcceptedSpan[] }[]
  }[]
}

export type Collector = {
  url: string
  accepted: Accepted[]
  spans(): AcceptedSpan[]
  close(): Promise<void>
}

/** The newest whose modules the Go proxy has all of. */
const version = 'v0.160.0'

const steps = [
  ['mod', 'init', 'helix/collector'],
  ['get', `go.opentelemetry.io/collector/receiver/otlpreceiver@${version}`],
  ['mod', 'tidy'],
  ['build', '-o', 'collector', '.'],
]

/** Builds the receiver of OpenTelemetry's collector, unless `COLLECTOR_BIN` names it. Null if it cannot be built. */
export const startCollector = async (signal: AbortSignal): Promise<Collector | null> => {
  const { COLLECTOR_BIN: built } = environment()
  const folder = await mkdtemp(join(tmpdir(), 'helix-collector-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const program = built ?? (await build(folder, signal))
    const collector = program === null ? null : await run(program, remove, signal)
    if (collector === null) await remove()
    return collector
  } catch (error) {
    await remove()
    throw error
  }
}

const build = async (folder: string, signal: AbortSignal): Promise<string | null> => {
  await copyFile(fileURLToPath(new URL('main.go', import.meta.url)), join(folder, 'main.go'))
  for (const args of steps) {
    const asked = { program: 'go', args, folder, environment: environment(), shown: false, signal }
    const outcome = await runCommand(asked)
    if (!outcome.missing && outcome.code === 0) continue
    console.error(outcome.missing ? 'there is no go' : `go ${args.join(' ')} failed`)
    return null
  }
  return join(folder, 'collector')
}

const run = async (program: string, remove: () => Promise<void>, signal: AbortSignal): Promise<Collector> => {
  const running = spawn(program, { stdio: ['ignore', 'pipe', 'inherit'], signal })
  const ended = once(running, 'close').catch(() => {})
  const lines = createInterface({ input: running.stdout })
  const [address] = await once(lines, 'line', { signal })
  const accepted: Accepted[] = []
  lines.on('line', (line) => accepted.push(asAccepted(parseJsonText(line))))
  return {
    url: `http://${address}`,
    accepted,
    spans: () =>
      accepted.flatMap((one) => one.resourceSpans.flatMap((of) => of.scopeSpans.flatMap(({ spans }) => spans))),
    async close() {
      running.kill()
      await ended
      await remove()
    },
  }
}

/** As the collector writes OTLP in JSON. */
const asAccepted = (value: unknown): Accepted => value as Accepted
