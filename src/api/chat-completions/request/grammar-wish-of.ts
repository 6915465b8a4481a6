import type { FormatWish, GrammarWish, ToolWish } from '../compile/grammar-wish.ts'
import type { ChatBody } from './body.ts'
import type { Calling } from './tool-choice.ts'
import type { OfferedTool } from './tools.ts'

/**
 * Everything of a request that has to be compiled; null: nothing. Tools are compiled even where none of them may be called: a
 * schema that is wrong is refused in any case.
 */
export const grammarWishOf = (
  { tools, functions }: ChatBody,
  calling: Calling | null,
  format: FormatWish | null,
): GrammarWish | null => {
  const offered = tools ?? functions ?? []
  if (offered.length === 0 && format === null) return null
  const paramOf = (index: number): string =>
    tools ? `tools[${index}].function.parameters` : `functions[${index}].parameters`
  return {
    tools: offered.map((tool, index) => toolWish(tool, paramOf(index))),
    calls: callsOf(offered, calling),
    format,
  }
}

const toolWish = ({ name, parameters, strict }: OfferedTool, param: string): ToolWish => ({
  name,
  parameters: parameters ?? {},
  strict,
  param,
})

const callsOf = (offered: readonly OfferedTool[], calling: Calling | null): GrammarWish['calls'] => {
  if (calling === null) return null
  const { callable, required, parallel } = calling
  return { callable: callable.map((tool) => offered.indexOf(tool)), required, parallel }
}
