/** How long a worker has not counted a tick, as its authority has seen it. */
export type WorkerSilence = {
  /** As of the last look. */
  ticks: number
  /** False while it starts. */
  hasTicked: boolean
  silentMs: number
}

/** How often the authority looks. */
export const lookMs = 5000
/** Far longer than any work in one turn of an event loop. */
const silenceLimitMs = 30_000
/** It reads much code, possibly from a slow disk. */
const startingLimitMs = 5 * silenceLimitMs
/** Later than this the authority was held up or suspended itself, and its workers perhaps with it. */
const onTimeMs = 1.5 * lookMs

/** Of a worker that starts. */
export const noSilence: WorkerSilence = { ticks: 0, hasTicked: false, silentMs: 0 }

/** `passedMs`: since the last look, on a clock that may have gone on while the machine slept. */
export const lookAtTicks = (before: WorkerSilence, ticks: number, passedMs: number): WorkerSilence => {
  if (ticks !== before.ticks) return { ticks, hasTicked: true, silentMs: 0 }
  return passedMs > onTimeMs ? before : { ...before, silentMs: before.silentMs + passedMs }
}

export const isHung = ({ hasTicked, silentMs }: WorkerSilence): boolean =>
  silentMs >= (hasTicked ? silenceLimitMs : startingLimitMs)
