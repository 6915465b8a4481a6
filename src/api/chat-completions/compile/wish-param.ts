import type { GrammarWish } from './grammar-wish.ts'

/** The field of the request that is to blame for a wish as a whole. */
export const wishParam = ({ tools, format }: GrammarWish): string => {
  const [tool] = tools
  if (tool !== undefined) return tool.param.replace(/\[.*$/, '')
  return format !== null && 'param' in format ? format.param : 'response_format'
}
