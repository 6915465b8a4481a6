import type { CodeRun } from './code-runs.ts'

/** The looks of each piece of a text, from those of the whole. */
export const splitRuns = (runs: readonly CodeRun[], pieces: readonly string[]): CodeRun[][] => {
  const rest = runs.map((run) => ({ ...run }))
  return pieces.map((piece) => {
    const taken: CodeRun[] = []
    let missing = piece.length
    while (missing > 0) {
      const [run] = rest
      if (run === undefined) break
      const text = run.text.slice(0, missing)
      taken.push({ look: run.look, text })
      missing -= text.length
      run.text = run.text.slice(text.length)
      if (run.text === '') rest.shift()
    }
    return taken
  })
}
