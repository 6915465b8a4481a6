/** A file that failed, by its project of `vitest.config.ts` and its path. */
export type FailedFile = { project: string; file: string }

/** For `.ci/repeat-failed-files`: a line for each. */
export const listFailed = (failed: readonly FailedFile[]): string =>
  failed.map(({ project, file }) => `${project} ${file}\n`).join('')

const mostNamed = 5

/** The last line of a failed run. Null: no file failed. */
export const describeFailed = (failed: readonly FailedFile[]): string | null => {
  const [first] = failed
  if (first === undefined) return null
  const names = failed.slice(0, mostNamed).map(({ project, file }) => `${file} (${project})`)
  const more = failed.length > mostNamed ? ` and ${failed.length - mostNamed} more` : ''
  return `FAILED: ${names.join(', ')}${more}. One alone: npx vitest run --project ${first.project} ${first.file}`
}
