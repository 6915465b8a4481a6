import { rmSync, writeFileSync } from 'node:fs'
import { runCommand } from './run-command.ts'

/** A copy of a tree whose files are linked, not copied. Its files may be removed or replaced, never written to. */
export const linkTree = async (tree: string, copy: string): Promise<void> =>
  void (await runCommand('cp', ['--archive', '--link', tree, copy], '/'))

/** Leaves the other links to the file as they are. */
export const replaceFile = (path: string, text: string): void => {
  rmSync(path, { force: true })
  writeFileSync(path, text)
}
