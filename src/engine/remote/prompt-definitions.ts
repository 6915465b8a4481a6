import { withMember } from '../../base/with-member.ts'
import type { FunctionTool, ResponseFormat } from '../contract.ts'
import { toolDefinitions } from '../tool-definitions.ts'

/** The tools and the format of the answer as JSON, from which their tokens are estimated; empty if there are none. */
export const promptDefinitions = (tools: readonly FunctionTool[], format: ResponseFormat | null): string =>
  tools.length === 0 && format === null ? '' : `[${toolDefinitions(tools)},${formatDefinition(format)}]`

const formatDefinition = (format: ResponseFormat | null): string => {
  if (format?.type !== 'schema') return JSON.stringify(format)
  const { schema, ...rest } = format
  return withMember(JSON.stringify(rest), 'schema', schema)
}
