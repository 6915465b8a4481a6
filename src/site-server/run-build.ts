import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createDraft, publishDraft, removeOldBuilds } from './build-folders.ts'
import type { BuildProgress } from './built-site.ts'

export type BuildWatch = {
  /** Until there are pages, somebody waits for them: the build gets as much of the processor as the server. */
  isAwaited?: boolean
  onFiles?(files: number): void
  /** The draft is neither moved nor removed before this resolves. */
  onPages?(draft: string): Promise<void>
}

/** Builds the site in a process of its own; resolves with its folder. The digest of the sources is computed meanwhile. */
export const runBuild = async (
  root: string,
  digest: () => Promise<string>,
  signal: AbortSignal,
  watch: BuildWatch = {},
): Promise<string> => {
  const draft = await createDraft(root)
  const failed = new AbortController()
  let reading: Promise<void> | undefined
  const building = buildInto(root, draft, AbortSignal.any([signal, failed.signal]), {
    isAwaited: watch.isAwaited ?? false,
    onProgress({ files, hasPages }) {
      watch.onFiles?.(files)
      if (hasPages) reading ??= watch.onPages?.(draft)
    },
  }).finally(() => reading)
  try {
    const [known] = await Promise.all([digest(), building])
    await publishDraft(root, draft, known)
    await removeOldBuilds(root, known)
    return join(root, 'dist', 'site', known)
  } catch (error) {
    failed.abort()
    await building.catch(() => {})
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const buildInto = (
  root: string,
  draft: string,
  signal: AbortSignal,
  { isAwaited, onProgress }: { isAwaited: boolean; onProgress(progress: BuildProgress): void },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const program = [join(root, 'site/build/main.ts'), draft]
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C in a terminal reaches every process of the group: this one is to be stopped by the server alone, as part of its shutdown.
      detached: true,
      signal,
    })
    let isYielding = false
    const yieldProcessor = (): void => {
      if (!isYielding && child.pid !== undefined) lowerPriority(child.pid)
      isYielding = true
    }
    if (!isAwaited) yieldProcessor()
    child.on('message', (message) => {
      const progress = readProgress(message)
      if (progress.hasPages) yieldProcessor()
      onProgress(progress)
    })
    // What is wrong stands at the beginning of an error, and at the end of everything that was said before it.
    let [said, rest] = ['', '']
    child.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      const room = Math.max(0, maxSaid - said.length)
      said += text.slice(0, room)
      rest = (rest + text.slice(room)).slice(-maxSaid)
    })
    let failure: Error | null = null
    child.on('error', (error) => {
      failure = error
      // A process that never started never closes either.
      if (child.pid === undefined) reject(error)
    })
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(failure ?? new BuildFailed(code, stripVTControlCharacters(said + rest)))
    })
  })

const maxSaid = 2000

/** The build said what is wrong. */
export class BuildFailed extends Error {
  readonly said: string

  constructor(code: number | null, said: string) {
    super(`the build ended with ${code}: ${said}`)
    this.said = said
  }
}

/** Only our own build sends messages here. */
const readProgress = (message: unknown): BuildProgress => message as BuildProgress

/** The process may have ended, or priorities may be forbidden; neither matters. */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
