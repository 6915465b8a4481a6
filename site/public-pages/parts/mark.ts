import { type Html, html } from '../html.ts'

/** Two strands, over and under, one rung. */
const mark = (size: number): Html =>
  html`<svg width="${size}" height="${size}" viewBox="0 0 16 16" aria-hidden="true"><g fill="none" stroke-width="2" stroke-linecap="round"><path stroke="var(--received)" d="M3.5 1.2C3.5 4.8 12.5 4.4 12.5 8"/><path stroke="var(--sent)" d="M12.5 1.2C12.5 4.8 3.5 4.4 3.5 8s9 3.2 9 6.8"/><path stroke="var(--received)" d="M12.5 8c0 3.6-9 3.2-9 6.8"/><path stroke="var(--sent)" stroke-width="1.6" d="M6.6 8h2.8"/></g></svg>`

export const brand = (size = 26): Html => html`<a class="brand" href="/">${mark(size)}<span>Helix</span></a>`
