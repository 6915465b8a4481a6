import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

const [width, tall, middle] = [1248, 196, 88]
const at = (ms: number): number => Math.round((ms / 1900) * width * 10) / 10

/** A steady pseudo-random source: the drawing is the same in every build. */
const steady = (seed: number) => (): number => {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}

/** The moments of the answer's tokens: one each 17 to 28 milliseconds, from the first. */
const moments = (): number[] => {
  const random = steady(23)
  const times = [214]
  while (times.length < 71) times.push((times.at(-1) ?? 0) + 17 + random() * 11.5)
  return times
}

/** One request on its axis: waiting is dotted, reading the prompt is a block, each token a rung at its moment. */
export const timingDrawing = ({ words: { landing } }: PageContext): Html => {
  const times = moments()
  const last = times.at(-1) ?? 0
  const mark = (x: number) =>
    html`<line x1="${x}" x2="${x}" y1="${middle + 34}" y2="${middle + 50}" stroke="var(--ink-3)"/>`
  const ticks = [0, 250, 500, 750, 1000, 1250, 1500, 1750].map(
    (ms) =>
      html`<line x1="${at(ms)}" x2="${at(ms)}" y1="${tall - 28}" y2="${tall - 22}" stroke="var(--line-strong)"/><text x="${at(ms)}" y="${tall - 4}"${ms === 0 ? null : html` text-anchor="middle"`}>${ms === 0 ? '0' : ms === 1000 ? '1 s' : `${ms} ms`}</text>`,
  )
  return html`<svg class="chart" viewBox="0 0 ${width} ${tall}" role="img" aria-label="${landing.timingLabel}">
<line x1="1" x2="${at(38)}" y1="${middle}" y2="${middle}" stroke="var(--line-strong)" stroke-width="2" stroke-dasharray="1 5" stroke-linecap="round"/>
<rect x="${at(38)}" y="${middle - 24}" width="${at(22)}" height="48" rx="3" fill="var(--sent)" opacity=".45"/><rect x="${at(62)}" y="${middle - 24}" width="${at(150)}" height="48" rx="3" fill="var(--sent)"/>
${times.map((ms) => html`<line x1="${at(ms)}" x2="${at(ms)}" y1="${middle - 22}" y2="${middle + 22}" stroke="var(--received)" stroke-width="3.5" stroke-linecap="round"/>`)}
<text class="strong" x="${at(62)}" y="22">176 ms</text><text x="${at(62)}" y="42">${landing.timingPrompt}</text>
<text class="strong" x="${at(222)}" y="22">${landing.timingTokens}</text><text x="${at(222)}" y="42">${landing.timingSpeed}</text>
<text x="0" y="${middle + 50}">${landing.timingQueue}</text>
${mark(at(214))}<text class="ink" x="${at(214) + 8}" y="${middle + 50}">${landing.timingFirst}</text>
${mark(at(last))}<text class="ink" x="${at(last) - 8}" y="${middle + 50}" text-anchor="end">${landing.timingDone}</text>
<line x1="0" x2="${width}" y1="${tall - 28}" y2="${tall - 28}" stroke="var(--line)"/>${ticks}
</svg>`
}
