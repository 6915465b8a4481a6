type FigureRungsProps = {
  /** For each part of the period; null where nothing was measured. */
  values: readonly (number | null)[]
  /** Of each part, the share that is drawn in another colour, such as failed requests. */
  errors?: readonly number[] | undefined
  label: string
}

const step = 5
const height = 26

/** A rung for each part of the period, as long as its figure is large; a part without one is a dot. */
export const FigureRungs = ({ values, errors = [], label }: FigureRungsProps) => {
  const max = Math.max(...values.map((value) => value ?? 0))
  const lengthOf = (value: number): number => (value <= 0 ? 0 : Math.max(3, (value / max) * (height - 4)))
  const rung = (index: number, length: number): string => `M${index * step + 2} ${height - 2}v${-length}`
  return (
    <svg className="figure-rungs" width={values.length * step - 1} height={height} role="img" aria-label={label}>
      <path d={values.map((value, index) => rung(index, lengthOf(value ?? 0))).join('')} />
      <path
        className="errors"
        d={errors.flatMap((count, index) => (count === 0 ? [] : [rung(index, lengthOf(count))])).join('')}
      />
    </svg>
  )
}
