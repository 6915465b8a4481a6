import type { FormatSource, GrammarSource, ToolSource } from '../../generation/compile/grammar-source.ts'
import type { ChatBody } from './body.ts'
import type { Calling } from './tool-choice.ts'
import type { OfferedTool } from './tools.ts'

/**
 * Everything in a request that has to be compiled; null if there is nothing. Tools are compiled even if none of them may be
 * called, because an invalid schema is always refused.
 */
export const grammarSourceOf = (
  { tools, functions }: Pick<ChatBody, 'tools' | 'functions'>,
  calling: Calling | null,
  format: FormatSource | null,
): GrammarSource | null => {
  const offered = tools ?? functions ?? []
  if (offered.length === 0 && format === null) return null
  const paramOf = (index: number): string =>
    tools ? `tools[${index}].function.parameters` : `functions[${index}].parameters`
  return {
    tools: offered.map((tool, index) => toolSource(tool, paramOf(index))),
    calls: callsOf(offered, calling),
    format,
  }
}

const toolSource = ({ name, parameters, strict }: OfferedTool, param: string): ToolSource => ({
  name,
  parameters: parameters ?? {},
  strict,
  param,
})

const callsOf = (offered: readonly OfferedTool[], calling: Calling | null): GrammarSource['calls'] => {
  if (calling === null) return null
  const { callable, required, parallel } = calling
  return { callable: callable.map((tool) => offered.indexOf(tool)), required, parallel }
}
