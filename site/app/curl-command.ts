import type { CodePart } from './components/code-tabs.tsx'

/** A piece of a body, or a file that stands in it as Base64. */
export type BodyPart = CodePart | { file: string }

type CurlCommand = {
  baseUrl: CodePart
  path: string
  /** Of the key, in which the shell fills in variables. */
  keyHeader: readonly CodePart[]
  body: readonly BodyPart[]
}

/** Linux takes no argument of more than 128 KiB, with its bytes in UTF-8. */
const argumentCharacters = 40_000

/**
 * A request as a command for a shell. Files are read when it runs, from the folder it runs in: `base64` and `tr` make one line of them
 * on Linux and macOS alike.
 */
export const curlCommand = ({ baseUrl, path, keyHeader, body }: CurlCommand): CodePart[] => {
  const length = body.reduce((sum, part) => sum + (isFile(part) ? 0 : wholePart(part).length), 0)
  const isArgument = length <= argumentCharacters && !body.some(isFile)
  const curl = [
    'curl -N "$BASE_URL',
    `${path}" \\\n  -H "`,
    ...keyHeader,
    '" \\\n  -H "Content-Type: application/json" \\\n  ',
  ]
  if (isArgument) return ['BASE_URL=', baseUrl, '\n', ...curl, "-d '", ...body.flatMap(quotedPart), "'"]
  return ['BASE_URL=', baseUrl, '\n{\n', ...printed(body), '} | ', ...curl, '--data-binary @-']
}

/** Commands that print the body: the shell has no limit for what it prints itself. */
const printed = (body: readonly BodyPart[]): CodePart[] => {
  const lines: CodePart[] = []
  let isOpen = false
  for (const part of body) {
    if (isFile(part)) {
      lines.push(`${isOpen ? "'\n" : ''}  base64 < `, { yours: `'${inShellQuotes(part.file)}'` }, " | tr -d '\\n'\n")
      isOpen = false
    } else {
      lines.push(...(isOpen ? [] : ["  printf '%s' '"]), ...quotedPart(part))
      isOpen = true
    }
  }
  return isOpen ? [...lines, "'\n"] : lines
}

const isFile = (part: BodyPart): part is { file: string } => typeof part !== 'string' && 'file' in part

export const wholePart = (part: CodePart): string => (typeof part === 'string' ? part : part.yours)

const quotedPart = (part: BodyPart): CodePart[] => {
  if (isFile(part)) return []
  return [typeof part === 'string' ? inShellQuotes(part) : { ...part, yours: inShellQuotes(part.yours) }]
}

/** A quote ends the shell's text, stands on its own, and opens it again. */
const inShellQuotes = (text: string): string => text.replaceAll("'", "'\\''")
