import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const pseudoCode = 'qps'

const files: Record<string, string> = {
  'language.ts': `import { language as english } from '../en/language.ts'
export const language = { ...english, code: '${pseudoCode}', name: 'Pséüdö-éñglîsh' }
`,
  'public-pages.ts': `import { words as english } from '../en/public-pages.ts'
import { pseudoText, pseudoWords } from './pseudo-words.ts'
const pseudo = pseudoWords(english)
export const words = { ...pseudo, docs: { ...pseudo.docs, translate: pseudoText } }
`,
  'screenshots.ts': `export { words } from '../en/screenshots.ts'
`,
  ...Object.fromEntries(
    ['console', 'first', 'admin', 'auth', 'litellm-import', 'server'].map((file) => [
      `${file}.ts`,
      `import { words as english } from '../en/${file}.ts'
import { pseudoWords } from './pseudo-words.ts'
export const words = pseudoWords(english)
`,
    ]),
  ),
}

/** Adds a language to a copy of the repository, as anyone would: with a folder, and nothing else. */
export const writePseudoLanguage = async (root: string): Promise<void> => {
  const folder = join(root, 'languages', pseudoCode)
  await mkdir(folder)
  await copyFile(join(import.meta.dirname, 'pseudo-words.ts'), join(folder, 'pseudo-words.ts'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
