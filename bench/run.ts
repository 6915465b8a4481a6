import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench [-- NAME … --OPTION=VALUE …]`: runs each bench in its own process, one after another; each prints JSON
 * lines. Options go to the benches, which refuse those that they do not know. A missed target is a result; only a bench
 * that could not measure fails.
 */
const benches = new Map([
  ['validate', new URL('./validate.ts', import.meta.url)],
  ['deltas', new URL('./deltas.ts', import.meta.url)],
  ['sampling', new URL('./sampling.ts', import.meta.url)],
  ['stream-write', new URL('./stream-write.ts', import.meta.url)],
  ['admit', new URL('./admit.ts', import.meta.url)],
  ['metrics', new URL('./metrics.ts', import.meta.url)],
  ['start', new URL('./start.ts', import.meta.url)],
  ['throughput', new URL('./throughput.ts', import.meta.url)],
  ['engine', new URL('./engine.ts', import.meta.url)],
  ['speculation', new URL('./speculation.ts', import.meta.url)],
  ['embeddings', new URL('./embeddings.ts', import.meta.url)],
  ['gateway', new URL('./gateway.ts', import.meta.url)],
  ['cluster', new URL('./cluster.ts', import.meta.url)],
  ['site', new URL('./site.ts', import.meta.url)],
  ['pages', new URL('./pages.ts', import.meta.url)],
  ['neighbours', new URL('./neighbours.ts', import.meta.url)],
  ['flood', new URL('./flood.ts', import.meta.url)],
  ['soak', new URL('./soak.ts', import.meta.url)],
])

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'))
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = asked.find((name) => !benches.has(name))
if (unknown !== undefined) {
  console.error(`There is no bench '${unknown}'. There are: ${[...benches.keys()].join(', ')}.`)
  process.exit(2)
}

for (const [name, file] of benches) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const bench = spawn(process.execPath, [fileURLToPath(file), ...options], { stdio: 'inherit' })
  const [code] = await once(bench, 'exit')
  if (code !== 0) process.exitCode = 1
}
