import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Watches directories, not files: tools replace a file by rename, and Kubernetes swaps a link beside it. A link's target
 * directory is watched too, and again when the link points elsewhere or a directory was replaced.
 */
export class DirectoryWatch {
  readonly #onEvent: () => void
  #watchers = new Map<string, FSWatcher>()
  #closed = false

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent
  }

  async follow(files: string[]): Promise<void> {
    const targets = await Promise.all(files.map((file) => realpath(file).catch(() => file)))
    const directories = new Set([...files, ...targets].map((file) => dirname(resolve(file))))
    const wanted = new Map(await Promise.all([...directories].map(identity)))
    if (this.#closed) return
    const stale = [...this.#watchers].filter(([id]) => !wanted.has(id))
    for (const [id, directory] of wanted) if (!this.#watchers.has(id)) this.#open(id, directory)
    for (const [id, watcher] of stale) this.#drop(id, watcher)
  }

  close(): void {
    this.#closed = true
    for (const [id, watcher] of this.#watchers) this.#drop(id, watcher)
  }

  #open(id: string, directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, this.#onEvent)
      watcher.on('error', () => this.#drop(id, watcher))
      this.#watchers.set(id, watcher)
    } catch {
      // No directory, or it cannot be watched: polling finds the change.
    }
  }

  #drop(id: string, watcher: FSWatcher): void {
    this.#watchers.delete(id)
    watcher.close()
  }
}

const identity = async (directory: string): Promise<[string, string]> => {
  const found = await stat(directory).catch(() => undefined)
  return [`${found?.dev}:${found?.ino}:${directory}`, directory]
}
