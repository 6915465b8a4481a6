type RequestRungsProps = { slots: readonly { requests: number; errors: number }[]; label: string }

const step = 5
const height = 26

/** A rung for each part of the period, its failed requests in another colour; a part without requests is a dot. */
export const RequestRungs = ({ slots, label }: RequestRungsProps) => {
  const max = Math.max(1, ...slots.map(({ requests }) => requests))
  const lengthOf = (count: number): number => (count === 0 ? 0 : Math.max(3, (count / max) * (height - 4)))
  const rung = (index: number, length: number): string => `M${index * step + 2} ${height - 2}v${-length}`
  return (
    <svg className="request-rungs" width={slots.length * step - 1} height={height} role="img" aria-label={label}>
      <path d={slots.map(({ requests }, index) => rung(index, lengthOf(requests))).join('')} />
      <path
        className="errors"
        d={slots.flatMap(({ errors }, index) => (errors === 0 ? [] : [rung(index, lengthOf(errors))])).join('')}
      />
    </svg>
  )
}
