import type { GrammarSource } from './grammar-source.ts'

/** The field of the request that is to blame for a source as a whole. */
export const sourceParam = ({ tools, format }: GrammarSource): string => {
  const [tool] = tools
  if (tool !== undefined) return tool.param.replace(/\[.*$/, '')
  return format !== null && 'param' in format ? format.param : 'response_format'
}
