import { waves } from '../components/waves.ts'
import type { Lede } from '../ledes/lede.ts'
import type { NoticeLine } from '../notices/notice-lines.ts'
import type { Action } from './sight.ts'

/** What stands in the document until the app is there, as components of the same names draw it. */

/** As `components/lede-text.tsx` does. */
export const drawLede = (lede: Lede): (Node | string)[] =>
  lede.map((part) => {
    if (typeof part === 'string') return part
    return 'strong' in part ? drawElement('b', '', part.strong) : drawElement('span', 'muted', part.muted)
  })

/** As `components/empty.tsx` does, without its button, which needs the app. */
export const drawEmpty = (title: string, text: string): Node =>
  drawElement('div', 'empty', drawWaves(), drawElement('h2', '', title), drawElement('p', '', text))

/** Where the app draws the buttons beside the sentence, which take place from it. They are not seen. */
export const drawActions = (actions: readonly Action[]): Node => {
  const buttons = actions.map(({ text, hasIcon = false }) =>
    drawElement('span', 'button', ...(hasIcon ? [drawIconSpace()] : []), text),
  )
  const [first] = buttons
  return first !== undefined && buttons.length === 1 ? first : drawElement('span', 'row-actions', ...buttons)
}

/** As `components/section.tsx` does. */
export const drawSection = (title: string, text: Node | string, ...children: Node[]): Node =>
  drawElement('section', 'section', ...drawHead(title, text), ...children)

/** As `pages/settings/settings-part.tsx` does, without its controls. */
export const drawSettingsPart = (title: string, text: string): Node =>
  drawElement('section', 'settings-section', drawElement('div', '', ...drawHead(title, text)))

const drawHead = (title: string, text: Node | string): Node[] => [
  drawElement('h2', '', title),
  drawElement('p', 'secondary small', text),
]

/** As `notices/notices.tsx` does. Its buttons need the app, but take their places. */
export const drawNotices = (title: string, lines: readonly NoticeLine[], more: string): Node => {
  const list = lines.map(({ text, link }, index) => {
    const said = drawElement('p', '', text, ' ')
    if (link !== null) said.append(drawLink(link.to, link.text))
    if (index === 0 && lines.length > 1) said.append(drawElement('span', 'link more', more))
    const dismiss = drawElement('span', 'button plain square')
    return drawElement('li', '', drawIconSpace(), said, dismiss)
  })
  const notices = drawElement('section', 'notices stacked', drawElement('ul', '', ...list))
  notices.setAttribute('aria-label', title)
  return notices
}

export const drawElement = (
  name: keyof HTMLElementTagNameMap,
  className: string,
  ...children: (Node | string)[]
): HTMLElement => {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.append(...children)
  return element
}

export const drawLink = (to: string, text: string): Node => {
  const link = drawElement('a', '', text)
  link.setAttribute('href', to)
  return link
}

/** Where the app draws an icon. */
export const drawIconSpace = (): Node => drawShape('svg', { width: '16', height: '16', 'aria-hidden': 'true' })

const drawShape = (name: string, attributes: Record<string, string>, children: readonly Node[] = []): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children)
  return element
}

const drawWaves = (): SVGElement => {
  const lines = { fill: 'none', 'stroke-width': '2.5', 'stroke-linecap': 'round', 'stroke-dasharray': '0.5 6' }
  const paths = waves.map(({ colour, path }) => drawShape('path', { stroke: colour, d: path }))
  const drawn = drawShape('g', lines, paths)
  return drawShape('svg', { width: '150', height: '40', viewBox: '0 0 150 40', 'aria-hidden': 'true' }, [drawn])
}
