/**
 * Run in a page: what does not fit. Parts that stick out of the window, and texts that are wider than their box or cut off
 * by it. What scrolls on its own is meant to be wider.
 */
export const cutParts = `(() => {
  const found = []
  const name = (part) => part.tagName.toLowerCase() + (part.className ? '.' + String(part.className).replaceAll(' ', '.') : '')
  const say = (part, how) => found.push(how + ': ' + name(part.parentElement) + ' > ' + name(part) + ' "' + part.textContent.trim().slice(0, 60) + '"')
  const scrolls = (part) => part !== null && (/auto|scroll/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement))
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push('the page is ' + scrollWidth + ' px wide')
  for (const part of document.body.querySelectorAll('*')) {
    const box = part.getBoundingClientRect()
    const style = getComputedStyle(part)
    // Texts for screen readers only, drawings, code, and names that are meant to be cut.
    if (box.width <= 1 || box.height <= 1 || style.visibility === 'hidden' || part.closest('svg, pre, textarea, select, .visually-hidden, .skip-link') !== null) continue
    if (scrolls(part)) continue
    if (box.right > clientWidth + 1 || box.left < -1) say(part, 'out of the window')
    const hasText = [...part.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    if (!hasText || style.display === 'inline' || part.closest('[data-cut]') !== null) continue
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) say(part, 'wider than its box')
    if (part.scrollHeight > part.clientHeight + 4 && part.clientHeight > 0 && /hidden|clip/.test(style.overflowY)) say(part, 'higher than its box')
  }
  return found
})()`
