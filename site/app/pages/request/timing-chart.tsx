import { useId } from 'react'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { gridStep } from '../../chart/grid-step.ts'
import { useWidth } from '../../chart/use-width.ts'
import { durationText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

const height = 112
const middle = 36
const half = 24

type Timed = ShownRequest & { durationMs: number }

/** Dotted: waiting. A block: reading the prompt, paler what came from the cache. Then a rung for each token. */
export const TimingChart = ({ request }: { request: Timed }) => {
  const { language, words } = useLocale()
  const { ref, width } = useWidth<HTMLDivElement>(1040)
  const id = useId()
  const { durationMs, promptTokens, cachedTokens, completionTokens } = request
  const step = gridStep(Math.max(1, durationMs), Math.max(2, Math.floor(width / 130)))
  const spanMs = Math.max(1, durationMs) * 1.03
  const at = (ms: number): number => (ms / spanMs) * width
  const queueMs = Math.min(request.queueMs ?? durationMs, durationMs)
  const readMs = request.queueMs === null ? queueMs : Math.min(request.firstTokenMs ?? durationMs, durationMs)
  const cachedMs = queueMs + (readMs - queueMs) * share(cachedTokens, promptTokens)
  const marks = Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, index) => index * step)
  return (
    <div ref={ref}>
      <svg className="chart timing" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}t`}>
        <title id={`${id}t`}>{words.requests.timingTitle}</title>
        <path className="waiting" d={`M1 ${middle}H${at(queueMs)}`} />
        <rect className="read cached" {...block(at(queueMs), at(cachedMs))} />
        <rect className="read" {...block(at(cachedMs), at(readMs))} />
        {request.firstTokenMs === null ? null : (
          <path className="rungs received" d={rungs(completionTokens ?? 0, at(readMs), at(durationMs))} />
        )}
        <path className="grid" d={`M0 ${height - 34}H${width}`} />
        {marks.map((ms) => (
          <g key={ms}>
            <path className="tick" d={`M${Math.max(0.5, at(ms))} ${height - 34}v7`} />
            <text x={at(ms)} y={height - 10} textAnchor={ms === 0 ? 'start' : at(ms) > width - 30 ? 'end' : 'middle'}>
              {ms === 0 ? '0' : durationText(ms, language)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

const share = (part: number | null, whole: number | null): number => (part && whole ? Math.min(1, part / whole) : 0)

const block = (from: number, to: number) => ({
  x: from,
  y: middle - half,
  width: Math.max(0, to - from),
  height: 2 * half,
  rx: Math.min(3, Math.max(0, to - from) / 2),
})

/** The time of each token is not recorded, so they are drawn evenly, and never so close that they merge. */
const rungs = (tokens: number, from: number, to: number): string => {
  const drawn = Math.max(0, Math.min(tokens, Math.floor((to - from) / 4) + 1))
  const apart = drawn > 1 ? (to - from) / (drawn - 1) : 0
  return Array.from(
    { length: drawn },
    (_, index) => `M${(from + 2 + index * apart * 0.995).toFixed(1)} ${middle - half + 2}V${middle + half - 2}`,
  ).join('')
}
