import { useId } from 'react'
import { gridStep } from '../../chart/grid-step.ts'
import { useWidth } from '../../chart/use-width.ts'
import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import type { UsageBin } from './usage-bins.ts'
import '../../../styles/usage.css'

const left = 44
const top = 8
const bottom = 26
const plot = 150

type KeyChartProps = { bins: readonly UsageBin[]; title: string; binName(bin: UsageBin): string }

/** Prompt tokens above zero and completion tokens below, a rung for each hour or day. The table has the same figures. */
export const KeyChart = ({ bins, title, binName }: KeyChartProps) => {
  const { language, words } = useLocale()
  const { ref, width } = useWidth<HTMLDivElement>(1080)
  const id = useId()
  const step = (width - left) / bins.length
  const x = (index: number): number => left + step * (index + 0.5)
  const sent = Math.max(0, ...bins.map(({ promptTokens }) => promptTokens))
  const received = Math.max(0, ...bins.map(({ completionTokens }) => completionTokens))
  const grid = gridStep(Math.max(sent, received, 1), 2)
  const above = Math.max(1, Math.ceil(sent / grid))
  const below = Math.max(1, Math.ceil(received / grid))
  const scale = plot / ((above + below) * grid)
  const zero = top + above * grid * scale
  const lines = Array.from({ length: above + below + 1 }, (_, index) => (above - index) * grid)
  const rungs = (of: (bin: UsageBin) => number, direction: 1 | -1): string =>
    bins
      .map((bin, index) => {
        const length = of(bin) * scale
        const start = zero + direction * Math.min(4, length)
        return length === 0
          ? ''
          : `M${x(index).toFixed(1)} ${start.toFixed(1)}V${(zero + direction * length).toFixed(1)}`
      })
      .join('')
  const every = [1, 2, 3, 4, 6, 7, 12, 14].find((count) => count * step >= 56) ?? 14
  const narrow = step < 13 ? ' narrow' : ''
  return (
    <div ref={ref}>
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${top + plot + bottom}`}
        role="img"
        aria-labelledby={`${id}t ${id}d`}
      >
        <title id={`${id}t`}>{title}</title>
        <desc id={`${id}d`}>{words.usage.chartText}</desc>
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
        <path className={`rungs sent${narrow}`} d={rungs(({ promptTokens }) => promptTokens, -1)} />
        <path className={`rungs received${narrow}`} d={rungs(({ completionTokens }) => completionTokens, 1)} />
        {bins.map((bin, index) =>
          (bins.length - 1 - index) % every === 0 && index * step > 16 ? (
            <text key={bin.start} x={x(index)} y={top + plot + bottom - 6} textAnchor="middle">
              {binName(bin)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}
