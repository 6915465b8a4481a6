import { withMember } from '../base/with-member.ts'
import type { FunctionTool } from './contract.ts'

/** Tools as one JSON text. Their schemas are text already, and may be long. */
export const toolDefinitions = (tools: readonly FunctionTool[]): string => `[${tools.map(writeDefinition).join(',')}]`

const writeDefinition = ({ parameters, ...tool }: FunctionTool): string =>
  withMember(JSON.stringify(tool), 'parameters', parameters ?? 'null')
