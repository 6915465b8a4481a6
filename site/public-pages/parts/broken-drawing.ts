import { type Html, html } from '../html.ts'
import { type Wave, wavePath } from './wave.ts'

/** A request that went out and stays alone: the answer's strand is only dotted. */
export const brokenDrawing = (): Html => {
  const wave: Wave = { middle: 40, height: 28, period: 240, start: 4 }
  return html`<svg width="368" height="80" viewBox="0 0 368 80" aria-hidden="true"><g fill="none" stroke-linecap="round"><path d="${wavePath(wave, 124, 364, -1)}" stroke="var(--received)" stroke-width="2.5" stroke-dasharray="0.5 7"/><path d="${wavePath(wave, 124, 364, 1)}" stroke="var(--sent)" stroke-width="2.5" stroke-dasharray="0.5 7"/><path d="${wavePath(wave, 4, 124, 1)}" stroke="var(--sent)" stroke-width="5"/><circle cx="124" cy="40" r="6" fill="var(--sent)"/></g></svg>`
}
