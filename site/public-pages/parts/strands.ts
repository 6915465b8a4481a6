import { type Html, html } from '../html.ts'
import { type Wave, wavePath } from './wave.ts'

type Strand = { colour: 'sent' | 'received'; sign: 1 | -1; from: number; to: number }

/**
 * Two strands that pass over and under each other by turns. Around each crossing the lower one is drawn first and the upper
 * one cuts a gap in the colour of the ground.
 */
export const strands = (wave: Wave, sent: Strand, received: Strand, thick: number, gap: number): Html[] => {
  const half = wave.period / 2
  const first = Math.floor((Math.min(sent.from, received.from) - wave.start) / half)
  const last = Math.ceil((Math.max(sent.to, received.to) - wave.start) / half)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).map((crossing) => {
    const [low, high] = [wave.start + (crossing - 0.5) * half, wave.start + (crossing + 0.5) * half]
    const order = crossing % 2 === 0 ? [received, sent] : [sent, received]
    return html`${order.map((strand, place) => piece(wave, strand, low, high, thick, place === 1 ? gap : 0))}`
  })
}

const piece = (wave: Wave, strand: Strand, low: number, high: number, thick: number, gap: number): Html | null => {
  const [from, to] = [Math.max(low, strand.from), Math.min(high, strand.to)]
  if (to <= from) return null
  // The ends overlap by a little, so that no seam shows where two pieces meet.
  const path = wavePath(wave, Math.max(from - 1, strand.from), Math.min(to + 1, strand.to), strand.sign)
  const inner = wavePath(wave, from + (to - from) * 0.2, to - (to - from) * 0.2, strand.sign)
  const cut = gap === 0 ? null : html`<path d="${inner}" stroke="var(--ground)" stroke-width="${thick + gap}"/>`
  return html`${cut}<path d="${path}" stroke="var(--${strand.colour})" stroke-width="${thick}" stroke-linecap="round"/>`
}
