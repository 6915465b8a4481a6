import { type KeyboardEvent, type PointerEvent, useId } from 'react'
import { gridStep } from '../../chart/grid-step.ts'
import { strandPath } from '../../chart/strand-path.ts'
import { useWidth } from '../../chart/use-width.ts'
import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { dayMark } from './day-words.ts'
import type { UsageDay } from './fill-days.ts'

type UsageChartProps = { days: readonly UsageDay[]; chosen: number | null; onChoose(index: number | null): void }

const left = 44
const top = 12
const bottom = 28
const plot = 240

/** A rung a day: what was sent above zero, what came back below, on one scale, so that its length is the total. */
export const UsageChart = ({ days, chosen, onChoose }: UsageChartProps) => {
  const { language, words } = useLocale()
  const { ref, width } = useWidth<HTMLDivElement>(1080)
  const id = useId()
  const step = (width - left) / days.length
  const x = (index: number): number => left + step * (index + 0.5)
  const [mostSent, mostReceived] = [most(days, 'promptTokens'), most(days, 'completionTokens')]
  const grid = gridStep(Math.max(mostSent, mostReceived), 3)
  const above = Math.max(1, Math.ceil(mostSent / grid))
  const below = Math.max(1, Math.ceil(mostReceived / grid))
  const scale = plot / ((above + below) * grid)
  const zero = top + above * grid * scale
  const lines = Array.from({ length: above + below + 1 }, (_, index) => (above - index) * grid)

  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -days.length, End: days.length }
    const by = steps[event.key]
    if (event.key === 'Escape') onChoose(null)
    if (by === undefined) return
    event.preventDefault()
    onChoose(Math.min(days.length - 1, Math.max(0, (chosen ?? (by < 0 ? days.length : -1)) + by)))
  }
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    const index = Math.floor(at / step)
    onChoose(index >= 0 && index < days.length ? index : null)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element for a chart that arrow keys move in
    <div
      ref={ref}
      className="rung-chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: days are reached by arrow keys
      tabIndex={0}
      role="group"
      aria-label={words.usage.chartKeys}
      onKeyDown={move}
      onPointerLeave={() => onChoose(null)}
    >
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${top + plot + bottom}`}
        role="img"
        aria-labelledby={`${id}t ${id}d`}
        onPointerMove={point}
        onPointerDown={point}
      >
        <title id={`${id}t`}>{words.usage.chartTitle}</title>
        <desc id={`${id}d`}>{words.usage.chartText}</desc>
        {chosen === null ? null : (
          <rect className="column" x={x(chosen) - step / 2} y={0} width={step} height={top + plot + 4} rx={6} />
        )}
        {lines.map((value) => {
          const y = zero - value * scale
          return (
            <g key={value}>
              <path className={value === 0 ? 'zero' : 'grid'} d={`M${left} ${y}H${width}`} />
              <text x={left - 10} y={y + 4} textAnchor="end">
                {roundText(Math.abs(value), language)}
              </text>
            </g>
          )
        })}
        <path
          className="strand sent"
          d={strandPath(days.map(({ promptTokens }, index) => [x(index), zero - promptTokens * scale]))}
        />
        <path
          className="strand received"
          d={strandPath(days.map(({ completionTokens }, index) => [x(index), zero + completionTokens * scale]))}
        />
        <path className={rungClass(step, 'sent')} d={rungs(days, 'promptTokens', x, zero, -scale)} />
        <path className={rungClass(step, 'received')} d={rungs(days, 'completionTokens', x, zero, scale)} />
        {days.map(({ day }, index) =>
          isMarked(index, days.length, step) ? (
            <text key={day} x={x(index)} y={top + plot + bottom - 6} textAnchor="middle">
              {dayMark(day, language)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}

type Side = 'promptTokens' | 'completionTokens'

const most = (days: readonly UsageDay[], side: Side): number => Math.max(0, ...days.map((day) => day[side]))

/** Where days are narrow, so are their rungs. */
const rungClass = (step: number, side: 'sent' | 'received'): string => `rungs ${side} ${step < 13 ? 'narrow' : ''}`

const rungs = (days: readonly UsageDay[], side: Side, x: (index: number) => number, zero: number, scale: number) =>
  days
    .map((day, index) => {
      const length = day[side] * scale
      const start = Math.sign(scale) * Math.min(4, Math.abs(length))
      return day[side] === 0 ? '' : `M${x(index).toFixed(1)} ${zero + start}V${(zero + length).toFixed(1)}`
    })
    .join('')

/** From the last day back, so far apart that the words do not touch. */
const isMarked = (index: number, count: number, step: number): boolean => {
  const every = [1, 7, 14, 28].find((days) => days * step >= 52) ?? 28
  return (count - 1 - index) % every === 0 && index * step > 16
}
