import { waves } from '../components/waves.ts'
import type { Lede } from '../ledes/lede.ts'

/** As `components/lede-text.tsx` does. */
export const drawLede = (lede: Lede): Node[] =>
  lede.map((part) => {
    if (typeof part === 'string') return document.createTextNode(part)
    if ('strong' in part) return drawText('b', part.strong)
    const muted = drawText('span', part.muted)
    muted.className = 'muted'
    return muted
  })

/** As `components/empty.tsx` does, without its button, which needs the app. */
export const drawEmpty = ({ title, text }: { title: string; text: string }): Node => {
  const empty = document.createElement('div')
  empty.className = 'empty'
  empty.append(drawWaves(), drawText('h2', title), drawText('p', text))
  return empty
}

const drawText = (name: 'b' | 'span' | 'h2' | 'p', text: string): HTMLElement => {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

const drawWaves = (): SVGElement => {
  const shape = (name: string, attributes: Record<string, string>, children: readonly Node[] = []): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    element.append(...children)
    return element
  }
  const lines = { fill: 'none', 'stroke-width': '2.5', 'stroke-linecap': 'round', 'stroke-dasharray': '0.5 6' }
  const drawn = shape(
    'g',
    lines,
    waves.map(({ colour, path }) => shape('path', { stroke: colour, d: path })),
  )
  return shape('svg', { width: '150', height: '40', viewBox: '0 0 150 40', 'aria-hidden': 'true' }, [drawn])
}
