import type { LanguageCode } from '../../languages/language.ts'
import type { WordFiles } from '../../languages/words.ts'

/** What scripts say. The words of public pages stand in the pages, and those of the server are not for browsers. */
type ScriptWords = Pick<WordFiles, 'console' | 'first' | 'admin' | 'auth' | 'litellm-import'>

const files = import.meta.glob('../../languages/*/{console,first,admin,auth,litellm-import}.ts', { import: 'words' })

/** The words of a page's script: only those of the language that is read are loaded. */
export const loadWords = async <File extends keyof ScriptWords>(
  code: LanguageCode,
  file: File,
): Promise<ScriptWords[File]> => {
  const load = files[`../../languages/${code}/${file}.ts`]
  if (load === undefined) throw new Error(`there is no languages/${code}/${file}.ts`)
  return shapedLike<ScriptWords[File]>(await load())
}

/** English gives the words of each file their shape, which the compiler checks in every other language. */
const shapedLike = <Words>(words: unknown): Words => words as Words
