import type { Clock } from '../../base/clock.ts'
import type { ModelSource } from '../pull/model-source.ts'
import type { PullProgress } from '../pull/pull-model.ts'

type Followed = { receivedBytes: number; totalBytes: number | null; file: number; bytesPerSecond: number | null }

/** Writes down how a download goes, for those who look. */
export const followPull = (pull: Followed, source: ModelSource, clock: Clock) => {
  let begun: { atMs: number; bytes: number; fileName: string } | null = null
  return (progress: PullProgress): void => {
    const { receivedBytes, totalBytes, fileName } = progress
    const nowMs = clock.monotonicMs()
    if (begun?.fileName !== fileName) begun = { atMs: nowMs, bytes: receivedBytes, fileName }
    const elapsedMs = nowMs - begun.atMs
    pull.file = source.files.findIndex((file) => file.fileName === fileName) + 1
    pull.receivedBytes = receivedBytes
    pull.totalBytes = totalBytes
    if (elapsedMs > 0) pull.bytesPerSecond = Math.round(((receivedBytes - begun.bytes) * 1000) / elapsedMs)
  }
}
