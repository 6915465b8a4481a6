import type { CodeSample } from './code-block.ts'
import { sampleCode } from './sample-code.ts'

type Call = {
  /** Below `/v1`. */
  path: string
  /** JSON, as it is sent by curl. */
  body: string
  /** What follows the client's construction. */
  python: string
  typescript: string
  /** Further imports of the Python sample. */
  pythonImports?: string
}

/** One call in three languages, each complete: it can be copied and run with `HELIX_API_KEY` set. */
export const callSamples = ({ path, body, python, typescript, pythonImports = '' }: Call): CodeSample[] => [
  { id: 'curl', name: 'curl', language: 'bash', code: sampleCode(curl(path, body)) },
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

const curl = (path: string, body: string): string => `BASE_URL=«%origin%/v1»
curl "$BASE_URL${path}" \\
  -H "Authorization: Bearer «$HELIX_API_KEY»" \\
  -H "Content-Type: application/json" \\
  -d '${body.trim().replaceAll('\n', '\n  ')}'`

const pythonClient = `import os
from openai import OpenAI

base_url = "«%origin%/v1»"
client = OpenAI(base_url=base_url, api_key=«os.environ["HELIX_API_KEY"]»)
`

const typescriptClient = `import OpenAI from 'openai'

const baseURL = '«%origin%/v1»'
const client = new OpenAI({ baseURL, apiKey: «process.env.HELIX_API_KEY» })
`
