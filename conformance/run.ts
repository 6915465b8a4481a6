/**
 * `npm run conformance [-- [--upstream] CLIENT …]`: runs clients through their scenarios against the real server: the newest
 * official OpenAI libraries of other languages, and agents and frameworks in pinned versions. With `--upstream`, against a
 * server whose upstream is another one. Needs their toolchains and registries: if a client named on the command line cannot be
 * tried, it exits with 2; others are skipped. It exits with 1 if a scenario fails. Ends with a table of what was tried.
 *
 * `npm run conformance -- prometheus`: lets a real Prometheus scrape the server, and runs every query of `deploy/`.
 *
 * `npm run conformance -- traces`: lets the receiver of a real OpenTelemetry collector accept the traces of two servers.
 *
 * `npm run conformance -- samples [curl|python|typescript|go|java|csharp …]`: runs the samples of the documentation as they
 * are copied.
 *
 * `npm run conformance -- upstreams`: puts the real server in front of real engines, and prints what works.
 */
import { createStopSignal } from '../src/cli/stop-signal.ts'
import { environment } from '../src/config/load-config.ts'
import { clientSuites } from './client-suites.ts'
import { tryPrometheus } from './prometheus/try-prometheus.ts'
import { resultTable, type SuiteResult } from './result-table.ts'
import { trySamples } from './samples/try-samples.ts'
import { languageSuites } from './suites.ts'
import { tryTraces } from './traces/try-traces.ts'
import { trySuite } from './try-suite.ts'
import { tryEngines } from './upstreams/try-engines.ts'

const args = process.argv.slice(2)
const hasUpstream = args.includes('--upstream')
const asked = args.filter((arg) => arg !== '--upstream')
const stopping = new AbortController()
void createStopSignal().received.then((signal) => stopping.abort(signal))
if (asked[0] === 'upstreams') process.exit(await tryEngines(stopping.signal))
if (asked[0] === 'prometheus') process.exit(await tryPrometheus(stopping.signal))
if (asked[0] === 'samples') process.exit(await trySamples(asked.slice(1), stopping.signal))
if (asked[0] === 'traces') process.exit(await tryTraces(stopping.signal))

const suites = [...languageSuites, ...clientSuites]
const unknown = asked.find((name) => !suites.some((suite) => suite.name === name))
if (unknown !== undefined) {
  console.error(`There is no client '${unknown}'. There are: ${suites.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

/** The user's own settings for the official services would change what the clients send. */
const withoutSettings = Object.fromEntries(
  Object.entries(environment()).filter(([name]) => !/^(?:OPENAI|ANTHROPIC|CLAUDE|CODEX|OPENCODE|CREWAI)_/.test(name)),
)
const results: SuiteResult[] = []

let failed = false
let missed = false
try {
  for (const suite of suites) {
    if (asked.length > 0 && !asked.includes(suite.name)) continue
    const startedMs = performance.now()
    const verdict = await trySuite(suite, {
      environment: withoutSettings,
      signal: stopping.signal,
      hasUpstream,
      onFetch: () => console.log(`${suite.name}: fetching the client`),
    })
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    if (verdict.outcome === 'passed') console.log(`${suite.name}: all passed, in ${seconds} s`)
    else console.error(`${suite.name}: ${verdict.outcome === 'failed' ? 'FAILED' : 'not tried'}: ${verdict.reason}`)
    if (verdict.outcome !== 'missing') results.push({ name: suite.name, output: verdict.output })
    if (verdict.outcome === 'failed') failed = true
    if (verdict.outcome === 'missing' && asked.length > 0) missed = true
  }
} catch (error) {
  if (!stopping.signal.aborted) throw error
  console.error('stopped')
}
if (results.length > 0) console.log(`\n${resultTable(results)}`)
// 130 is a shell's exit code for Ctrl-C. The signal handler would keep the process alive.
process.exit(stopping.signal.aborted ? 130 : failed ? 1 : missed ? 2 : 0)
