/**
 * The certificate of the server: read and checked at startup, and again when its files change. An unusable pair never
 * replaces a usable one.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { DirectoryWatch } from './directory-watch.ts'
import { type CertificatePair, type CertificatePaths, checkPair, type PairBytes, readPair } from './pair.ts'

/** Tools write two files one after the other: wait for the second before checking the pair. */
const settleMs = 250
/** A fallback for file events, which network file systems and full inotify tables do not deliver. */
const pollMs = 60_000

export type WatchOptions = CertificatePaths & {
  clock: Clock
  /** The pair that is served now. */
  current: PairBytes
  onChange: (pair: CertificatePair) => void
  /** The files contain an unusable pair; reported once until they change again. */
  onBroken: (error: Error) => void
}
export type CertificateWatch = {
  /** Reads the files now; resolves once the outcome was reported. */
  check(): Promise<void>
  close(): void
}

/** `now` in milliseconds since 1970. Throws a `CertificateError` for an unusable pair. */
export const loadCertificate = async ({
  now,
  ...paths
}: CertificatePaths & { now: number }): Promise<CertificatePair> => checkPair(await readPair(paths), paths, now)

export const watchCertificate = (options: WatchOptions): CertificateWatch => {
  const watcher = new CertificateWatcher(options)
  // Changes between loading and watching are found immediately.
  void watcher.check()
  return watcher
}

class CertificateWatcher implements CertificateWatch {
  readonly #options: WatchOptions
  readonly #directories: DirectoryWatch
  #served: string
  #broken: string | undefined
  #closed = false
  #lastCheck: Promise<void> = Promise.resolve()
  #cancelSettle: (() => void) | undefined
  #cancelPoll: (() => void) | undefined

  constructor(options: WatchOptions) {
    this.#options = options
    this.#served = digest(options.current)
    this.#directories = new DirectoryWatch(() => this.#changed())
  }

  check(): Promise<void> {
    this.#lastCheck = this.#lastCheck.then(() => this.#readAgain())
    return this.#lastCheck
  }

  close(): void {
    this.#closed = true
    this.#cancelSettle?.()
    this.#cancelPoll?.()
    this.#directories.close()
  }

  /** The first event starts the wait and later ones do not extend it: a busy directory cannot postpone the check. */
  #changed(): void {
    this.#cancelSettle ??= this.#options.clock.after(settleMs, () => {
      this.#cancelSettle = undefined
      void this.check()
    })
  }

  async #readAgain(): Promise<void> {
    if (this.#closed) return
    const { certPath, keyPath, clock } = this.#options
    // Before reading: a later change raises an event.
    await this.#directories.follow([certPath, keyPath])
    await this.#compare()
    if (this.#closed) return
    this.#cancelPoll?.()
    this.#cancelPoll = clock.after(pollMs, () => void this.check())
  }

  async #compare(): Promise<void> {
    const { clock, onChange } = this.#options
    let content: string | undefined
    try {
      const bytes = await readPair(this.#options)
      content = digest(bytes)
      if (this.#closed) return
      if (content !== this.#served && content !== this.#broken) {
        onChange(checkPair(bytes, this.#options, clock.now()))
        this.#served = content
      }
      if (content === this.#served) this.#broken = undefined
    } catch (error) {
      this.#report(error instanceof Error ? error : new Error(String(error)), content)
    }
  }

  #report(error: Error, content = error.message): void {
    if (this.#closed || content === this.#broken) return
    this.#broken = content
    this.#options.onBroken(error)
  }
}

const digest = ({ cert, key }: PairBytes): string =>
  createHash('sha256').update(`${cert.length}:`).update(cert).update(key).digest('hex')
