import { useWords } from '../words-context.tsx'

const width = 600
const firstSpanMs = 3000
/** From here on single rungs would touch: one stands for each four points, as high as tokens came. */
const mostRungs = 400
const binWidth = 4

/** The small timing under an answer: blue until the first token, then a rung for each at its moment. It grows with the stream. */
export const Strip = ({ moments }: { moments: readonly number[] }) => {
  const { chat } = useWords()
  const last = moments.at(-1) ?? 0
  const first = moments[0]
  const spanMs = spanOf(last)
  const at = (ms: number): number => Math.round(2 + (ms / spanMs) * (width - 4))
  const rungs = moments.length > mostRungs ? binned(moments.map(at)) : moments.map((ms) => ({ x: at(ms), half: 8 }))
  return (
    <svg
      className="chart strip"
      viewBox={`0 0 ${width} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={chat.strip(moments.length)}
    >
      <path className="wait" d={`M${first === undefined ? 2 : at(first)} 12H${width - 2}`} />
      <path className="sent" d={`M2 4V20${first === undefined ? '' : `M2 12H${at(first)}`}`} />
      <path className="received" d={rungs.map(({ x, half }) => `M${x} ${12 - half}V${12 + half}`).join('')} />
    </svg>
  )
}

/** Grows in steps, so that the rungs stand still in between. */
const spanOf = (lastMs: number): number => {
  let spanMs = firstSpanMs
  while (spanMs * 0.95 < lastMs) spanMs *= 1.5
  return spanMs
}

const binned = (places: readonly number[]): { x: number; half: number }[] => {
  const counts = new Map<number, number>()
  for (const x of places) {
    const bin = Math.floor(x / binWidth)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  return [...counts].map(([bin, count]) => ({ x: bin * binWidth + 2, half: 2 + (8 * count) / most }))
}
