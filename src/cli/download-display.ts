import type { Clock } from '../base/clock.ts'
import { sizeText } from '../models/model-rows.ts'
import type { PullProgress } from '../models/pull/pull-model.ts'
import type { Terminal } from './command.ts'

type DisplayOptions = { terminal: Terminal; isTerminal: boolean; clock: Clock }

const barCharacters = 24
const refreshMs = 100
/** Without a terminal, one line for each tenth of a file, or for each gigabyte if its size is unknown. */
const stepBytes = 1e9

/** Shows downloads on standard error: a bar on a terminal, lines otherwise. */
export const createDownloadDisplay = ({ terminal, isTerminal, clock }: DisplayOptions) => {
  let [shownAtMs, startedAtMs, startBytes] = [Number.NEGATIVE_INFINITY, 0, 0]
  let lastStep = -1
  let fileName = ''
  let hasBar = false
  const begin = (progress: PullProgress): void => {
    fileName = progress.fileName
    lastStep = -1
    startedAtMs = clock.monotonicMs()
    startBytes = progress.receivedBytes
  }
  const showBar = (progress: PullProgress): void => {
    const nowMs = clock.monotonicMs()
    const isEnd = progress.receivedBytes === progress.totalBytes
    if (nowMs - shownAtMs < refreshMs && !isEnd) return
    shownAtMs = nowMs
    hasBar = true
    const seconds = (nowMs - startedAtMs) / 1000
    const speed = seconds > 0.5 ? `  ${sizeText((progress.receivedBytes - startBytes) / seconds)}/s` : ''
    terminal.err(`\r\u001b[K${drawBar(progress)}${speed}`)
  }
  const showLine = (progress: PullProgress): void => {
    const { receivedBytes, totalBytes } = progress
    const step = totalBytes ? Math.floor((10 * receivedBytes) / totalBytes) : Math.floor(receivedBytes / stepBytes)
    if (step === lastStep) return
    lastStep = step
    terminal.err(`${progressText(progress)}\n`)
  }
  return {
    show(progress: PullProgress): void {
      if (progress.fileName !== fileName) begin(progress)
      if (isTerminal) showBar(progress)
      else showLine(progress)
    },
    /** Leaves the bar's line. */
    end(): void {
      if (hasBar) terminal.err('\n')
      hasBar = false
    },
  }
}

const drawBar = (progress: PullProgress): string => {
  const { receivedBytes, totalBytes } = progress
  if (!totalBytes) return progressText(progress)
  const filled = Math.floor((barCharacters * receivedBytes) / totalBytes)
  return `[${'#'.repeat(filled)}${'.'.repeat(barCharacters - filled)}] ${progressText(progress)}`
}

const progressText = ({ fileName, receivedBytes, totalBytes }: PullProgress): string => {
  if (!totalBytes) return `${fileName}: ${sizeText(receivedBytes)}`
  const percent = Math.floor((100 * receivedBytes) / totalBytes)
  return `${fileName}: ${percent}% of ${sizeText(totalBytes)}`
}
