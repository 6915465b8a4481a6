import { type Check, checks } from '../conformance/checks.ts'
import { extensionWishes, fieldWishes, messageWishes, type Wish } from '../conformance/compatibility.ts'
import { findShownChecks } from '../conformance/shown-checks.ts'

/** The text of `docs/compatibility.md`. */
export const documentCompatibility = (): string => {
  const shown = findShownChecks()
  const checkRow = ({ number, area, text }: Check): string => {
    const files = (shown.get(number) ?? []).map((path) => `\`${path}\``).join(', ')
    return `| ${number} | ${area} | ${text} | ${files} |`
  }
  return [
    head,
    table('Messages', messageWishes),
    table('Fields', fieldWishes),
    table('Extensions', extensionWishes),
    behaviours,
    ...checks.map(checkRow),
    '',
  ].join('\n')
}

const table = (title: string, wishes: readonly Wish[]): string =>
  [`## ${title}`, '', '| field | value | | note |', '|---|---|---|---|', ...wishes.map(row), ''].join('\n')

const row = ({ field, value = '', verdict, code, note = '' }: Wish): string => {
  const shownCode = code === undefined ? '' : code === 'null' ? ', code null' : `, \`${code}\``
  return `| \`${field}\` | ${value} | ${verdict}${shownCode} | ${note} |`
}

const head = `# Compatibility

Written by \`npm run docs\` from \`conformance/compatibility.ts\`, \`conformance/checks.ts\` and the titles of the tests. Every row of
the first three tables is sent to the server by a test; every numbered behaviour is shown by the tests named beside it.

The tables speak of helix-v1 on the embedded engine. With an upstream (\`upstreamUrl\`) tools, JSON formats, log probabilities,
token ids and template settings are refused by name for now; sampling and streaming are passed on. A field at its default, or null
where the official API takes null, is always accepted; null also means absent for \`tools\`, \`tool_choice\`, \`parallel_tool_calls\`,
\`functions\`, \`function_call\`, \`response_format\` and \`user\`, which clients send although the official API does not take it. Not applicable here: audio, images, files, web search and moderation, which
are refused; fine-tuned models, so \`DELETE /v1/models/{model}\` is 405; \`openai-project\`, since keys belong to organisations.
`

const behaviours = `## Behaviours

| | area | what holds | shown by |
|---|---|---|---|`
