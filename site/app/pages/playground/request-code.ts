import type { CodePart, CodeTab } from '../../components/code-tabs.tsx'
import type { ChatRequest } from './build-request.ts'
import { pythonLiteral, typescriptLiteral } from './code-literal.ts'

/** The request as a program. The key stays out of it: it comes from the environment. */
export const requestCode = (request: ChatRequest, baseUrl: string): CodeTab[] => [
  { id: 'curl', name: 'curl', parts: curl(request, baseUrl) },
  { id: 'python', name: 'Python', parts: python(request, baseUrl) },
  { id: 'typescript', name: 'TypeScript', parts: typescript(request, baseUrl) },
]

const curl = ({ model, ...rest }: ChatRequest, baseUrl: string): CodePart[] => {
  const body = inShellQuotes(indent(JSON.stringify({ model, ...rest }, null, 2)))
  return [
    'curl -N ',
    { yours: baseUrl },
    '/chat/completions \\\n  -H "Authorization: Bearer ',
    { yours: '$HELIX_API_KEY' },
    '" \\\n  -H "Content-Type: application/json" \\\n  -d \'',
    ...aroundModel(body, `"model": "`, model),
    "'",
  ]
}

const python = ({ model, ...rest }: ChatRequest, baseUrl: string): CodePart[] => [
  'import os\nfrom openai import OpenAI\n\nclient = OpenAI(\n    base_url="',
  { yours: baseUrl },
  '",\n    api_key=',
  { yours: 'os.environ["HELIX_API_KEY"]' },
  ',\n)\nstream = client.chat.completions.create(\n    model="',
  { yours: model },
  '",\n',
  ...Object.entries(rest).map(([name, value]) => `    ${name}=${pythonLiteral(value, '    ')},\n`),
  ')\nfor chunk in stream:\n',
  rest.tools === undefined
    ? '    if chunk.choices:\n        print(chunk.choices[0].delta.content or "", end="", flush=True)\n'
    : '    if chunk.choices:\n        print(chunk.choices[0].delta)\n',
]

const typescript = ({ model, ...rest }: ChatRequest, baseUrl: string): CodePart[] => [
  "import OpenAI from 'openai'\n\nconst client = new OpenAI({\n  baseURL: '",
  { yours: baseUrl },
  "',\n  apiKey: ",
  { yours: 'process.env.HELIX_API_KEY' },
  ",\n})\nconst stream = await client.chat.completions.create({\n  model: '",
  { yours: model },
  "',\n",
  ...Object.entries(rest).map(([name, value]) => `  ${name}: ${typescriptLiteral(value, '  ')},\n`),
  '})\nfor await (const chunk of stream) {\n',
  rest.tools === undefined
    ? "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')\n"
    : '  console.log(chunk.choices[0]?.delta)\n',
  '}\n',
]

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** A quote ends the shell's text, stands on its own, and opens it again. */
const inShellQuotes = (text: string): string => text.replaceAll("'", "'\\''")

const aroundModel = (body: string, before: string, model: string): CodePart[] => {
  const place = body.indexOf(`${before}${model}"`) + before.length
  return [body.slice(0, place), { yours: model }, body.slice(place + model.length)]
}
