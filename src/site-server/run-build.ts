import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { createDraft, publishDraft, removeOldBuilds } from './build-folders.ts'

/** Builds the site in a low-priority process; resolves with its folder. */
export const runBuild = async (root: string, digest: string, signal: AbortSignal): Promise<string> => {
  const draft = await createDraft(root, digest)
  await buildInto(root, draft, signal).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    throw error
  })
  await publishDraft(root, draft, digest)
  await removeOldBuilds(root, digest)
  return join(root, 'dist', 'site', digest)
}

const buildInto = (root: string, draft: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = [join(root, 'site/build/main.ts'), draft]
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C in a terminal reaches every process of the group: this one is to be stopped by the server alone, as part of its shutdown.
      detached: true,
      signal,
    })
    if (child.pid !== undefined) yieldProcessor(child.pid)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2000)
    })
    let failure: Error | null = null
    child.on('error', (error) => {
      failure = error
      // A process that never started never closes either.
      if (child.pid === undefined) reject(error)
    })
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(failure ?? new Error(`the build ended with ${code}: ${said}`))
    })
  })

/** The process may have ended, or priorities may be forbidden; neither matters. */
const yieldProcessor = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
