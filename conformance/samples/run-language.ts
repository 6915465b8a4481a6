import { openScratch } from './open-scratch.ts'
import { pageSamples } from './page-samples.ts'
import { sampleFault } from './sample-fault.ts'
import type { SampleLanguage } from './sample-language.ts'

/** `NOT RUN`: what is needed is not installed or cannot be fetched. */
export type Verdict = { outcome: 'PASSED' | 'FAILED' | 'NOT RUN'; detail: string }

type Trial = {
  environment: Readonly<Record<string, string | undefined>>
  /** The sample as a reader fills it in, and the key to run it with. */
  prepare(code: string): Promise<{ code: string; key: string }>
  signal: AbortSignal
}

/** Builds and runs all samples in one language. */
export const runLanguage = async (language: SampleLanguage, trial: Trial): Promise<Verdict> => {
  const { tab, library } = language
  const environment = { ...trial.environment, ...language.environment }
  const scratch = await openScratch({ name: tab, environment, signal: trial.signal })
  try {
    const missing = await scratch.firstFailure(language.tools)
    if (missing !== null) return { outcome: 'NOT RUN', detail: missing }
    const copied = await pageSamples(tab)
    const samples: { name: string; code: string; key: string; number: number }[] = []
    for (const { name, code } of copied)
      samples.push({ name, number: samples.length + 1, ...(await trial.prepare(code)) })

    console.log(`${tab}: fetching what ${samples.length} samples import`)
    await scratch.write(language.shared ?? {})
    for (const { code, number } of samples) await scratch.write(language.files(code, number))
    const notFetched = await scratch.firstFailure(language.fetch)
    if (notFetched !== null) return { outcome: 'NOT RUN', detail: notFetched }
    const noLibrary = await scratch.firstFailure(library?.fetch ?? [])
    if (noLibrary !== null) console.error(`${tab}: ${noLibrary}`)
    const tried = samples.filter(({ code }) => noLibrary === null || library?.isImported(code) !== true)

    if (language.build.length > 0) console.log(`${tab}: building`)
    const builds = [...language.build, ...(noLibrary === null ? (library?.build ?? []) : [])]
    const notBuilt = await scratch.firstFailure(builds)
    if (notBuilt !== null) return { outcome: 'FAILED', detail: notBuilt }

    let passed = 0
    for (const { name, code, number, key } of tried) {
      const fault = sampleFault(code, await scratch.runSample(language.run(code, number), key))
      if (fault === null) passed++
      console.log(fault === null ? `ok ${tab} ${name}` : `FAIL ${tab} ${name}: ${fault}`)
    }
    const left = samples.length - tried.length
    const rest = left === 0 ? '' : `; ${left} NOT RUN without ${library?.name}`
    return {
      outcome: passed === tried.length && passed > 0 ? 'PASSED' : 'FAILED',
      detail: `${passed} of ${samples.length} samples${rest}`,
    }
  } finally {
    await scratch.close()
  }
}
