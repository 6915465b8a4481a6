import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './run-program.ts'

/** The first code block of a language in a document, so that tests run what people copy. */
export const documentedBlock = (page: string, language: string): string => {
  const text = readFileSync(join(repository, page), 'utf8')
  const [, block] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text) ?? []
  if (block === undefined) throw new Error(`${page} has no block of ${language}.`)
  return block
}
