import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { type Outcome, runCommand } from './run-command.ts'
import { startModelService, startService, startServiceWithUpstream } from './start-service.ts'
import type { Step, Suite } from './suites.ts'

type Verdict =
  | { outcome: 'missing'; reason: string }
  /** `output`: what the scenarios printed. */
  | { outcome: 'passed'; output: string }
  | { outcome: 'failed'; reason: string; output: string }

type Trial = {
  environment: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** The model is behind another server, which is the upstream of the one that the clients call. */
  hasUpstream: boolean
  /** The toolchain is installed; fetching the library comes next and may take a while. */
  onFetch(): void
}

/** Runs the scenarios of one client against a service of its own, in a folder that is removed afterwards. */
export const trySuite = async (suite: Suite, trial: Trial): Promise<Verdict> => {
  const { environment, signal, hasUpstream, onFetch } = trial

  const folder = await mkdtemp(join(tmpdir(), `helix-${suite.name}-`))
  const run = ([program, ...args]: Step, more: Record<string, string> | null = null): Promise<Outcome> =>
    runCommand({
      program: program.includes('/') && !isAbsolute(program) ? join(folder, program) : program,
      args,
      folder,
      environment: { ...environment, ...more },
      shown: more !== null,
      signal,
    })
  try {
    for (const tool of suite.tools) {
      const problem = problemOf(tool, await run(tool))
      if (problem !== null) return { outcome: 'missing', reason: problem }
    }
    onFetch()
    for (const [name, text] of Object.entries(suite.files)) await writeFile(join(folder, name), text)
    const sources = join(import.meta.dirname, suite.folder ?? suite.name)
    for (const name of suite.sources) await copyFile(join(sources, name), join(folder, basename(name)))
    for (const step of suite.fetch) {
      const problem = problemOf(step, await run(step))
      if (problem !== null) return { outcome: 'missing', reason: problem }
    }
    for (const step of suite.build) {
      const outcome = await run(step)
      if (!outcome.missing && outcome.code !== 0) process.stderr.write(outcome.output)
      const problem = problemOf(step, outcome)
      if (problem !== null) return { outcome: 'failed', reason: problem, output: '' }
    }
    const { needsModel } = suite
    const startScripted = hasUpstream ? startServiceWithUpstream : startService
    const start = needsModel === undefined ? startScripted : () => startModelService(needsModel)
    return await runScenarios(start, hasUpstream, (more) => run(suite.run, more))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const runScenarios = async (
  start: typeof startService,
  hasUpstream: boolean,
  run: (environment: Record<string, string>) => Promise<Outcome>,
): Promise<Verdict> => {
  const service = await start()
  try {
    const outcome = await run({
      OPENAI_BASE_URL: service.baseUrl,
      OPENAI_API_KEY: service.key,
      ANTHROPIC_BASE_URL: service.baseUrl.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: service.key,
      // A caller does not get to know why an upstream failed.
      EXPECTED_BROKEN_CODE: hasUpstream ? 'upstream_failed' : 'engine_failed',
      EXPECTED_BUSY_CODE: hasUpstream ? 'upstream_busy' : 'engine_loading',
      // The registries may need a proxy; the service is local.
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    })
    const output = outcome.missing ? '' : outcome.output
    if (!outcome.missing && outcome.code === 0) return { outcome: 'passed', output }
    process.stderr.write(service.logLines.filter(tellsOfTrouble).join(''))
    const how =
      outcome.missing || outcome.code === null ? 'the scenarios did not run to their end' : 'not every scenario passed'
    return { outcome: 'failed', reason: how, output }
  } finally {
    await service.close()
  }
}

/** Log lines of successful requests would hide the others. */
const tellsOfTrouble = (line: string): boolean => / (?:WARN |ERROR |error=)/.test(line)

/** The problem in one line, or null if there is none. */
const problemOf = ([program, ...args]: Step, outcome: Outcome): string | null => {
  if (outcome.missing) return `there is no ${program} on this machine`
  if (outcome.code === 0) return null
  const lines = outcome.output.split('\n').map((line) => line.trim())
  const telling =
    lines.find((line) => /error|could not|cannot|no such/i.test(line)) ?? lines.findLast((line) => line !== '')
  return `\`${[program, ...args].join(' ')}\` failed: ${telling ?? `it ended with ${outcome.code}`}`
}
