import type { GrammarSource } from './grammar-source.ts'

/** The field of the request that errors about a source as a whole refer to. */
export const sourceParam = ({ tools, format }: GrammarSource): string => {
  const [tool] = tools
  if (tool !== undefined) return tool.param.replace(/\[.*$/, '')
  return format !== null && 'param' in format ? format.param : 'response_format'
}
