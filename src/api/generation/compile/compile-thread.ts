import { cpuMsSince } from '../../../base/cpu-ms-since.ts'
import { lowerPriority } from '../../../base/lower-priority.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import { serveJobs } from '../../../base/serve-jobs.ts'
import { compileConstraint } from './compile-constraint.ts'
import type { CompileOutcome, GrammarSource } from './grammar-source.ts'

/** The thread of `grammar-compiler.ts`: a job is a `GrammarSource` as JSON. */
lowerPriority()
serveJobs((job: string) => {
  const before = process.threadCpuUsage()
  const outcome = compileConstraint(asSource(parseJsonText(job)))
  const value = outcome.ok ? outcome : { ...outcome, cpuMs: cpuMsSince(before) }
  return { value, transfer: transferList(value) }
})

const transferList = (outcome: CompileOutcome): ArrayBuffer[] =>
  outcome.ok && outcome.constraint !== null ? [outcome.constraint.grammar.buffer] : []

/** Sound because only `grammar-compiler.ts` sends jobs, and it sends nothing else. */
const asSource = (value: unknown): GrammarSource => value as GrammarSource
