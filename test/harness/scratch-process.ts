import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Another process that runs `script` and has printed its first line; it runs until killed. */
export const startScratchProcess = async (script: string): Promise<{ line: string; kill(): Promise<void> }> => {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([once(lines, 'line'), exited.then(() => ['exited before it printed a line'])])
  return {
    line: String(line[0]),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
