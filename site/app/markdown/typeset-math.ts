import katex from 'katex'
import { createElement, type ReactNode } from 'react'

/** Null: it is no TeX that can be set. */
export type TypesetMath = (text: string, isBlock: boolean) => ReactNode

/**
 * TeX as MathML, which browsers lay out themselves: no fonts, no styles. What the typesetter writes is read again, and
 * only elements and attributes of the lists below reach the page. Macros, sizes and links of an answer are bounded or off.
 */
export const typesetMath: TypesetMath = (text, isBlock) => {
  const html = write(text, isBlock)
  if (html === null) return null
  const math = new DOMParser().parseFromString(html, 'text/html').querySelector('math')
  return math === null ? null : elementOf(math, 0, 0)
}

const write = (text: string, isBlock: boolean): string | null => {
  try {
    return katex.renderToString(text, {
      ...{ output: 'mathml', displayMode: isBlock, throwOnError: true },
      ...{ trust: false, strict: 'ignore', maxExpand: 100, maxSize: 10 },
    })
  } catch {
    return null
  }
}

const deepest = 60
const elements: readonly string[] =
  'math semantics mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd mpadded mphantom menclose mstyle'.split(
    ' ',
  )
const attributes: readonly string[] =
  'display mathvariant stretchy fence separator lspace rspace minsize maxsize linethickness accent accentunder columnalign rowspacing columnspacing scriptlevel displaystyle movablelimits width height depth voffset notation'.split(
    ' ',
  )

/** The source, which the typesetter keeps beside the formula, is left out. */
const elementOf = (element: Element, key: number, depth: number): ReactNode => {
  const name = element.localName
  if (depth > deepest || !elements.includes(name)) return null
  const kept = [...element.attributes].filter((attribute) => attributes.includes(attribute.name))
  const children = [...element.childNodes].map((child, index) =>
    child instanceof Element ? elementOf(child, index, depth + 1) : child.textContent,
  )
  return createElement(name, { key, ...Object.fromEntries(kept.map((one) => [one.name, one.value])) }, ...children)
}
