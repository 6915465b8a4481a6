import type { LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Html, trusted } from '../html.ts'

/** An icon as plain SVG, rendered by React at build time only. */
export const icon = (image: LucideIcon, size = 18): Html =>
  trusted(renderToStaticMarkup(createElement(image, { size, strokeWidth: 1.5, 'aria-hidden': true })))
