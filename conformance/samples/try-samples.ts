import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { environment } from '../../src/config/load-config.ts'
import { originMark } from '../../src/site-server/pages.ts'
import { type Outcome, runCommand } from '../run-command.ts'
import { startSampleService } from '../start-service.ts'
import type { Step } from '../suites.ts'
import { type PageSample, pageSamples } from './page-samples.ts'
import { sampleLanguages } from './sample-languages.ts'

/**
 * Runs every sample of the documentation in Python, Go and Java as it is copied, against the real server with helix-v1, an
 * embedding model and a reranker. Returns the exit code: 2 if a language named cannot be tried.
 */
export const trySamples = async (named: readonly string[], signal: AbortSignal): Promise<number> => {
  let faults = 0
  let missing = 0
  const service = await startSampleService()
  try {
    for (const language of sampleLanguages) {
      if (named.length > 0 && !named.includes(language.tab)) continue
      const folder = await mkdtemp(join(tmpdir(), `helix-samples-${language.tab}-`))
      const run = ([program, ...args]: Step): Promise<Outcome> =>
        runCommand({
          program: program.includes('/') && !isAbsolute(program) ? join(folder, program) : program,
          args,
          folder,
          environment: { ...environment(), HELIX_API_KEY: service.key, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
          shown: false,
          signal,
        })
      try {
        const samples = await pageSamples(language.tab)
        for (const [name, text] of Object.entries(language.files)) await writeFile(join(folder, name), text)
        for (const [index, { code }] of samples.entries()) {
          const file = join(folder, language.file(index + 1))
          await mkdir(dirname(file), { recursive: true })
          await writeFile(file, language.code(code.replaceAll(originMark, service.origin), index + 1))
        }
        console.log(`${language.tab}: fetching the clients`)
        const failedStep = await firstFailure([...language.tools, ...language.fetch], run)
        if (failedStep !== null) {
          console.error(`${language.tab}: not tried: ${failedStep}`)
          missing++
          continue
        }
        const notBuilt = await firstFailure(language.build, run)
        if (notBuilt !== null) {
          console.error(`FAIL ${language.tab} does not build: ${notBuilt}`)
          faults++
          continue
        }
        for (const [index, sample] of samples.entries()) {
          const fault = faultOf(sample, await run(language.run(index + 1)))
          if (fault !== null) faults++
          console.log(
            fault === null ? `ok ${language.tab} ${sample.name}` : `FAIL ${language.tab} ${sample.name}: ${fault}`,
          )
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
    console.error('stopped')
    return 130
  } finally {
    await service.close()
  }
  console.log(`samples: ${faults} faults`)
  return faults > 0 ? 1 : missing > 0 && named.length > 0 ? 2 : 0
}

const firstFailure = async (steps: readonly Step[], run: (step: Step) => Promise<Outcome>): Promise<string | null> => {
  for (const step of steps) {
    const outcome = await run(step)
    if (outcome.missing) return `there is no ${step[0]} on this machine`
    if (outcome.code !== 0) return `\`${step.join(' ')}\` failed:\n${outcome.output}`
  }
  return null
}

/** What some samples name is not there, the key may not manage keys, and nothing is moderated. */
const isRefused = ({ code }: PageSample): boolean =>
  /["'/](?:keys|usage)[/?"']/.test(code) || code.includes('moderations') || /chatcmpl-…|resp_…/.test(code)

/** As the clients in Python and Go report it, and as it is sent. */
const refusal = /Error code: 40[034]|\b40[034] [A-Z]|^\{"error":/m

const faultOf = (sample: PageSample, outcome: Outcome): string | null => {
  if (outcome.missing) return 'it could not be started'
  const { code, output } = outcome
  if (isRefused(sample)) return refusal.test(output) ? null : `not refused as expected: ${output}`
  if (code !== 0 || refusal.test(output)) return output
  return output.trim() === '' ? 'it printed nothing' : null
}
