import type { OperationHeader } from '../../operations/operation.ts'

/** The header by which clients of Anthropic's API say its version. */
export const versionHeader = (description: string): OperationHeader => ({
  name: 'anthropic-version',
  description,
  json: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
})
