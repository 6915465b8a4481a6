import type { Step } from '../suites.ts'

/** How the samples in one language are built and run, in a scratch folder. Samples are numbered from 1. */
export type SampleLanguage = {
  /** Of its tab on the pages. */
  tab: string
  /** The required programs, and the command that shows each is installed. */
  tools: readonly Step[]
  environment?: Readonly<Record<string, string>>
  /** Written before anything runs, by path. */
  shared?: Readonly<Record<string, string>>
  /** Fetches what the samples import. A failure here says nothing about them. */
  fetch: readonly Step[]
  /** What a sample consists of, by path. */
  files(code: string, number: number): Record<string, string>
  /** A failure here counts as one of the samples. */
  build: readonly Step[]
  run(code: string, number: number): Step
  /** What only some samples import and may not be obtainable: those are then not run. */
  library?: { name: string; isImported(code: string): boolean; fetch: readonly Step[]; build: readonly Step[] }
}
