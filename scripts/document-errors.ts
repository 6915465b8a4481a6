import { type ErrorName, errorCatalogue, errorType } from '../src/base/errors.ts'

/** The text of `docs/errors.md`. */
export const documentErrors = (): string => {
  const names = Object.keys(errorCatalogue).filter((name): name is ErrorName => name in errorCatalogue)
  const rows = names.map((name) => {
    const { status, code, message } = errorCatalogue[name]
    const shown = message.replaceAll('|', '\\|').replaceAll('{s}', '')
    return `| ${name} | ${status} | ${errorType(name)} | ${code === null ? 'null' : `\`${code}\``} | ${shown} |`
  })
  return `${head}\n${rows.join('\n')}\n`
}

const head = `# Errors

Written by \`npm run docs\` from \`src/base/errors.ts\`; a test keeps the two equal.

Every error is one JSON document, also when a stream was asked for and nothing of it was sent yet:

\`\`\`json
{ "error": { "message": "…", "type": "invalid_request_error", "param": "messages[0].role", "code": "invalid_type" } }
\`\`\`

\`param\` names the place in the request that is wrong, or is null. A fault in the middle of a stream comes as one event with the
same document, \`data: {"error":{…}}\`, and the stream ends without \`[DONE]\`. Every answer has an \`x-request-id\`; quote it when
you report a fault. Answers that may succeed later carry \`retry-after\` (seconds) and \`retry-after-ms\`; where a retry is
pointless, \`x-should-retry: false\`. In the messages below, words in braces stand for what was sent or measured.

The first column is our name for the situation, as it stands in the log; it is not sent.

| situation | status | type | code | message |
|---|---|---|---|---|`
