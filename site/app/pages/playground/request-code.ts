import type { CodePart, CodeTab } from '../../components/code-tabs.tsx'
import type { ChatRequest } from './build-request.ts'
import { type CodeDialect, type DialectRequest, inDialect } from './code-dialects.ts'
import { pythonLiteral, typescriptLiteral } from './code-literal.ts'

/** The request as a program. The key stays out of it: it comes from the environment. */
export const requestCode = (request: ChatRequest, baseUrl: string, dialect: CodeDialect = 'chat'): CodeTab[] => {
  const sent = inDialect(request, dialect)
  return [
    { id: 'curl', name: 'curl', parts: curl(sent, baseUrl) },
    { id: 'python', name: 'Python', parts: python(sent, baseUrl) },
    { id: 'typescript', name: 'TypeScript', parts: typescript(sent, baseUrl) },
  ]
}

const curl = ({ path, body: { model, ...rest }, library }: DialectRequest, baseUrl: string): CodePart[] => {
  const body = inShellQuotes(indent(JSON.stringify({ model, ...rest }, null, 2)))
  return [
    'BASE_URL=',
    { yours: baseUrl },
    `\ncurl -N "$BASE_URL${path}" \\\n  -H "${library === 'openai' ? 'Authorization: Bearer ' : 'x-api-key: '}`,
    { yours: '$HELIX_API_KEY' },
    '" \\\n  -H "Content-Type: application/json" \\\n  -d \'',
    ...aroundModel(body, `"model": "`, model),
    "'",
  ]
}

const names = { openai: 'OpenAI', anthropic: 'Anthropic' }
const packages = { openai: 'openai', anthropic: '@anthropic-ai/sdk' }

/** Anthropic's libraries add the version to the address themselves. */
const clientBaseUrl = ({ library }: DialectRequest, baseUrl: string): string =>
  library === 'openai' ? baseUrl : baseUrl.replace(/\/v1$/, '')

const python = (sent: DialectRequest, baseUrl: string): CodePart[] => {
  const { library, method, body } = sent
  const { model, ...rest } = body
  return [
    `import os\nfrom ${library} import ${names[library]}\n\nbase_url = "`,
    { yours: clientBaseUrl(sent, baseUrl) },
    `"\nclient = ${names[library]}(base_url=base_url, api_key=`,
    { yours: 'os.environ["HELIX_API_KEY"]' },
    `)\nstream = client.${method}(\n    model="`,
    { yours: model },
    '",\n',
    ...Object.entries(rest).map(([name, value]) => `    ${name}=${pythonLiteral(value, '    ')},\n`),
    ')\nfor event in stream:\n',
    sent.python,
  ]
}

const typescript = (sent: DialectRequest, baseUrl: string): CodePart[] => {
  const { library, method, body } = sent
  const { model, ...rest } = body
  return [
    `import ${names[library]} from '${packages[library]}'\n\nconst baseURL = '`,
    { yours: clientBaseUrl(sent, baseUrl) },
    `'\nconst client = new ${names[library]}({ baseURL, apiKey: `,
    { yours: 'process.env.HELIX_API_KEY' },
    ` })\nconst stream = await client.${method}({\n  model: '`,
    { yours: model },
    "',\n",
    ...Object.entries(rest).map(([name, value]) => `  ${name}: ${typescriptLiteral(value, '  ')},\n`),
    '})\nfor await (const event of stream) {\n',
    sent.typescript,
    '}\n',
  ]
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** A quote ends the shell's text, stands on its own, and opens it again. */
const inShellQuotes = (text: string): string => text.replaceAll("'", "'\\''")

const aroundModel = (body: string, before: string, model: string): CodePart[] => {
  const place = body.indexOf(`${before}${model}"`) + before.length
  return [body.slice(0, place), { yours: model }, body.slice(place + model.length)]
}
