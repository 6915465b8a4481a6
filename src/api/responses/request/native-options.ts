import { ApiError } from '../../../base/api-error.ts'
import { builtInToolName, builtInToolOfItem } from '../../../config/built-in-tools.ts'
import { Problem } from '../../../http/schema/problem.ts'
import type { InputItem } from '../items.ts'
import type { ResponsesBody } from './responses-body.ts'
import type { RequestTool } from './tools.ts'

type Sent = { tools: readonly RequestTool[]; input: readonly InputItem[] }

/** The tools that an upstream has to run for a request, each once. Throws if one of them is not `allowed`; null: no upstream has any. */
export const readBuiltIns = ({ tools, input }: Sent, allowed: ReadonlySet<string> | null): string[] => {
  const needed = new Set<string>()
  for (const [index, item] of input.entries()) {
    const tool = builtInToolOfItem(item.type)
    if (tool === null) continue
    if (!allowed?.has(tool)) throw refused('unsupported_value', `input[${index}].type`, item.type)
    needed.add(tool)
  }
  if (allowed === null) return []
  for (const one of tools) {
    if (!('ignored' in one)) continue
    const tool = builtInToolName(one.ignored)
    if (!allowed.has(tool)) throw refused('built_in_tool_not_allowed', `tools[${one.index}].type`, one.ignored)
    needed.add(tool)
  }
  return [...needed]
}

const refused = (name: 'unsupported_value' | 'built_in_tool_not_allowed', path: string, type: string): Problem =>
  new Problem(() => ApiError.of(name, { path, value: type.slice(0, 64) }, { param: path }))

/**
 * What an upstream with this API is sent besides the conversation and what is decided here. `service_tier` is not: the operator
 * pays for it. `metadata` belongs to what is stored here.
 */
export const nativeMembers = (body: ResponsesBody, tools: readonly RequestTool[]): Record<string, string> => {
  const { include, tool_choice, parallel_tool_calls, max_tool_calls, reasoning, text, truncation } = body
  const { prompt_cache_key, prompt_cache_retention, safety_identifier, user } = body
  const sentTools = tools.map((one) => ('tool' in one ? withoutNulls(one.tool) : one.sent))
  const members = {
    ...{ tools: sentTools.length === 0 ? null : sentTools, include: include?.length === 0 ? null : include },
    ...{ tool_choice, parallel_tool_calls, max_tool_calls, truncation },
    ...{ reasoning: reasoning && withoutNulls(reasoning), text: text && withoutNulls(text) },
    ...{ prompt_cache_key, prompt_cache_retention, safety_identifier, user },
  }
  return Object.fromEntries(Object.entries(withoutNulls(members)).map(([name, value]) => [name, JSON.stringify(value)]))
}

/** What was not set is left out: its meaning depends on the provider. */
const withoutNulls = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
