import { StripImage } from '../components/strip-image.tsx'
import { rungPath, type StripScale, stripSpanMs } from './token-marks.ts'

type TimingStripProps = {
  /** Milliseconds since the request: the first token, and every token. */
  firstMs: number | null
  moments: readonly number[]
  scale: StripScale
  /** Whether the dotted line is drawn along which tokens may still come. */
  hasTrack: boolean
  /** The same as a sentence, for screen readers. */
  label: string
}

const width = 600
const height = 22

/** The small timing under an answer: a blue line while it is waited for, then a rung for each token at its moment. */
export const TimingStrip = ({ firstMs, moments, scale, hasTrack, label }: TimingStripProps) => {
  const spanMs = stripSpanMs(moments.at(-1) ?? 0, scale)
  const at = (ms: number): number => Math.round((ms / spanMs) * width * 10) / 10
  const waitedTo = firstMs === null ? 0 : at(firstMs)
  const middle = height / 2
  return (
    <StripImage className="timing-strip" width={width} height={height} label={label}>
      {hasTrack ? <path className="pending" d={`M${waitedTo} ${middle}H${width}`} /> : null}
      <path className="prompt" d={`M1 ${middle - 8}V${middle + 8}M1 ${middle}H${waitedTo}`} />
      <path className="rungs" d={rungPath(moments.map(at), { width, middle })} />
    </StripImage>
  )
}
