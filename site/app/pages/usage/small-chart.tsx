import { singlePoints, strandRuns } from '../../chart/strand-runs.ts'
import { useWidth } from '../../chart/use-width.ts'

type SmallChartProps = {
  name: string
  /** Beside the name, quieter. */
  note?: string | undefined
  figure: string
  values: readonly (number | null)[]
  kind: 'counts' | 'errors' | 'times'
}

const height = 56

/** One figure with its days: counts are rungs, times a line with a dot at its end. The table has the same figures. */
export const SmallChart = ({ name, note, figure, values, kind }: SmallChartProps) => {
  const { ref, width } = useWidth<HTMLDivElement>(330)
  const highest = Math.max(1, ...values.map((value) => value ?? 0)) * 1.04
  const x = (index: number): number => 3 + (index / Math.max(1, values.length - 1)) * (width - 6)
  const y = (value: number): number => height - 5 - (value / highest) * (height - 10)
  const places = values.map((value, index) => (value === null ? null : ([x(index), y(value)] as const)))
  const known = places.flatMap((place) => (place === null ? [] : [place]))
  const end = known.at(-1)
  return (
    <div ref={ref} className="small-chart">
      <p>
        {name} {note === undefined ? null : <span className="muted">{note}</span>} <b>{figure}</b>
      </p>
      <svg className="chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path className="grid" d={`M0 ${height - 0.5}H${width}`} />
        {kind === 'times' ? (
          <>
            <path className="line" d={strandRuns(places)} />
            {singlePoints(places).map(([across, at]) => (
              <circle key={across} className="end" cx={across} cy={at} r={1.5} />
            ))}
            {end === undefined ? null : <circle className="end" cx={end[0]} cy={end[1]} r={3} />}
          </>
        ) : (
          <path
            className={`rungs ${kind}`}
            d={known
              .filter(([, at]) => at < y(0))
              .map(([across, at]) => `M${across.toFixed(1)} ${height - 4}V${at.toFixed(1)}`)
              .join('')}
          />
        )}
      </svg>
    </div>
  )
}
