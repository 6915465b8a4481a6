/** What the model reasons, folded, with how long it took: `Thinking… 12 s`. */
export type ThoughtPart = { show(text: string, nowMs: number): void }

/** Without any text it stays hidden. Once other text has come, it says how long the reasoning took. */
export const createThoughtPart = (part: HTMLElement): ThoughtPart => {
  const [summary, body] = [part.querySelector('summary'), part.querySelector('p')]
  if (body !== null) body.textContent = ''
  let fromMs: number | null = null
  const say = (words: string | undefined, nowMs: number): void => {
    const seconds = Math.max(1, Math.round((nowMs - (fromMs ?? nowMs)) / 1000))
    if (summary !== null) summary.textContent = (words ?? '').replace('{s}', String(seconds))
  }
  let isOver = false
  return {
    show(text, nowMs) {
      if (text === '' && (fromMs === null || isOver)) return
      isOver = text === ''
      fromMs ??= nowMs
      part.hidden = false
      body?.append(text)
      say(isOver ? part.dataset.thought : part.dataset.thinking, nowMs)
    },
  }
}
