import { type Html, html } from '../html.ts'
import { strands } from './strands.ts'
import { type Wave, waveAt } from './wave.ts'

/** The band above a form: both strands, nothing to read. */
export const band = (): Html => {
  const [width, tall, gap] = [3080, 88, 22]
  const wave: Wave = { middle: tall / 2, height: tall * 0.36, period: gap * 20, start: 0 }
  const places = Array.from({ length: width / gap }, (_, index) => (index + 1) * gap)
  const rungs = places.flatMap((x) => {
    const reach = Math.abs(waveAt(wave, x, 1) - wave.middle)
    return reach < 10
      ? []
      : [html`<line class="rung" x1="${x}" x2="${x}" y1="${wave.middle - reach + 6}" y2="${wave.middle + reach - 6}"/>`]
  })
  const strand = { from: -10, to: width + 10 }
  return html`<div class="band"><svg viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" aria-hidden="true"><g class="drawn" fill="none">${rungs}${strands(wave, { colour: 'sent', sign: 1, ...strand }, { colour: 'received', sign: -1, ...strand }, 4, 6)}</g></svg></div>`
}
