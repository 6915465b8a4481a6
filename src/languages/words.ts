import type { LanguageCode } from '../../languages/language.ts'
import type { ServerWords, WordFiles } from '../../languages/words.ts'
import { defaultLanguage, importLanguageFile, languageCodes } from './languages.ts'

/** The words of one file of a language. Site and console load theirs with `site/words/load-words.ts`. */
export const readWords = async <File extends keyof WordFiles>(
  code: LanguageCode,
  file: File,
): Promise<WordFiles[File]> => shapedLikeEnglish<File>(await importLanguageFile(code, file)).words

/** The compiler has checked the file, which names the type. */
const shapedLikeEnglish = <File extends keyof WordFiles>(file: unknown) => file as { words: WordFiles[File] }

const english = await readWords(defaultLanguage, 'server')
const wordsByCode = new Map<LanguageCode, ServerWords>(
  await Promise.all(languageCodes.map(async (code) => [code, await readWords(code, 'server')] as const)),
)

/** What the server itself says; in English to an account whose language was removed. */
export const serverWords = (code: LanguageCode): ServerWords => wordsByCode.get(code) ?? english
