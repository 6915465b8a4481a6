import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Asks in the terminal. Without one, the command needs `--yes`; `what`: why, such as "'helix x' asks before it deletes". */
export const confirm = async (question: string, what: string): Promise<boolean> => {
  if (process.stdin.isTTY !== true) throw new UsageError(`${what}; add --yes`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
