import { type KeyboardEvent, type PointerEvent, type ReactNode, useId } from 'react'
import type { UsageUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { gridStep } from '../../chart/grid-step.ts'
import { useWidth } from '../../chart/use-width.ts'
import { useLocale } from '../../words-context.tsx'
import { slotMark } from './slot-words.ts'

/** Where things are drawn: `x` of a slot's middle, `y` of a value. */
export type Plot = { x(index: number): number; y(value: number): number; step: number }

type ChartFrameProps = {
  names: readonly string[]
  unit: UsageUnit
  /** The highest values above and below zero. */
  above: number
  below: number
  title: string
  text: string
  axisText(value: number): string
  /** What is drawn above zero and below it: both are amounts. */
  sides?: { above: string; below: string }
  chosen: number | null
  onChoose(index: number | null): void
  children(plot: Plot): ReactNode
}

const leastLeft = 52
/** Of the longest letters and figures on the axes. */
const letterWidth = 7
/** Half a name may stand out at the end, no more. */
const lastMark = 14
const top = 12
const bottom = 28
/** The name of what is below zero stands between the chart and the days. */
const sideHeight = 14
const height = 240

/** The axes of a chart, in which slots are pointed at or reached by arrow keys. */
export const ChartFrame = ({ names, unit, chosen, onChoose, ...props }: ChartFrameProps) => {
  const { language, words } = useLocale()
  const { ref, width } = useWidth<HTMLDivElement>(1080)
  const id = useId()
  const count = names.length
  const { sides } = props
  const end = top + height + bottom + (sides === undefined ? 0 : sideHeight)
  const grid = gridStep(Math.max(props.above, props.below), 3)
  const above = Math.max(1, Math.ceil(props.above / grid))
  const below = props.below === 0 ? 0 : Math.max(1, Math.ceil(props.below / grid))
  const scale = height / ((above + below) * grid)
  const zero = top + above * grid * scale
  const y = (value: number): number => zero - value * scale
  const lines = Array.from({ length: above + below + 1 }, (_, index) => (above - index) * grid)
  const axisTexts = lines.map((value) => props.axisText(Math.abs(value)))
  const left = Math.max(leastLeft, 10 + letterWidth * Math.max(...axisTexts.map(({ length }) => length)))
  const step = (width - left) / count
  const x = (index: number): number => left + step * (index + 0.5)

  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }
    const by = steps[event.key]
    if (event.key === 'Escape') onChoose(null)
    if (by === undefined) return
    event.preventDefault()
    onChoose(Math.min(count - 1, Math.max(0, (chosen ?? (by < 0 ? count : -1)) + by)))
  }
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - left
    const index = Math.floor(at / step)
    onChoose(index >= 0 && index < count ? index : null)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element for a chart that arrow keys move in
    <div
      ref={ref}
      className="rung-chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: slots are reached by arrow keys
      tabIndex={0}
      role="group"
      aria-label={words.usage.chartKeys(props.title)}
      onKeyDown={move}
      onPointerLeave={() => onChoose(null)}
    >
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${end}`}
        role="img"
        aria-labelledby={`${id}t ${id}d`}
        onPointerMove={point}
        onPointerDown={point}
      >
        <title id={`${id}t`}>{props.title}</title>
        <desc id={`${id}d`}>{props.text}</desc>
        {chosen === null ? null : (
          <rect className="column" x={x(chosen) - step / 2} y={0} width={step} height={top + height + 4} rx={6} />
        )}
        {lines.map((value, index) => (
          <g key={value}>
            <path className={value === 0 ? 'zero' : 'grid'} d={`M${left} ${y(value)}H${width}`} />
            <text x={left - 10} y={y(value) + 4} textAnchor="end">
              {axisTexts[index]}
            </text>
          </g>
        ))}
        {sides === undefined ? null : (
          <>
            <text x={left} y={top - 3}>
              {sides.above}
            </text>
            <text x={left} y={top + height + 13}>
              {sides.below}
            </text>
          </>
        )}
        {props.children({ x, y, step })}
        {names.map((name, index) =>
          isMarked(name, index, { unit, count, step }) ? (
            <text key={name} x={Math.min(x(index), width - lastMark)} y={end - 6} textAnchor="middle">
              {slotMark(name, unit, language)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}

const markWidth = 56

/** So far apart that the words do not touch: days and months from the last one back, hours by the clock. */
const isMarked = (
  name: string,
  index: number,
  { unit, count, step }: { unit: UsageUnit; count: number; step: number },
): boolean => {
  if (index * step <= 16 && index > 0) return false
  if (unit === 'hour') {
    const every = [1, 2, 3, 6, 12, 24].find((hours) => hours * step >= markWidth)
    const hour = Number(name.slice(11, 13))
    if (every !== undefined) return hour % every === 0
    const days = Math.ceil(markWidth / (24 * step))
    return hour === 0 && Math.round(index / 24) % days === 0
  }
  const every = [1, 2, 7, 14, 28, 56].find((slots) => slots * step >= markWidth) ?? 112
  return (count - 1 - index) % every === 0
}
