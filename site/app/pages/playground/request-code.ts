import type { CodePart, CodeTab } from '../../components/code-tabs.tsx'
import { type BodyPart, curlCommand } from '../../curl-command.ts'
import type { ChatRequest } from './build-request.ts'
import { type CodeDialect, type DialectRequest, inDialect } from './code-dialects.ts'
import { pythonLiteral, typescriptLiteral } from './code-literal.ts'
import { type CodeMedia, inlineData, splitAtMedia, withFileReads } from './media-in-code.ts'

/**
 * The request as a program. The key stays out of it: it comes from the environment. In place of the marks of `media` it has their data
 * or reads their files.
 */
export const requestCode = (
  request: ChatRequest,
  baseUrl: string,
  dialect: CodeDialect = 'chat',
  media: readonly CodeMedia[] = [],
): CodeTab[] => {
  const sent = inDialect(request, dialect)
  return [
    { id: 'curl', name: 'curl', parts: curl(sent, baseUrl, media) },
    { id: 'python', name: 'Python', parts: python(sent, baseUrl, media) },
    { id: 'typescript', name: 'TypeScript', parts: typescript(sent, baseUrl, media) },
  ]
}

const curl = (
  { path, body: { model, ...rest }, library }: DialectRequest,
  baseUrl: string,
  media: readonly CodeMedia[],
): CodePart[] => {
  const json = indent(JSON.stringify({ model, ...rest }, null, 2))
  const body = splitAtMedia(json, media).map((part): BodyPart => {
    if (typeof part === 'string') return part
    return part.file === null ? inlineData(part) : { file: part.file }
  })
  const [first = '', ...others] = body
  return curlCommand({
    baseUrl: { yours: baseUrl },
    path,
    keyHeader: [library === 'openai' ? 'Authorization: Bearer ' : 'x-api-key: ', { yours: '$HELIX_API_KEY' }],
    body: [...(typeof first === 'string' ? aroundModel(first, `"model": "`, model) : [first]), ...others],
  })
}

const names = { openai: 'OpenAI', anthropic: 'Anthropic' }
const packages = { openai: 'openai', anthropic: '@anthropic-ai/sdk' }

/** Anthropic's libraries add the version to the address themselves. */
const clientBaseUrl = ({ library }: DialectRequest, baseUrl: string): string =>
  library === 'openai' ? baseUrl : baseUrl.replace(/\/v1$/, '')

const python = (sent: DialectRequest, baseUrl: string, media: readonly CodeMedia[]): CodePart[] => {
  const { library, method, body } = sent
  const { model, ...rest } = body
  const fields = Object.entries(rest).map(([name, value]) => `    ${name}=${pythonLiteral(value, '    ')},\n`)
  const values = fields.flatMap((field) =>
    withFileReads(field, media, '"', (file) => `read_base64(${pythonLiteral(file)})`),
  )
  return [
    `${readsFiles(fields, media) ? 'import base64\n' : ''}import os\nfrom ${library} import ${names[library]}\n${readsFiles(fields, media) ? pythonReader : ''}\nbase_url = "`,
    { yours: clientBaseUrl(sent, baseUrl) },
    `"\nclient = ${names[library]}(base_url=base_url, api_key=`,
    { yours: 'os.environ["HELIX_API_KEY"]' },
    `)\nstream = client.${method}(\n    model="`,
    { yours: model },
    '",\n',
    ...values,
    ')\nfor event in stream:\n',
    sent.python,
  ]
}

const typescript = (sent: DialectRequest, baseUrl: string, media: readonly CodeMedia[]): CodePart[] => {
  const { library, method, body } = sent
  const { model, ...rest } = body
  const fields = Object.entries(rest).map(([name, value]) => `  ${name}: ${typescriptLiteral(value, '  ')},\n`)
  const values = fields.flatMap((field) =>
    withFileReads(field, media, "'", (file) => `readFileSync(${typescriptLiteral(file)}, 'base64')`),
  )
  return [
    `${readsFiles(fields, media) ? "import { readFileSync } from 'node:fs'\n" : ''}import ${names[library]} from '${packages[library]}'\n\nconst baseURL = '`,
    { yours: clientBaseUrl(sent, baseUrl) },
    `'\nconst client = new ${names[library]}({ baseURL, apiKey: `,
    { yours: 'process.env.HELIX_API_KEY' },
    ` })\nconst stream = await client.${method}({\n  model: '`,
    { yours: model },
    "',\n",
    ...values,
    '})\nfor await (const event of stream) {\n',
    sent.typescript,
    '}\n',
  ]
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

const readsFiles = (fields: readonly string[], media: readonly CodeMedia[]): boolean =>
  media.some(({ mark, file }) => file !== null && fields.some((field) => field.includes(mark)))

const pythonReader = `
def read_base64(name):
    with open(name, "rb") as file:
        return base64.b64encode(file.read()).decode()
`

const aroundModel = (body: string, before: string, model: string): CodePart[] => {
  const place = body.indexOf(`${before}${model}"`) + before.length
  return [body.slice(0, place), { yours: model }, body.slice(place + model.length)]
}
