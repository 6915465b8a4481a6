import { type Html, html } from '../html.ts'
import { strands } from './strands.ts'
import { type Wave, waveAt, wavePath } from './wave.ts'

/** Where the question is read and the answer begins; the page's left edge lies here. */
const start = 600
const rungGap = 22
const width = 2800
const tall = 300

/**
 * The landing's drawing: the question comes in as one strand alone; where it is read the answer begins as the other. Each
 * fourth rung carries a token; what is still to come is dotted.
 */
export const answerDrawing = (question: string, tokens: readonly string[], label: string): Html => {
  const wave: Wave = { middle: tall / 2, height: tall * 0.33, period: rungGap * 24, start }
  const done = start + tokens.length * 4 * rungGap
  const end = waveAt(wave, done, -1)
  return html`<figure class="drawing" role="img" aria-label="${label}"><div class="column"><svg width="${width}" height="${tall + 40}" viewBox="0 -40 ${width} ${tall + 40}" aria-hidden="true">
<text class="prompt" x="${start}" y="-22">${question}</text>
<line x1="${start}" x2="${start}" y1="-8" y2="${wave.middle - 14}" stroke="var(--sent)" stroke-dasharray="0.5 4" stroke-linecap="round"/>
<g class="drawn" fill="none">
${rungs(wave, done)}
${strands(wave, { colour: 'sent', sign: 1, from: 0, to: width }, { colour: 'received', sign: -1, from: start, to: done }, 6, 10)}
<path d="${wavePath(wave, done + 12, width, -1)}" stroke="var(--received)" stroke-width="2.5" stroke-dasharray="0.5 9" stroke-linecap="round"/>
<circle cx="${done}" cy="${round(end)}" r="7" fill="var(--received)"/>
${tokens.map((token, index) => tokenMark(wave, token, start + (index * 4 + 2) * rungGap))}
<rect x="${done - 14}" y="${tall - 20}" width="3" height="18" rx="1.5" fill="var(--received)"/>
</g></svg></div></figure>`
}

const rungs = (wave: Wave, done: number): Html[] =>
  Array.from({ length: Math.floor((width - start) / rungGap) }, (_, index) => start + (index + 1) * rungGap).flatMap(
    (x) => {
      const reach = Math.abs(waveAt(wave, x, 1) - wave.middle)
      if (reach < 12) return []
      const [y1, y2] = [round(wave.middle - reach + 7), round(wave.middle + reach - 7)]
      const dots = x > done ? html` stroke-dasharray="0.5 7"` : null
      return [html`<line class="rung" x1="${x}" x2="${x}" y1="${y1}" y2="${y2}"${dots}/>`]
    },
  )

const tokenMark = (wave: Wave, token: string, x: number): Html => {
  const low = wave.middle + Math.abs(waveAt(wave, x, 1) - wave.middle)
  return html`<line x1="${x}" x2="${x}" y1="${round(low + 10)}" y2="${tall - 26}" stroke="var(--received)" stroke-dasharray="0.5 4" stroke-linecap="round"/><text class="token" x="${x}" y="${tall - 6}" text-anchor="middle">${token}</text>`
}

const round = (value: number): number => Math.round(value * 10) / 10
