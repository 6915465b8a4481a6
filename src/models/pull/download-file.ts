/**
 * Downloads one file, continuing what an earlier attempt left. The result is a complete `.part` file; the caller checks
 * it and puts it in its place.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { errorCode, errorMessage } from '../../base/caught-error.ts'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { memoryLimitBytes } from '../../engine/memory-limit.ts'
import { checkSpace, type FreeBytes, shortage } from './disk-space.ts'
import { followRedirects } from './follow-redirects.ts'
import { createIdleTimer, type IdleTimer } from './idle-timer.ts'
import { type PartState, partPath, readPart, removePart, startPart } from './part-file.ts'
import { planDownload } from './plan-download.ts'
import { shownAddress } from './shown-address.ts'

export type DownloadProgress = { receivedBytes: number; totalBytes: number | null }
type DownloadOptions = {
  url: URL
  path: string
  token: string | null
  freeBytes: FreeBytes
  clock: Clock
  signal: AbortSignal
  onProgress(progress: DownloadProgress): void
}

/** Attempts in a row that bring nothing. */
const fruitlessLimit = 5
const attemptLimit = 1000
const firstDelayMs = 500
/** The space on the disk is looked at again after so many bytes: others write to it too. */
const checkEveryBytes = 16 * 2 ** 20
/** For the command line; pages have a button instead. */
export const continueAdvice = 'To continue it, run the command again.'

/** Resolves to the SHA-256 that the server announced; null if it did not. */
export const downloadFile = async (options: DownloadOptions): Promise<string | null> => {
  const { url, clock, signal } = options
  let fruitless = 0
  let reason = ''
  for (let attempt = 0; attempt < attemptLimit && fruitless < fruitlessLimit; attempt += 1) {
    // After progress the next attempt follows at once: most connections are cut once.
    if (fruitless > 0) await delay(clock, firstDelayMs * 2 ** fruitless, signal)
    const outcome = await attemptDownload(options)
    if (outcome.kind === 'complete') return outcome.sha256
    fruitless = outcome.receivedBytes > 0 ? 0 : fruitless + 1
    reason = outcome.reason
  }
  throw new OperatorError(`The download of ${shownAddress(url.href)} was interrupted (${reason}). ${continueAdvice}`)
}

type Outcome =
  | { kind: 'complete'; sha256: string | null }
  | { kind: 'interrupted'; receivedBytes: number; reason: string }

const attemptDownload = async (options: DownloadOptions): Promise<Outcome> => {
  const { url, path, token, clock, signal } = options
  const kept = await readPart(path, url.href)
  const idle = createIdleTimer(clock, signal)
  const received = { bytes: 0 }
  const interrupted = (reason: string): Outcome => ({ kind: 'interrupted', receivedBytes: received.bytes, reason })
  try {
    const headers = kept === null ? {} : { range: `bytes=${kept.bytes}-`, 'if-range': kept.state.validator }
    const { response, sha256 } = await followRedirects(url, { headers, token, signal: idle.signal })
    try {
      const plan = planDownload({ url, status: response.statusCode ?? 0, headers: response.headers, sha256 }, kept)
      if (plan.kind === 'complete') return { kind: 'complete', sha256: plan.state.sha256 }
      if (plan.kind === 'discard') await removePart(path)
      if (plan.kind !== 'write') return interrupted(plan.reason)
      await receive(options, response, plan, { idle, received })
      return { kind: 'complete', sha256: plan.state.sha256 }
    } finally {
      response.destroy()
    }
  } catch (error) {
    if (kept === null && received.bytes === 0) await removePart(path)
    signal.throwIfAborted()
    if (error instanceof OperatorError) throw error
    return interrupted(idle.hasExpired() ? 'the server sent nothing for a minute' : interruptionCause(error))
  } finally {
    idle.stop()
  }
}

type Receiving = { idle: IdleTimer; received: { bytes: number } }

const receive = async (
  { url, path, freeBytes, onProgress }: DownloadOptions,
  response: IncomingMessage,
  { from, state }: { from: number; state: PartState },
  { idle, received }: Receiving,
): Promise<void> => {
  if (from === 0) await startPart(path, state)
  const { totalBytes } = state
  const missingBytes = totalBytes === null ? null : totalBytes - from
  if (totalBytes !== null && totalBytes > memoryLimitBytes())
    throw new OperatorError(
      `The file has ${Math.round(totalBytes / 1e9)} GB, more than the memory of this machine: choose a smaller model`,
    )
  const folder = dirname(path)
  const { limitBytes } = await checkSpace(folder, missingBytes, freeBytes)
  let checkedBytes = 0
  const file = await open(partPath(path), 'r+')
  try {
    const report = () => onProgress({ receivedBytes: from + received.bytes, totalBytes })
    report()
    const chunks: AsyncIterable<Buffer> = response
    for await (const chunk of chunks) {
      idle.restart()
      if (from + received.bytes === 0) requireGguf(chunk, url.href)
      if (received.bytes + chunk.length > (missingBytes ?? limitBytes)) throw tooLong(path, missingBytes, limitBytes)
      await writeAll(file, chunk, from + received.bytes, partPath(path))
      received.bytes += chunk.length
      report()
      if (received.bytes - checkedBytes >= checkEveryBytes) {
        checkedBytes = received.bytes
        await checkSpace(folder, Math.min(checkEveryBytes, (missingBytes ?? limitBytes) - received.bytes), freeBytes)
      }
      idle.signal.throwIfAborted()
    }
  } finally {
    await file.close()
  }
  if (missingBytes !== null && received.bytes < missingBytes) throw new Error('the connection was closed')
}

/** A full disk can accept a part of the bytes. */
const writeAll = async (file: FileHandle, chunk: Buffer, position: number, path: string): Promise<void> => {
  try {
    for (let written = 0; written < chunk.length; )
      written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be written (${errorCode(error) || error}): free some space. ${continueAdvice}`,
    )
  }
}

/** A page with an error would otherwise be noticed only once it is complete. */
const requireGguf = (chunk: Buffer, url: string): void => {
  const start = chunk.toString('latin1', 0, 4)
  if (!'GGUF'.startsWith(start)) throw new OperatorError(`${shownAddress(url)} is not a GGUF file`)
}

const tooLong = (path: string, missingBytes: number | null, limitBytes: number): Error =>
  missingBytes === null
    ? shortage(dirname(path), null, limitBytes)
    : new OperatorError('The server sends more bytes than it announced; try again later or use another address')

const interruptionCause = (error: unknown): string => {
  const code = errorCode(error)
  return code === 'ECONNRESET' ? 'the connection was closed' : code || errorMessage(error)
}

const delay = (clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(delayMs, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      reject(signal.reason)
    })
  })
