/**
 * `npm run conformance [-- [--upstream] LANGUAGE …]`: runs the newest official OpenAI libraries of other languages through
 * the same scenarios against the real server; with `--upstream`, against one whose upstream is another server. Needs their
 * toolchains and registries: if a language named on the command line cannot be tried, it exits with 2; others are skipped.
 * It exits with 1 if a scenario fails.
 *
 * `npm run conformance -- upstreams`: puts the real server in front of real engines, and prints what works.
 */
import { createStopSignal } from '../src/cli/stop-signal.ts'
import { environment } from '../src/config/load-config.ts'
import { languages } from './languages.ts'
import { tryLanguage } from './try-language.ts'
import { tryEngines } from './upstreams/try-engines.ts'

const args = process.argv.slice(2)
const hasUpstream = args.includes('--upstream')
const asked = args.filter((arg) => arg !== '--upstream')
const stopping = new AbortController()
void createStopSignal().received.then((signal) => stopping.abort(signal))
if (asked[0] === 'upstreams') process.exit(await tryEngines(stopping.signal))

const unknown = asked.find((name) => !languages.some((language) => language.name === name))
if (unknown !== undefined) {
  console.error(`There is no language '${unknown}'. There are: ${languages.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

/** The user's own settings for the official service would change what the libraries send. */
const withoutOpenAiSettings = Object.fromEntries(
  Object.entries(environment()).filter(([name]) => !name.startsWith('OPENAI_')),
)

let failed = false
let missed = false
try {
  for (const language of languages) {
    if (asked.length > 0 && !asked.includes(language.name)) continue
    const startedMs = performance.now()
    const verdict = await tryLanguage(language, {
      environment: withoutOpenAiSettings,
      signal: stopping.signal,
      hasUpstream,
      onFetch: () => console.log(`${language.name}: fetching the newest library`),
    })
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    if (verdict.outcome === 'passed') console.log(`${language.name}: all passed, in ${seconds} s`)
    else console.error(`${language.name}: ${verdict.outcome === 'failed' ? 'FAILED' : 'not tried'}: ${verdict.reason}`)
    if (verdict.outcome === 'failed') failed = true
    if (verdict.outcome === 'missing' && asked.length > 0) missed = true
  }
} catch (error) {
  if (!stopping.signal.aborted) throw error
  console.error('stopped')
}
// 130 is a shell's exit code for Ctrl-C. The signal handler would keep the process alive.
process.exit(stopping.signal.aborted ? 130 : failed ? 1 : missed ? 2 : 0)
