import type { CodeSample } from './code-block.ts'
import { pythonClient, typescriptClient } from './plain-samples.ts'
import { sampleCode } from './sample-code.ts'

type Call = {
  /** Below `/v1`. */
  path: string
  /** JSON, as it is sent by curl. Without it, the call is a GET. */
  body?: string
  /** What follows the client's construction. */
  python: string
  typescript: string
  /** Further headers of curl; with `stream`, events are shown as they arrive. */
  headers?: readonly string[]
  /** Further imports of the Python sample. */
  pythonImports?: string
}

/** One call in three languages, each complete: it can be copied and run with `HELIX_API_KEY` set. */
export const callSamples = ({
  path,
  body,
  python,
  typescript,
  headers = [],
  pythonImports = '',
}: Call): CodeSample[] => [
  { id: 'curl', name: 'curl', language: 'bash', code: sampleCode(curl(path, body, headers)) },
  {
    id: 'python',
    name: 'Python',
    language: 'python',
    code: sampleCode(`${pythonImports}${pythonClient}${python.trim()}`),
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    language: 'typescript',
    code: sampleCode(`${typescriptClient}${typescript.trim()}`),
  },
]

const curl = (path: string, body: string | undefined, headers: readonly string[]): string => {
  const parts = [
    `curl ${body?.includes('"stream": true') ? '-N ' : ''}"$BASE_URL${path}"`,
    '-H "Authorization: Bearer «$HELIX_API_KEY»"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...headers.map((header) => `-H "${header}"`),
    ...(body === undefined ? [] : [`-d '${body.trim().replaceAll('\n', '\n  ')}'`]),
  ]
  return `BASE_URL=«%origin%/v1»\n${parts.join(' \\\n  ')}`
}
