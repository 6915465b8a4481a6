import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { stripSpanMs } from '../../answer/token-marks.ts'
import { StripImage } from '../../components/strip-image.tsx'
import { durationText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { countInBins, endedParts, type Pace } from './pace.ts'

const width = 128
const height = 16
const middle = height / 2
const binWidth = 4
const scale = { firstMs: 4000, fullAt: 0.94, step: 1.6 }

type RequestStripProps = { request: ShownRequest; pace: Pace | undefined }

/**
 * The small timing of a request in a list. Dotted: waiting. A line: reading the prompt. Then a rung for each 4 px, as high as
 * tokens fell into it; of a running request they appear as they come. Nothing if it never reached a model.
 */
export const RequestStrip = ({ request, pace }: RequestStripProps) => {
  const { language, words } = useLocale()
  const { queueMs, firstTokenMs, durationMs, outcome } = request
  const isRunning = outcome === 'running'
  if (!isRunning && (queueMs === null || durationMs === null)) return null
  // How far it has come is not known here: only the place is kept.
  if (isRunning && pace === undefined) return <svg className="request-strip" aria-hidden="true" />
  const endMs = durationMs ?? pace?.ms ?? 0
  const spanMs = isRunning ? stripSpanMs(endMs, scale) : Math.max(1, endMs)
  const tokens = request.completionTokens ?? pace?.tokens ?? 0
  const parts =
    isRunning || durationMs === null
      ? (pace?.parts ?? [])
      : firstTokenMs === null
        ? []
        : endedParts(pace, { completionTokens: tokens, firstTokenMs, durationMs })
  const at = (ms: number): number => Math.round((Math.min(ms, spanMs) / spanMs) * width * 10) / 10
  const figures = { tokens: wholeText(tokens, language), isOne: tokens === 1 }
  const first = firstTokenMs === null ? null : durationText(firstTokenMs, language)
  const label = isRunning
    ? words.requests.stripRunning(figures.tokens, figures.isOne)
    : words.requests.strip({ ...figures, first, total: durationText(endMs, language) })
  return (
    <StripImage className="request-strip" width={width} height={height} label={label}>
      {isRunning ? (
        <path className="pending" d={`M${at(endMs)} ${middle}H${width}`} />
      ) : (
        <>
          <path className="pending" d={`M0 ${middle}H${at(queueMs ?? 0)}`} />
          <path className="prompt" d={`M${at(queueMs ?? 0)} ${middle}H${at(firstTokenMs ?? endMs)}`} />
        </>
      )}
      <path className="rungs" d={rungs(countInBins(parts, spanMs, width / binWidth))} />
    </StripImage>
  )
}

const rungs = (counts: readonly number[]): string => {
  const max = Math.max(1, ...counts)
  return counts
    .map((count, bin) => {
      if (count === 0) return ''
      const half = 1.5 + (middle - 2.5) * (count / max)
      return `M${(bin + 0.5) * binWidth} ${(middle - half).toFixed(1)}V${(middle + half).toFixed(1)}`
    })
    .join('')
}
