import type { ListedOperation } from '../../../src/api/openapi/operations.ts'
import type { PageContext } from '../page-context.ts'
import { clientSamples } from './client-samples.ts'
import type { CodeSample } from './code-block.ts'
import { sampleCall } from './operation-calls.ts'
import { plainSamples } from './plain-samples.ts'
import { sampleCode } from './sample-code.ts'

const languages = [
  { id: 'curl', name: 'curl', language: 'bash' },
  { id: 'python', name: 'Python', language: 'python' },
  { id: 'typescript', name: 'TypeScript', language: 'typescript' },
  { id: 'go', name: 'Go', language: 'go' },
  { id: 'java', name: 'Java', language: 'java' },
  { id: 'csharp', name: 'C#', language: 'csharp' },
] as const

/** The call in every language; with the official client where that has a method for it. */
export const operationSamples = (operation: ListedOperation, { words: { landing } }: PageContext): CodeSample[] => {
  const samples = {
    ...plainSamples(sampleCall(operation, landing)),
    ...clientSamples(operation.id, landing.prompt),
  }
  return languages.map(({ id, ...language }) => ({ id, ...language, code: sampleCode(samples[id]) }))
}
