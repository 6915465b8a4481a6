/** A file that failed, by its project of `vitest.config.ts` and its path. */
export type FailedFile = { project: string; file: string }

/** For `.ci/repeat-failed-files`: a line for each. */
export const listFailed = (failed: readonly FailedFile[]): string =>
  failed.map(({ project, file }) => `${project} ${file}\n`).join('')
