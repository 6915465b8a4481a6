import { ApiError } from '../../../base/api-error.ts'
import type { FunctionTool } from '../../../engine/contract.ts'
import { Problem } from '../../../http/schema/problem.ts'
import type { FinishReason } from '../answer/answer-part.ts'
import type { FormatSource, GrammarSource, ToolSource } from '../compile/grammar-source.ts'

/** A function the model may call, and whether its arguments must conform to the schema. */
export type OfferedTool = Pick<FunctionTool, 'name' | 'description'> & {
  parameters: Record<string, unknown> | null
  strict: boolean
}

/** Whether the model may call tools, must call one, or must call one of these. */
export type ToolChoice =
  | { mode: 'none' | 'auto' | 'required' }
  | { mode: 'named'; name: string }
  | { mode: 'allowed'; required: boolean; names: string[] }

/** The tools that remain after `tool_choice`. */
export type Calling = {
  /** Shown to the model. */
  shown: readonly OfferedTool[]
  /** May be called. */
  callable: readonly OfferedTool[]
  required: boolean
  named: boolean
  parallel: boolean
  /** The finish reason of an answer with calls. */
  finishReason: FinishReason
}

/** How errors name the choice, the list of tools, and a tool in the choice; the index counts those that are allowed. */
export type ChoicePaths = { choice: string; list: string; named: string; allowed?(index: number): string }

type Offer = { offered: readonly OfferedTool[]; choice: ToolChoice | null; parallel: boolean; paths: ChoicePaths }

/** Null if no tool can be called. An unknown name is refused with its path. */
export const decideCalling = ({ offered, choice, parallel, paths }: Offer): Calling | null => {
  const decided = choice ?? { mode: offered.length > 0 ? 'auto' : 'none' }
  if (offered.length === 0 && decided.mode !== 'none') throw withoutTools(paths)
  if (decided.mode === 'none') return null
  const common = { shown: offered, parallel, named: false, finishReason: 'tool_calls' as const }
  if (decided.mode === 'named') {
    const callable = [find(offered, decided.name, paths.named)]
    // The official service makes one call if the function is named, and reports a stop.
    return { ...common, callable, required: true, named: true, parallel: false, finishReason: 'stop' }
  }
  if (decided.mode !== 'allowed') return { ...common, callable: offered, required: decided.mode === 'required' }
  const callable = decided.names.map((name, index) =>
    find(offered, name, paths.allowed?.(index) ?? `${paths.choice}.tools[${index}].name`),
  )
  return { ...common, callable, required: decided.required }
}

const find = (offered: readonly OfferedTool[], name: string, param: string): OfferedTool => {
  const tool = offered.find((candidate) => candidate.name === name)
  if (tool !== undefined) return tool
  throw new Problem(() => ApiError.of('unknown_function', { name: name.slice(0, 64), param }, { param }))
}

const withoutTools = ({ choice: field, list }: ChoicePaths): Problem =>
  new Problem(() => ApiError.of('choice_without_tools', { field, list }, { param: field }))

type Compiled = {
  offered: readonly OfferedTool[]
  calling: Calling | null
  format: FormatSource | null
  /** The path of the schema of a tool. */
  schemaPath(index: number): string
}

/**
 * Everything in a request that has to be compiled; null if there is nothing. Tools are compiled even if none of them may be
 * called, because an invalid schema is always refused.
 */
export const createGrammarSource = ({ offered, calling, format, schemaPath }: Compiled): GrammarSource | null => {
  if (offered.length === 0 && format === null) return null
  return {
    tools: offered.map((tool, index) => toolSource(tool, schemaPath(index))),
    calls: callSources(offered, calling),
    format,
  }
}

const toolSource = ({ name, parameters, strict }: OfferedTool, param: string): ToolSource => ({
  name,
  parameters: parameters ?? {},
  strict,
  param,
})

const callSources = (offered: readonly OfferedTool[], calling: Calling | null): GrammarSource['calls'] => {
  if (calling === null) return null
  const indexes = new Map(offered.map(({ name }, index) => [name, index]))
  const { callable, required, parallel } = calling
  return { callable: callable.map(({ name }) => indexes.get(name) ?? 0), required, parallel }
}
